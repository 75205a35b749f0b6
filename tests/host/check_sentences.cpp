// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/check.hpp>

#include <limits>
#include <span>
#include <string>
#include <vector>

using namespace cograph;

// The sentences of findings and hints, as people read them.
namespace check_sentences_test {

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct s : scalar<s, double> {} s;
inline constexpr struct t : scalar<t, double> {} t;

struct add_one {
    void operator()(index_t, double& to) const { to += 1; }
};
struct set_one {
    void operator()(index_t, double& to) const { to = 1; }
};
struct set_first {
    void operator()(index_t i, double* to) const {
        if (i < 2) to[i] = 1;
    }
};
struct root {
    void operator()(double value, double& to) const { to = value < 0 ? std::numeric_limits<double>::quiet_NaN() : value; }
};

std::string text_of(const auto& e, auto... bindings) { return check(e, bindings...).text(); }
bool has(const std::string& text, const char* words) {
    INFO(text);
    return text.find(words) != std::string::npos;
}

}  // namespace check_sentences_test
using namespace check_sentences_test;

TEST_CASE("findings name the variable, the access mode and the cause") {
    std::vector<double> xs(8, 3), ys(8, 5);
    double number = -1, other = 0;
    const auto on_x = x(std::span(xs));
    CHECK(has(text_of(for_each(over(x), add_one{})(out(x[each])), on_x), "reads 'x', which is marked out: 'x[0]' depends on its earlier contents"));
    CHECK(has(text_of(for_each(over(x), set_one{})(inout(x[each])), on_x), "has not needed the earlier contents of 'x', which is marked inout: out may do"));
    CHECK(has(text_of(for_each(over(x), set_first{})(out(y)), on_x, y(std::span(ys))), "leaves elements of 'y', which is marked out, as they were, from 'y[2]' on: mark it inout if they matter"));
    CHECK(has(text_of(seq(label("root", single_task(root{})(in(s), out(t))), when(t > 0.0, for_each(over(x), set_one{})(out(x[each])))), on_x, s(&number), t(&other)),
              "decides by 't', which is NaN; 'root' ("));
}

TEST_CASE("a hint about a loop that goes on names the contents that would have ended it") {
    std::vector<double> xs(4, 0);
    double number = 0, other = 0;
    const auto changed_again = do_while(seq(label("first", assign(s, 0.0)), for_each(over(x), add_one{})(inout(x[each])), assign(t, s + 1.0), assign(s, t)), s > 0.5, at_most(3));
    CHECK(has(text_of(changed_again, x(std::span(xs)), s(&number), t(&other)),
              "goes on by 's' as it is at the end of the iteration; the contents that 'first' ("));
}
