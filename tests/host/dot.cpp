// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"
#include "../move_in_space.hpp"
#include "../test_kernel.hpp"

#include <cograph.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

using namespace cograph;

namespace dot_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct rr : scalar<rr, double> {} rr;
inline constexpr struct tol : value<tol, double> {} tol;
inline constexpr struct i : scalar<i, int> {} i;

TEST_KERNEL void smooth(const double*, double*);

template <class T>
struct scale {
    COGRAPH_HD void operator()(index_t, T& value) const { value *= 2; }
};

template <class E>
std::string picture(const E& e) {
    std::ostringstream to;
    write_dot(to, e);
    return to.str();
}
int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}
// The line of the picture that describes a node.
std::string line_with(const std::string& text, const std::string& part) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.find(part) != std::string::npos) return line;
    return {};
}
constexpr const char* red = "#c0392b";
constexpr const char* blue = "#2456b8";

constexpr auto solve =
    seq(kernel<smooth>(over(x))(in(x), out(y)), label("<r, r> & \"more\"", dot(out(rr), in(y), in(y))),
        loop_while(rr > tol, seq(for_each(over(x), scale<double>{})(inout(x[each])), assign(rr, rr / 2),
                                 when(i > 0, fill(out(y), 0), otherwise(seq())))),
        switch_on(i, copy(in(x), out(y)), seq()));

// Where a picture goes.
struct to_text {
    std::string& text;
    template <class T>
    to_text& operator<<(const T& part) {
        std::ostringstream one;
        one << part;
        text += one.str();
        return *this;
    }
};
TEST_CASE("a stream that is made in the call takes a picture, too") {
    std::string text;
    write_dot(to_text{text}, solve);
    CHECK(text == picture(solve));
}

TEST_CASE("a picture has a line for each node and each edge, and a box for each body") {
    const std::string text = picture(solve);
    CHECK(text.rfind("digraph cograph {", 0) == 0);
    CHECK(text.substr(text.size() - 2) == "}\n");
    CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
    CHECK(count(text, " [label=<") == node_count(solve));
    CHECK(count(text, "subgraph cluster_") == region_count(solve) - 1);
    const int into_bodies = count(text, "lhead=cluster_");
    CHECK(into_bodies == region_count(solve) - 1);
    CHECK(count(text, " -> ") == edge_count(solve) + into_bodies);
    CHECK(count(text, "shape=point") == 2);
    CHECK(count(text, "hexagon") == 4);
}

TEST_CASE("a node shows what it reads in red and what it writes in blue") {
    const std::string text = picture(solve);
    const std::string node = line_with(text, "smooth");
    CHECK(node.find("<b>smooth</b>") != std::string::npos);
    CHECK(node.find(red) < node.find(">x<"));
    CHECK(node.find(">x<") < node.find(blue));
    CHECK(node.find(blue) < node.find(">y<"));
    CHECK(count(node, red) == 1);
    CHECK(count(node, blue) == 1);
    const std::string scaled = line_with(text, "scale");
    CHECK(count(scaled, ">x<") == 2);
    const std::string test = line_with(text, "<i>while?</i>");
    CHECK(test.find("rr tol") != std::string::npos);
    CHECK(count(test, blue) == 0);
    CHECK(count(line_with(text, "<i>while</i>"), blue) == 1);
}

TEST_CASE("names and labels are escaped") {
    const std::string text = picture(solve);
    CHECK(text.find("&lt;r, r&gt; &amp; &quot;more&quot;") != std::string::npos);
    CHECK(text.find("<r, r>") == std::string::npos);
    CHECK(text.find("scale&lt;double&gt;") != std::string::npos);
    const std::string odd = picture(label("two\nlines\x01\xff\xc3\xbc", seq(copy(in(x), out(y)))));
    CHECK(odd.find("<b>two<br/>lines\xef\xbf\xbd\xef\xbf\xbd\xc3\xbc</b>") != std::string::npos);
    CHECK(picture(label("a\\N\\Gb", seq(copy(in(x), out(y))))).find("<b>a\\\\N\\\\Gb</b>") != std::string::npos);
    CHECK(picture(label("", seq(copy(in(x), out(y))))).find("<b> </b>") != std::string::npos);
    CHECK(picture(label("behind nothing", seq(seq(), par(seq(), seq()), copy(in(x), out(y))))).find("<b>behind nothing</b>") != std::string::npos);
}

TEST_CASE("boxes say which body they are") {
    const std::string text = picture(solve);
    CHECK(count(text, "label=<when: then>") == 1);
    CHECK(count(text, "label=<when: otherwise>") == 1);
    CHECK(count(text, "label=<switch: case 0<br/>") == 1);
    CHECK(count(text, "label=<switch: case 1>") == 1);
    CHECK(count(text, "label=<while<br/>") == 1);
}

