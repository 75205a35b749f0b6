// SPDX-License-Identifier: Apache-2.0
#include "../catch.hpp"

#include <cograph/page/several.hpp>

#include <algorithm>
#include <sstream>
#include <string>

// One picture and one JSON of several expressions.
namespace several {

using namespace cograph;

// [expressions]
inline constexpr struct state : buffer<state, double> {} state;
inline constexpr struct picture : buffer<picture, double> {} picture;
inline constexpr struct error_now : scalar<error_now, double> {} error_now;
inline constexpr struct drawn : value<drawn, CUevent_st*> {} drawn;

struct halve {
    COGRAPH_HD void operator()(index_t, double& element) const { element /= 2; }
};
constexpr auto setup = seq(fill(out(state), 1), fill(out(picture), 0));
constexpr auto step = seq(wait(drawn)(out(picture)), loop_while(error_now > 1e-3, seq(for_each(over(state), halve{})(inout(state[each])), reduce(out(error_now), in(state)))),
                          copy(in(state), out(picture)));
constexpr auto draw = seq(for_each(over(picture), halve{})(inout(picture[each])), record(drawn)(in(picture)));
// [/expressions]

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

TEST_CASE("one picture of several expressions shows what they share") {
    std::ostringstream out;
    // [write]
    write_dot(out, named("set up", setup), named("step", step), named("<draw>", draw));
    // [/write]
    const std::string text = out.str();
    CHECK(text.rfind("digraph cograph {", 0) == 0);
    CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
    CHECK(count(text, "subgraph cluster_of_") == 3);
    CHECK(count(text, "<b>&lt;draw&gt;</b>") == 1);
    CHECK(count(text, "digraph") == 1);
    // Nodes of different plans have names of their own.
    CHECK(count(text, "  n0_0 [") == 1);
    CHECK(count(text, "  n1_0 [") == 1);
    CHECK(count(text, "  n2_0 [") == 1);
    CHECK(count(text, "ellipse") == 2);  // state and picture, which two and three use
    CHECK(count(text, "diamond") == 1);
    CHECK(count(text, "[label=<error_now>") == 0);
    CHECK(text.find("  n2_1 -> shared2 [color=\"#2456b8\"") != std::string::npos);  // recorded there, and awaited here
    CHECK(text.find("  shared2 -> n1_0 [color=\"#c0392b\"") != std::string::npos);
    CHECK(text.find("  n0_0 -> shared0") != std::string::npos);
    CHECK(text.find("  shared0 -> n1_2") != std::string::npos);  // the loop, for all that is in it
}

TEST_CASE("events that are no variables are the same if they are the same") {
    CUevent_st* const first = reinterpret_cast<CUevent_st*>(64);
    CUevent_st* const second = reinterpret_cast<CUevent_st*>(128);
    std::ostringstream out;
    write_dot(out, named("a", seq(fill(cograph::out(state), 1), record(first), record(second)(in(state)))), named("b", seq(wait(first), fill(cograph::out(picture), 1))));
    CHECK(count(out.str(), "[label=<event>, shape=diamond") == 1);
    CHECK(count(out.str(), "ellipse") == 0);
}

static_assert(diagnose<decltype(named("a", 3))> == reason::not_an_expression<int>{});
static_assert(diagnose<decltype(write_dot("file", named("a", setup)))> != reason::fine{});

}  // namespace several
