// SPDX-License-Identifier: Apache-2.0

// Writes pages for a browser: pages FOLDER. thousand.html has a plan of a thousand nodes, times.html one with times and loops.

#include "../../test_kernel.hpp"

#include <cograph/batch.hpp>
#include <cograph/page/html.hpp>
#include <cograph/page/several.hpp>

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace cograph;

namespace pages {

template <int I>
struct numbers : buffer<numbers<I>, int> {};
template <int I>
inline constexpr numbers<I> n{};
inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct rr : scalar<rr, double> {} rr;
TEST_KERNEL void smooth(const double*, double*);

template <int... I>
constexpr auto chains(std::integer_sequence<int, I...>) {  // ten chains, in turns
    return seq(fill(out(n<I % 10>), I)...);
}
constexpr auto thousand = chains(std::make_integer_sequence<int, 1000>{});
inline constexpr struct count : scalar<count, int> {} count;
template <int... I>
constexpr auto additions(std::integer_sequence<int, I...>) {  // sixteen of which share a kernel
    return seq(assign(count, count + I)...);
}
constexpr auto thousand_in_one_thread = additions(std::make_integer_sequence<int, 1000>{});

const auto loops = seq(label("</script><b>", fill(out(x), 1)), repeat(3, seq(kernel<smooth>(over(x))(in(x), inout(y)), dot(out(rr), in(x), in(y)))),
                       loop_while(rr > 1, seq(copy(in(x), out(y)), copy(in(y), out(x)), dot(out(rr), in(x), in(y)))), when(rr > 2, fill(out(y), 0), otherwise(fill(out(x), 0))));

struct time {
    int calls;
    double total, median, share;
};
struct times {
    std::vector<time> all;
    const std::vector<time>& nodes() const { return all; }
};

// Two expressions that share variables and an event.
inline constexpr struct done : value<done, CUevent_st*> {} done;
const auto first_part = seq(label("</script><b>", fill(out(x), 1)), record(done)(in(x)));
const auto second_part = seq(wait(done)(out(x)), repeat(3, copy(in(x), out(y))), loop_while(rr > 1, seq(copy(in(x), out(y)), dot(out(rr), in(x), in(y)))));

// A batch, whose node has the problem in it.
const auto solved = seq(fill(out(of_each(x)), 1), batch(over(3), loop_while(rr > 1, seq(copy(in(x), out(y)), dot(out(rr), in(x), in(y)))))(of_each(x), of_each(y), of_each(rr)), dot(out(rr), in(of_each(x)), in(of_each(y))));

static_assert(diagnose<decltype(write_html("plan.html", thousand))> == reason::not_a_stream<char[10]>{});
static_assert(diagnose<decltype(write_html(std::cout, loops))> == reason::fine{});
static_assert(diagnose<decltype(write_html(std::cout))> != reason::fine{});

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

int main(const std::string& folder) {
    std::ofstream large(folder + "/thousand.html");
    write_html(large, thousand);

    times measured{std::vector<time>(static_cast<std::size_t>(node_count(loops)))};
    measured.all[0] = {1, 2.5, 2.5, 0.25};
    std::ostringstream text;
    write_html(text, loops, measured);
    std::ofstream(folder + "/times.html") << text.str();

    std::ostringstream plain;
    write_html(plain, loops);
    write_html(std::ofstream(folder + "/plain.html"), loops);
    std::ostringstream shared;
    write_html(shared, thousand_in_one_thread);
    std::ostringstream several;
    write_html(several, named("first <part>", first_part), named("second", second_part));
    std::ofstream(folder + "/several.html") << several.str();
    write_html(std::ofstream(folder + "/batch.html"), solved);
    const bool right = contains(several.str(), R"("name": "first \u003cpart>")") && contains(several.str(), R"("shared": [)") && !contains(several.str(), "</script><b>") && contains(shared.str(), R"({"nodes": [992, 993, 994, 995, 996, 997, 998, 999]})") && contains(text.str(), R"("label": "\u003c/script>\u003cb>")") && contains(text.str(), R"([{"calls": 1, "median": 2.5000)") &&
                       contains(text.str(), ", null") && contains(plain.str(), ">[]</script>") && !contains(plain.str(), "</script><b>");
    std::cout << (right && node_count(thousand) == 1000 ? "right\n" : "wrong\n");
    return right && large ? 0 : 1;
}

}  // namespace pages

int main(int argc, char** argv) { return argc == 2 ? pages::main(argv[1]) : 2; }
