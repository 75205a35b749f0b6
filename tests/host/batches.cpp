// SPDX-License-Identifier: Apache-2.0
#include "../expressions/batches.hpp"
#include "simulation.hpp"

#include <cograph/check.hpp>

#include <sstream>

using namespace expressions::batches;

template <class Case>
static std::string what_check_says(Case c) {
    expressions::host_place place;
    return expressions::with_bindings(c, place, [](auto... b) { return cograph::check(expressions::expression_of<Case>, b...).text(); });
}
template <class Case>
static std::string what_is_wrong(Case c) try {
    expressions::run_simulated(c);
    return "nothing";
} catch (const cograph::error& wrong) {
    return wrong.what();
}
TEST_CASE("batches: simulation gives what plain C++ gives", "[simulate][batch]") {
    check_simulation<relaxed<32>>();
    check_simulation(relaxed<1>(300, 3));
    check_simulation(relaxed<64>(1, 10));
    check_simulation(relaxed<64>(0, 4));
    check_simulation(summed<32>(700, 3));
    check_simulation<hailstones>();
    check_simulation<loaded>();
    check_simulation<stepped<256>>();
    check_simulation(stepped<512>(1, 5));
    check_simulation<surveyed<256>>();
    check_simulation(surveyed<256>(30, 40, 2));
}

TEST_CASE("batches: problems of unequal lengths, and some of whose parts are wrong", "[simulate][batch]") {
    check_simulation<ragged<256>>();
    check_simulation(ragged<256>({3, 60, 40, 330, 340, -5, 20}, 57));  // of the right length the first alone
    check_simulation(ragged<256>({0, 0}, 0));
    check_simulation(ragged<256>({320, 320, 0, 320}, 320));
    check_simulation<arranged<256>>();
    check_simulation<folded<64>>();
    check_simulation(folded<32>({0, 7, 30, 30}, 30));
    check_simulation(arranged<256>({0, 5'000, 5'001, 5'001, 9'000}, 5'000));
}

TEST_CASE("batches: numbers of elements that the device computes", "[simulate][batch]") {
    check_simulation<counted<64>>();
    check_simulation<counted<256>>();
    check_simulation(counted<32>({0, 41, 81, 82, 82}, {41, 40, 2, 0}, 41));  // the second alone has enough of both arrays
    unsigned random = 5;
    const auto next = [&](int below) { return static_cast<int>((random = random * 1664525u + 1013904223u) >> 8) % below; };
    for (int round = 0; round < 40; ++round) {
        std::vector<int> from{0}, of_each_problem;
        for (int q = next(9); q >= 0; --q) {
            from.push_back(from.back() + next(50));
            of_each_problem.push_back(next(50) - 2);
        }
        CAPTURE(round);
        check_simulation(counted<32>(from, of_each_problem, 49));
    }
    CHECK(what_check_says(counted<32>({0, 41, 81}, {40, 7}, 41)) == "");
}
TEST_CASE("batches: a temp that is as long as another one has no more elements than memory", "[simulate][batch]") {
    check_simulation<numbered>();
    check_simulation(numbered({0, 3, 3, 43, 103}, 60));
}

TEST_CASE("batches: nodes that see neighbours", "[simulate][batch]") {
    check_simulation<diffused<64>>();
    check_simulation(diffused<32>({0, 30, 31, 31}, 31, 4, 8));
}

// Problems that use what others have, through a pointer.
namespace {
inline constexpr struct seen : cograph::value<seen, integer*> {} seen;
struct count_up {
    void operator()(index_t, integer* at, integer& to) const { to = ++*at; }
};
struct meddling {
    std::vector<integer> x_ = std::vector<integer>(20);
    integer counted_ = 0;
    static constexpr auto expression() { return batch(over(5), for_each(over(x), count_up{})(seen, out(x[each])))(of_each(x)); }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(x)(at(x_)), seen(&counted_));
    }
};
}  // namespace