TEST_CASE("a loop that runs as one kernel is green, any other says why not") {
    constexpr auto shrink = for_each(over(x), scale<double>{})(inout(x[each]));
    const std::string one = picture(loop_while(rr > tol, seq(repeat(2, shrink), when(i > 0, shrink), reduce(out(rr), in(x)))));
    CHECK(count(one, "one persistent kernel, threads may keep x<") == 1);
    CHECK(count(one, "node by node") == 0);
    CHECK(count(one, "color=\"#86b590\"") == 3);  // of all bodies in it
    const std::string kept = picture(repeat(2, seq(repeat(3, shrink), label("a & b", kernel<smooth>(over(x))(in(x), out(y))))));
    CHECK(count(kept, "node by node: a &amp; b is opaque") == 1);
    CHECK(count(kept, "one persistent kernel") == 1);
    CHECK(count(kept, "color=\"#86b590\"") == 1);
    CHECK(count(picture(shrink), "node by node") == 0);
}

TEST_CASE("branches say how they run, and nodes say which kernel they are in") {
    constexpr auto halved = assign(rr, rr / 2);
    const std::string text = picture(seq(label("first", dot(out(rr), in(x), in(y))), label("then", halved), when(rr > 4, fill(out(x), 0)),
                                         when(i > 0, kernel<smooth>(over(x))(in(x), out(y))), copy(in(x), out(y)), fill(out(x), 1)));
    CHECK(count(text, "predicated kernels") == 1);
    CHECK(count(text, "conditional node: it holds an opaque node") == 1);
    CHECK(line_with(text, "<b>then</b>").find("in the kernel of first") != std::string::npos);
    CHECK(line_with(text, "<i>when?</i>").find("in the kernel of first") != std::string::npos);
    CHECK(count(text, "in the kernel of") == 3);
    CHECK(line_with(picture(seq(copy(in(x), out(y)), fill(out(x), 1))), "<b>fill</b>").find("in the kernel of copy") != std::string::npos);
    CHECK(count(picture(as_nodes(seq(copy(in(x), out(y)), fill(out(x), 1), halved, when(rr > 4, fill(out(x), 0))))), "in the kernel of") == 0);
}

struct first_of_two {
    COGRAPH_HD double operator()(index_t, index_t, index_t, double a, double) const { return a; }
};
inline constexpr struct side : value<side, int> {} side;

TEST_CASE("a reduction says whose kernel it is in if a loop has too many elements") {
    const auto of = [](auto box, auto op) {
        const auto moved = label("moved", for_each(box, move_in_space{})(in(x[near<1, 1, 1>]), out(y[each])));
        return picture(loop_while(rr > tol, seq(moved, label("reduced", transform_reduce(box, first_of_two{}, op)(out(rr), in(y[each]), in(x[each]))))));
    };
    const std::string largest = of(over(side, side, side), maximum{});
    CHECK(line_with(largest, "<b>reduced</b>").find("in the kernel of moved if a loop has too many elements") != std::string::npos);
    CHECK(count(largest, "in the kernel of") == 1);
    CHECK(count(of(over(side, side, side), plus{}), "in the kernel of") == 0);  // sums have an order
    CHECK(count(of(over(16, 16, 16), maximum{}), "in the kernel of") == 1);     // if these numbers are equal
}
TEST_CASE("a loop says how many of its iterations are passes over memory if it has too many elements") {
    constexpr auto cube = over(side, side, side);
    constexpr auto there = for_each(cube, move_in_space{})(in(x[near<1, 1, 1>]), out(y[each]));
    constexpr auto back = for_each(cube, move_in_space{})(in(y[near<1, 1, 1>]), out(x[each]));
    const std::string turning = picture(label("turning", repeat(5, seq(there, back))));
    CHECK(line_with(turning, "2 iterations in two passes if a loop has too many elements").find("turning") != std::string::npos);
    CHECK((count(picture(repeat(5, seq(there, back, back))), "in two passes") == 0 && count(picture(as_nodes(repeat(5, seq(there, back)))), "in two passes") == 0));
}

TEST_CASE("an empty expression has a picture too") {
    CHECK(count(picture(seq()), "->") == 0);
    CHECK(picture(seq()).rfind("digraph cograph {", 0) == 0);
}

TEST_CASE("Graphviz reads the picture", "[graphviz]") {
    if (std::system("dot -V > /dev/null 2>&1") != 0) {
        WARN("Graphviz is not installed: skipped");
        return;
    }
    const std::string file = "cograph_dot_test.gv";
    for (const std::string& text : {picture(solve), picture(label("", seq(copy(in(x), out(y))))), picture(label("a\\N\\Gb", seq(copy(in(x), out(y)))))}) {
        std::ofstream(file) << text;
        CHECK(std::system(("dot -Tsvg " + file + " > /dev/null").c_str()) == 0);
    }
    std::remove(file.c_str());
}

}  // namespace dot_test
