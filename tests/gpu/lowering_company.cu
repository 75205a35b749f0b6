// SPDX-License-Identifier: Apache-2.0
#include "lowered_loops.cuh"

#include <memory>
#include <span>
#include <vector>

// Loops as one kernel beside others, and beside what stays nodes.
namespace {

using namespace lowered_loops;

__global__ void add_one(integer* to) { *to += 1; }

}  // namespace

TEST_CASE("a part that stays nodes, beside one that is a kernel", "[gpu][lowering]") {
    constexpr auto pass =
        seq(for_each(over(x), mix{})(inout(x[each]), in(x[each]), 1), reduce(out(sum), in(x)));
    constexpr auto both =
        seq(as_nodes(repeat(5, pass)), repeat(5, seq(pass, as_nodes(repeat(2, pass)))), repeat(7, pass));
    const int n = 5'000;
    std::vector<integer> expected(n, 3);
    device_array<integer> xs(expected), ys(expected);
    integer total = 0;
    simulate(both, x(std::span(expected)), sum(&total));
    const stream on;
    auto lowered = instantiate(both, x(xs.all()));
    auto plain = instantiate(as_nodes(both), x(ys.all()));
    lowered.launch(on);
    plain.launch(on);
    wait_for(on);
    CHECK((xs.read() == expected));
    CHECK((ys.read() == expected));
    CHECK(lowered.fetch(sum) == total);
    CHECK(plain.fetch(sum) == total);
    CHECK(ways::nodes_of(lowered.graph_ref()) == ways::nodes_of(plain.graph_ref()) - 1);
}

TEST_CASE("a loop that is too large to be one kernel has guarded nodes and shared kernels", "[gpu][lowering]") {
    constexpr auto pass = for_each(over(x), mix{})(inout(x[each]), in(x[each]), 1);
    constexpr auto loop =
        seq(assign(it, 0), loop_while(it < 3, seq(pass, pass, when(it % 2 == 0, pass), reduce(out(most), in(x), maximum{}), count_pass)));
    static_assert(core::most_persistent_elements == 4'194'304, "docs/lowering.md says so");
    std::vector<integer> expected(core::most_persistent_elements + 1, 3);
    device_array<integer> xs(expected);
    integer largest = 0;
    simulate(loop, x(std::span(expected)), most(&largest));
    const stream on;
    auto exec = instantiate(loop, x(xs.all()));
    exec.launch(on);
    wait_for(on);
    CHECK((xs.read() == expected));
    CHECK(exec.fetch(most) == largest);
    CHECK(ways::nodes_of(exec.graph_ref()) == 2);  // one that counts and decides, and the loop
}

TEST_CASE("persistent kernels on several streams at once all end", "[gpu][lowering]") {
    constexpr int count = 6, launches = 3;
    for (const int n : {900, 9'000, 200'000}) {
        DYNAMIC_SECTION(n << " elements") {
            std::vector<std::unique_ptr<ring>> rings;
            std::vector<decltype(rings[0]->make())> execs;
            const stream streams[count];
            for (int i = 0; i < count; ++i) {
                rings.push_back(std::make_unique<ring>(n + i, passes_of(3'000) + i));
                execs.push_back(rings.back()->make());
            }
            for (int launch = 0; launch < launches; ++launch)
                for (std::size_t i = 0; i < count; ++i) execs[i].launch(streams[i]);
            for (const stream& on : streams) wait_for(on);
            for (const auto& one : rings) CHECK(one->went_round(launches));
        }
    }
}

TEST_CASE("persistent kernels beside each other in one graph", "[gpu][lowering]") {
    constexpr auto loop = [](auto from, auto counter) {
        return repeat(passes, seq(for_each(over(from), mix{})(inout(from[each]), in(from[each]), 0),
                                 reduce(out(counter), in(from))));
    };
    constexpr auto both = par(loop(x, sum), loop(y, most));
    const int n = 150'000, many = passes_of(2'000);
    const std::vector<integer> start(n, 3);
    std::vector<integer> expected = start;
    for (int pass = 0; pass < many; ++pass)
        for (integer& value : expected) value = 6 * value % 1019;
    device_array<integer> xs(start), ys(start);
    const stream on;
    auto exec = instantiate(both, x(xs.all()), y(ys.all()), passes(many));
    exec.launch(on);
    wait_for(on);
    CHECK((xs.read() == expected));
    CHECK((ys.read() == expected));
    CHECK(exec.fetch(sum) == n * expected[0]);
    CHECK(exec.fetch(most) == n * expected[0]);
}

TEST_CASE("a persistent kernel in a loop with an opaque kernel", "[gpu][lowering]") {
    constexpr auto mixed =
        seq(assign(trace, 0),
            loop_while(trace < 50, seq(kernel<add_one>(grid(1).block(1))(inout(trace)), around)));
    const stream on;
    for (const int n : {700, 7'000, 70'000}) {
        DYNAMIC_SECTION(n << " elements") {
            const std::vector<integer> start(static_cast<std::size_t>(n));
            device_array<integer> xs(start), ys(start);
            auto exec = instantiate(mixed, x(xs.all()), y(ys.all()), passes(20));
            exec.launch(on);
            exec.launch(on);
            wait_for(on);
            CHECK(exec.fetch(trace) == 50);
            CHECK((xs.read() == std::vector<integer>(static_cast<std::size_t>(n), 2 * 2 * 50 * 20)));
        }
    }
}

// Two conditional nodes side by side in such a loop, and a kernel behind both, hung.
TEST_CASE("a loop of many passes with two branches in it ends", "[gpu][lowering][long]") {
    constexpr auto add_one_to = [](auto to) { return kernel<add_one>(grid(1).block(1))(inout(to)); };
    constexpr auto branches = seq(assign(it, 0), loop_while(it < passes, seq(add_one_to(trace), count_pass, when(it > passes, add_one_to(sum)),
                                                                            when(it > passes + 1, add_one_to(most)))));
    constexpr int many = 20'000;
    const stream on;
    const auto run = [&](const auto& what) {
        device_array<integer> numbers(3);
        auto exec = instantiate(what, trace(numbers.data()), sum(numbers.data() + 1), most(numbers.data() + 2), passes(many));
        for (int launch = 1; launch <= 3; ++launch) {
            exec.launch(on);
            wait_for(on);
            CHECK((numbers.read() == std::vector<integer>{integer{launch} * many, 0, 0}));
            CHECK(exec.iterations(at<1>) == many);
        }
    };
    SECTION("as it is") { run(branches); }
    SECTION("node by node") { run(as_nodes(branches)); }
}