TEST_CASE("batches: what check finds, and what is refused", "[batch]") {
    CHECK(what_check_says(relaxed<32>()) == "");
    CHECK(what_check_says(stepped<256>(20, 4)) == "");
    CHECK(what_check_says(meddling()) != "");

    relaxed<32> odd(10, 3);
    odd.x_.push_back(0);
    CHECK(what_is_wrong(odd).find("has 3 problems, and 'of_each<expressions::batches::x>' has 31 elements: not as many for each") != std::string::npos);
    relaxed<32> few(10, 3);
    few.passes_.pop_back();
    CHECK(what_is_wrong(few).find("has 3 problems, and 'of_each<expressions::batches::passes>' has 2 elements, not one for each") != std::string::npos);
    relaxed<32> unreported(10, 3);
    unreported.ends_.pop_back();
    CHECK(what_is_wrong(unreported).find("has 3 problems, and 'ends' has 2 elements, not one for each") != std::string::npos);
    relaxed<32> short_weights(10, 3);
    short_weights.w_.resize(4);
    CHECK(what_is_wrong(short_weights).find("'turn'") != std::string::npos);  // as of the node alone
    CHECK(what_check_says(ragged<256>()) == "");
    CHECK(what_check_says(arranged<256>()) == "");
    CHECK(what_check_says(folded<64>()) == "");
    folded<32> too_long;
    CHECK(what_is_wrong(too_long) == "nothing");  // 2 KiB of shared memory for each problem
    too_long.width_ = 1'000;
    CHECK(what_is_wrong(too_long).find("has groups with 16000 bytes of shared memory for each problem: 4 problems share a block, which has 49152; let 64 threads or more solve a problem") != std::string::npos);
    folded<64> negative_width;
    negative_width.width_ = -1;
    CHECK(what_is_wrong(negative_width).find("'sum_of_window'") != std::string::npos);
    ragged<256> no_end;
    no_end.begins_.pop_back();
    CHECK(what_is_wrong(no_end).find("has 5 problems, and 'begins' has 5 elements, not one more") != std::string::npos);
    ragged<256> less_than_none;
    less_than_none.longest_ = -1;
    CHECK(what_is_wrong(less_than_none).find("has problems with 'longest' elements: -1") != std::string::npos);
    ragged<256> beyond;
    beyond.entries_ = 6;
    CHECK(what_is_wrong(beyond).find("has 5 problems with 6 elements of 'of_each<expressions::batches::table>' each, which has 25: not as many for each, or fewer") != std::string::npos);
    relaxed<32> negative(10, 3);
    negative.most_ = -1;
    negative.compute();
    CHECK(what_is_wrong(negative) == "nothing");
}
// Reads of neighbours that a problem may not make.
namespace {
template <int Offset>
struct reads_at {
    void operator()(index_t, neighbours<integer, 1> near_by, integer& to) const { to = near_by.at_or(0, Offset < 2 ? 0 : Offset) + near_by.at(Offset < 2 ? Offset : 0); }
};
template <int Offset>
struct peeping {
    std::vector<integer> x_ = std::vector<integer>(20);
    static constexpr auto expression() {
        return batch(over(4), seq(for_each(over(x), reads_at<0>{})(in(x[near<1>]), out(y[each])), for_each(over(x), reads_at<Offset>{})(in(y[near<1>]), out(x[each]))))(of_each(x));
    }
    template <class Place>
    auto bindings(Place& at) {
        return std::tuple(of_each(x)(at(x_)));
    }
};
}  // namespace
TEST_CASE("batches: reads beyond what a problem has are refused", "[batch]") {
    CHECK(what_is_wrong(peeping<0>()) == "nothing");
    CHECK(what_is_wrong(peeping<1>()).find("'batch'") != std::string::npos);
    CHECK(what_is_wrong(peeping<1>()).find("reads y.at(1) of an element at an edge, which has no such neighbour: test inside(1) first") != std::string::npos);
    CHECK(what_is_wrong(peeping<2>()).find("reads y.at(2), beyond y[near<1>]") != std::string::npos);
    CHECK_THROWS_AS(what_check_says(peeping<1>()), cograph::error);  // as for a node alone
}
TEST_CASE("batches: memory for temps follows the problems that run at once", "[batch]") {
    const auto bytes = [](std::size_t count) {
        stepped<256> c(4'096, count);  // temps do not fit into shared memory
        expressions::host_place place;
        return expressions::with_bindings(c, place, [](auto... b) { return cograph::memory_usage(expressions::expression_of<stepped<256>>, b...).bytes; });
    };
    CHECK(bytes(5'000) - bytes(4'000) == 1'000 * 4'096 * sizeof(integer));  // upto, of all; 1 056 problems run at once
    CHECK(bytes(4) - bytes(3) > 4'096 * sizeof(integer));
}
TEST_CASE("batches: what loops did in all problems", "[batch]") {
    const loop_outcome outcomes[] = {{3, 1, ending::predicate}, {40, 1, ending::limit}, {2, 1, ending::predicate}, {7, 1, ending::overflow}};
    const outcome_summary all = summarize(outcomes, 4);
    CHECK(all.problems == 4);
    CHECK((all.least == 2 && all.largest == 40 && all.sum == 52));
    CHECK((all.limits == 1 && all.overflows == 1));
    CHECK(summarize(outcomes, 0).sum == 0);
    CHECK(summarize(std::vector<loop_outcome>(outcomes, outcomes + 2)).sum == 43);
}
TEST_CASE("batches: pictures and JSON have a node for all problems, and the problem in it", "[batch]") {
    std::ostringstream picture, json;
    cograph::write_dot(picture, stepped<256>::expression());
    const std::string drawn = picture.str();
    const std::size_t node = drawn.find("<b>batch</b>"), box = drawn.find("each problem"), scan = drawn.find("inclusive_scan"), end = drawn.find("\n  }\n  n");
    CHECK((node != std::string::npos && node < box && box < scan && scan < end && end != std::string::npos));
    CHECK(drawn.find("persistent kernel", box) == std::string::npos);  // loops of a problem are parts of its kernel
    cograph::write_json(json, relaxed<32>::expression());
    CHECK(json.str().find("\"kind\": \"kernel\", \"name\": \"batch\"") != std::string::npos);
    CHECK(json.str().find("of_each<expressions::batches::x>") != std::string::npos);
    const std::size_t problem = json.str().find("\"problem\": {\"cograph\": 1");
    REQUIRE(problem != std::string::npos);
    CHECK(json.str().find("\"kind\": \"loop\"", problem) != std::string::npos);
    CHECK(json.str().find("\"lowering\": []", problem) != std::string::npos);
}
