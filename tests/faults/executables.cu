// SPDX-License-Identifier: Apache-2.0
#include "../device_memory.cuh"
#include "../move_in_space.hpp"
#include "every_call.hpp"

#include <cograph/batch.cuh>
#include <cograph/profile.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

// What else executables do: tell of loops, draw themselves, change and end where another device is current.
namespace executables {

using namespace cograph;
using device_memory::stream;
using every_call::count_of;
using every_call::fail_every_allocation;
using every_call::fail_every_call;
using every_call::holds;
using every_call::words_of;

inline constexpr struct x : buffer<x, double> {} x;
inline constexpr struct y : buffer<y, double> {} y;
inline constexpr struct t : temp<t, double, struct x> {} t;
inline constexpr struct i : scalar<i, int> {} i;
inline constexpr struct total : scalar<total, double> {} total;
inline constexpr struct n : value<n, int> {} n;
inline constexpr struct some : value<some, std::int64_t> {} some;

__global__ void twice(double* values) { values[threadIdx.x] *= 2; }
__global__ void count_up(int count, double* to) { *to = count; }
struct take_int {
    COGRAPH_HD void operator()(index_t, double& to, int count) const { to = count; }
};
struct take_index {
    COGRAPH_HD void operator()(index_t, double& to, index_t count) const { to = static_cast<double>(count); }
};
struct size_of {
    COGRAPH_HD double operator()(index_t, double value) const { return value < 0 ? -value : value; }
};
constexpr auto doubling = kernel<twice>(over(x))(x);
constexpr auto loops = seq(assign(i, 0), label("doubling", loop_while(i < n, seq(doubling, assign(i, i + 1)))));

const std::span<double> xs(reinterpret_cast<double*>(std::uintptr_t{1} << 52), 1000), others(reinterpret_cast<double*>(std::uintptr_t{2} << 52), 1000),
    fewer(reinterpret_cast<double*>(std::uintptr_t{3} << 52), 500);

TEST_CASE("what loops did, whatever call fails", "[faults][executables]") {
    const auto run = [] {
        auto exec = instantiate(loops, x(xs), n(2));
        exec.launch(nullptr);
        exec.iterations("doubling");
        exec.loops();
    };
    CHECK(holds(fail_every_call(run), "cudaMemcpyAsync"));
    fail_every_allocation(run);
}

// Temps of problems that have no room on chip: memory of the graph.
inline constexpr struct ends : buffer<ends, loop_outcome> {} ends;
constexpr auto halves = loop_while(i > 0, seq(copy(in(x), out(t)), copy(in(t), out(x)), assign(i, i / 2)));
constexpr auto all_halves = batch(over(of_each(i)).group<32>(), halves)(of_each(i), of_each(x), report_of_each(ends));
TEST_CASE("a batch, whatever call fails", "[faults][executables]") {
    const std::span<int> is(reinterpret_cast<int*>(std::uintptr_t{4} << 52), 2), one(is.data(), 1);
    const std::span<loop_outcome> to(reinterpret_cast<loop_outcome*>(std::uintptr_t{5} << 52), 2), to_one(to.data(), 1);
    const auto run = [&] {
        auto exec = instantiate(seq(all_halves, repeat(2, all_halves)), of_each(i)(is), of_each(x)(xs), ends(to));
        exec.launch(nullptr);
        exec.update(of_each(i)(one), of_each(x)(fewer), ends(to_one));
        exec.launch(nullptr);
        run_on(nullptr, all_halves, of_each(i)(is), of_each(x)(xs), ends(to));
    };
    every_call::fail_every_call(run);
    fail_every_allocation(run);
    auto exec = instantiate(all_halves, of_each(i)(is), of_each(x)(xs), ends(to));
    CHECK(words_of([&] { exec.update(ends(to_one)); }).find("has 2 problems, and 'ends' has 1 elements, not one for each") != std::string::npos);
    exec.launch(nullptr);  // as it was
    CHECK(words_of([&] { instantiate(all_halves, of_each(i)(is), of_each(x)(xs.first(3)), ends(to)); }).find("not as many for each") != std::string::npos);
}

TEST_CASE("what the loops of all problems did, whatever call fails", "[faults][executables]") {
    const std::span<int> is(reinterpret_cast<int*>(std::uintptr_t{4} << 52), 2);
    loop_outcome outcomes[] = {{3, 1, ending::predicate}, {40, 1, ending::limit}};  // the runtime copies what is there
    const std::span<loop_outcome> to(outcomes);
    const auto run = [&] {
        auto exec = instantiate(all_halves, of_each(i)(is), of_each(x)(xs), ends(to));
        exec.launch(nullptr);
        const outcome_summary all = summarize(exec, ends);
        CHECK((all.problems == 2 && all.least == 3 && all.largest == 40 && all.sum == 43 && all.limits == 1 && all.overflows == 0));
        exec.update(of_each(i)(is.first(0)), of_each(x)(xs.first(0)), ends(to.first(0)));
        const outcome_summary none = summarize(exec, ends);
        CHECK(none.problems == 0);
    };
    CHECK(holds(every_call::calls_of(run), "cudaMemcpyAsync"));
    fail_every_call(run);
    fail_every_allocation(run);
    auto exec = instantiate(all_halves, of_each(i)(is), of_each(x)(xs), ends(to));
    const auto other = std::move(exec);
    CHECK(words_of([&] { summarize(exec, ends); }).find("was moved away") != std::string::npos);
}
inline constexpr struct other_ends : buffer<other_ends, loop_outcome> {} other_ends;
TEST_CASE("the loops of problems are listed, whatever call fails", "[faults][executables]") {
    // In program order: one without a label; two in one batch, of which the inner one reports; one outside of batches.
    static constexpr auto nested = label("outer", loop_while(i > 0, seq(copy(in(x), out(t)), label("inner", repeat(3, copy(in(t), out(x)))), assign(i, i / 2))));
    static constexpr auto e = seq(all_halves, label("outside", repeat(2, seq(batch(over(of_each(i)).group<32>(), nested)(of_each(i), of_each(x), report_of_each(other_ends, at<2>))))));
    const std::span<int> is(reinterpret_cast<int*>(std::uintptr_t{4} << 52), 2);
    loop_outcome first[] = {{3, 1, ending::predicate}, {40, 1, ending::limit}}, second[] = {{6, 2, ending::predicate}, {9, 3, ending::predicate}};
    const auto run = [&] {
        auto exec = instantiate(e, of_each(i)(is), of_each(x)(xs), ends(std::span(first)), other_ends(std::span(second)));
        exec.launch(nullptr);
        const auto found = loops_of_problems(exec);
        static_assert(found.count == 3);
        CHECK((found.labels[0] == nullptr && found.is_reported[0] && found.loops[0].sum == 43));
        CHECK((std::string(found.labels[1]) == "outer" && !found.is_reported[1] && found.loops[1].problems == 0));
        CHECK((std::string(found.labels[2]) == "inner" && found.is_reported[2] && found.loops[2].sum == 15));
        CHECK(found.of("inner").largest == 9);
    };
    CHECK(holds(every_call::calls_of(run), "cudaMemcpyAsync"));
    fail_every_call(run);
    fail_every_allocation(run);
    auto exec = instantiate(e, of_each(i)(is), of_each(x)(xs), ends(std::span(first)), other_ends(std::span(second)));
    const auto found = loops_of_problems(exec);
    CHECK(words_of([&] { found.of("outer"); }).find("'outer' reports to no buffer: give its batch report_of_each(ends, selector)") != std::string::npos);
    CHECK(words_of([&] { found.of("outside"); }).find("is the label of no loop in this expression") != std::string::npos);
    CHECK(exec.loops().labels[0] == std::string("outside"));
    static_assert(decltype(loops_of_problems(instantiate(doubling, x(xs))))::count == 0);
    static_assert(diagnose<decltype(loops_of_problems(e))> == reason::arguments_are_not_those_of<core::loops_of_problems_call, decltype(e)::self>{});
}
TEST_CASE("a profile of a batch, whatever call fails", "[faults][executables]") {
    const std::span<int> is(reinterpret_cast<int*>(std::uintptr_t{4} << 52), 2);
    const std::span<loop_outcome> to(reinterpret_cast<loop_outcome*>(std::uintptr_t{5} << 52), 2);
    const stream on;
    constexpr auto twice_all = seq(label("all of them", all_halves), all_halves);
    const auto times = profile(on, twice_all, of_each(i)(is), of_each(x)(xs), ends(to));
    const node_time& of_batch = times.of(at<0>);
    CHECK(of_batch.calls == 1);
    CHECK(std::string(of_batch.where.name.data, of_batch.where.name.size) == "all of them");
    every_call::fail_every_call([&] { profile(on, twice_all, of_each(i)(is), of_each(x)(xs), ends(to)); }, every_call::check_told);
    fail_every_allocation([&] { profile(on, twice_all, of_each(i)(is), of_each(x)(xs), ends(to)); });
}

TEST_CASE("clusters solve problems, whatever call fails", "[faults][executables]") {
    static constexpr auto e = batch(in_clusters<4>(over(of_each(i))), halves)(of_each(i), of_each(x));
    const std::span<int> is(reinterpret_cast<int*>(std::uintptr_t{4} << 52), 2), one(is.data(), 1);
    const auto run = [&] {
        auto exec = instantiate(e, of_each(i)(is), of_each(x)(xs));
        exec.launch(nullptr);
        exec.update(of_each(i)(one), of_each(x)(fewer));
        exec.launch(nullptr);
    };
    fail_every_call(run);
    fail_every_allocation(run);
    fake_runtime::expect({});
    run_on(nullptr, e, of_each(i)(is), of_each(x)(xs));
    const cudaLaunchAttributeValue* const cluster = fake_runtime::asked_of_launch(0, cudaLaunchAttributeClusterDimension);
    CHECK((cluster && cluster->clusterDim.x == 4 && cluster->clusterDim.y == 1));
    CHECK(holds(every_call::calls_of([&] { instantiate(e, of_each(i)(is), of_each(x)(xs)); }), "cudaFuncGetAttributes"));
}
TEST_CASE("clusters need code that has them", "[faults][executables]") {
    static constexpr auto e = batch(in_clusters<4>(over(of_each(i))), halves)(of_each(i), of_each(x));
    const std::span<int> is(reinterpret_cast<int*>(std::uintptr_t{4} << 52), 2);
    fake_runtime::expect({});
    fake_runtime::set_code_version(80);
    const std::string why = words_of([&] { instantiate(e, of_each(i)(is), of_each(x)(xs)); }), why_eagerly = words_of([&] { run_on(nullptr, e, of_each(i)(is), of_each(x)(xs)); });
    instantiate(all_halves, of_each(i)(is), of_each(x)(xs), ends(std::span(reinterpret_cast<loop_outcome*>(std::uintptr_t{5} << 52), 2)));  // blocks do not
    fake_runtime::set_code_version(90);
    CHECK(why.find("'batch'") != std::string::npos);
    CHECK(why.find("needs a GPU of compute capability 9.0 and code for it, and this program's code for the GPU here is for 8.0: compile with -arch=sm_90") != std::string::npos);
    CHECK(why_eagerly == why);
    fake_runtime::set_code_version(103);
    instantiate(e, of_each(i)(is), of_each(x)(xs));
    fake_runtime::set_code_version(90);
}

struct note_length {
    template <class Group>
    COGRAPH_HD void operator()(Group const& group, index_t, double* memory, double& to, index_t count) const {
        group.for_each(count, [&](index_t k) { memory[k] = 1; });
        to = memory[0];
    }
};
TEST_CASE("groups in a batch ask for shared memory, whatever call fails", "[faults][executables]") {
    static constexpr auto e = batch(over(2).group<64>(), for_each(over(x).group<16>().shared<double>(extent(x)), note_length{})(out(x[each]), extent(x)))(of_each(x));
    CHECK(!holds(every_call::calls_of([] { instantiate(e, of_each(x)(xs)); }), "cudaFuncSetAttribute"));  // 500 doubles for each of four groups
    const std::span<double> many(xs.data(), 20'000);
    const auto run = [&] {
        auto exec = instantiate(e, of_each(x)(many));  // one group at a time
        exec.launch(nullptr);
        exec.update(of_each(x)(xs));
        run_on(nullptr, e, of_each(x)(many));
    };
    CHECK(holds(every_call::calls_of(run), "cudaFuncSetAttribute"));
    fail_every_call(run);
    fail_every_allocation(run);
    CHECK(words_of([&] { instantiate(e, of_each(x)(std::span<double>(xs.data(), 100'000))); }).find("shared memory for each group") != std::string::npos);
}

TEST_CASE("whether a launch has ended is asked of an event behind it, whatever call fails", "[faults][executables]") {
    const stream on;
    auto exec = instantiate(doubling, x(xs));
    CHECK(every_call::calls_of([&] { CHECK(exec.query()); }).empty());
    CHECK(every_call::calls_of([&] { exec.wait(); }).empty());
    exec.launch(on);
    CHECK(exec.query());
    CHECK(holds(every_call::names_of_calls(), "cudaEventRecord"));
    CHECK(!holds(every_call::calls_of([&] { exec.query(), exec.wait(); }), "cudaEventRecord"));  // it is behind the launch already
    exec.launch(on);
    CHECK(holds(every_call::calls_of([&] { exec.wait(); }), "cudaEventRecord"));
    const auto check_told_or_waits = [](const every_call::outcome& seen, const std::string& call, fake_runtime::failure which) {
        if (!every_call::is_one_of(call, {"cudaEventQuery", "cudaEventSynchronize"})) every_call::check_told(seen, call, which);
    };
    every_call::fail_every_call([&] {
        auto other = instantiate(doubling, x(xs));
        other.launch(on);
        other.query();
        other.wait();
    }, check_told_or_waits);
}

TEST_CASE("a graph is instantiated again after its owner changed it, whatever call fails", "[faults][executables]") {
    const auto run = [] {
        auto exec = instantiate(seq(label("first", doubling), label("second", fill(out(y), 1))), x(xs), y(others));
        exec.disable("first");
        exec.update(y(fewer));
        cudaGraphNode_t node = nullptr;
        cudaGraphNodeParams nothing{};
        nothing.type = cudaGraphNodeTypeEmpty;
        core::check(core::add_node(&node, exec.graph_ref(), nullptr, nullptr, 0, &nothing), "cudaGraphAddNode", {"test", "here", 1});
        const cudaGraphExec_t before = exec.exec_ref();
        try {
            exec.instantiate_again();
        } catch (...) {
            CHECK(exec.exec_ref() == before);
            throw;
        }
        CHECK(!exec.is_enabled(at<0>));
        exec.launch(nullptr);
    };
    every_call::fail_every_call(run);
    auto with_loop = instantiate(loops, x(xs), n(2));
    CHECK(words_of([&] { with_loop.instantiate_again(); }).find("is asked of a graph with conditional nodes, which CUDA instantiates only once") != std::string::npos);
    with_loop.launch(nullptr);
}

TEST_CASE("the memory of an executable is handed to another one", "[faults][executables]") {
    const pool shared;
    auto exec = instantiate(seq(copy(in(x), out(t)), copy(in(t), out(x))), use(shared), x(xs));
    const std::size_t bytes = shared.bytes();
    auto other = instantiate(seq(copy(in(x), out(t)), copy(in(t), out(x))), exec.memory(), x(others));
    CHECK(bytes > 0);
    CHECK(shared.bytes() == bytes);
    CHECK(other.memory().shared->memory.get() == exec.memory().shared->memory.get());
}

// Values that are bound as they were change nothing. Views count no elements, so a new one is told to the nodes that take it, and asks the
// driver nothing else.
struct table {
    const double* entries;
};
inline constexpr struct entries : view<entries, table> {} entries;
struct take_entry {
    COGRAPH_HD void operator()(index_t at, table from, double& to) const { to += from.entries[at]; }
};
TEST_CASE("an update of equal values and one of a view are short, whatever call fails", "[faults][executables]") {
    const auto e = seq(fill(out(x), 1), loop_while(i < n, seq(for_each(over(x), take_entry{})(in(entries), inout(x[each])), assign(i, i + 1))));
    static_assert(is_persistent(e, at<1>));
    auto exec = instantiate(e, x(xs), i(reinterpret_cast<int*>(std::uintptr_t{4} << 52)), n(2), entries(table{others.data()}));
    exec.update(entries(table{fewer.data()}));  // the first update looks at each node's launch
    const auto calls = [&](auto... bindings) {
        std::vector<std::string> made = every_call::calls_of([&] { exec.update(bindings...); });
        std::erase(made, "cudaGetDevice");
        return made;
    };
    using words = std::vector<std::string>;
    CHECK(calls(n(2), entries(table{fewer.data()})) == words{});
    CHECK(calls(n(2), entries(table{others.data()})) == words{"cudaGraphExecKernelNodeSetParams"});
    CHECK(calls(n(2), entries(table{others.data()})) == words{});
    CHECK(holds(calls(n(3), entries(table{others.data()})), "cudaGraphExecKernelNodeSetParams"));
    CHECK(calls(n(3)) == words{});
    exec.launch(nullptr);
    fail_every_call([&] {
        auto fresh = instantiate(e, x(xs), i(reinterpret_cast<int*>(std::uintptr_t{4} << 52)), n(2), entries(table{others.data()}));
        fresh.update(n(2), entries(table{fewer.data()}));
        fresh.update(n(2), entries(table{others.data()}));
        fresh.update(n(4), entries(table{others.data()}));
        fresh.launch(nullptr);
    });
}

inline constexpr struct passes : value<passes, int> {
    static constexpr int initial = 3;
} passes;
TEST_CASE("a value with an initial value is bound anew, and its declaration stays, whatever call fails", "[faults][executables]") {
    const auto run = [] {
        auto exec = instantiate(repeat(passes, doubling), x(xs));
        exec.launch(nullptr);
        exec.update(passes(5));
        exec.launch(nullptr);
        auto other = instantiate(fill(out(x), passes), x(xs), passes(2));
        other.update(passes(1));
        run_on(nullptr, fill(out(x), passes), x(xs));
    };
    every_call::fail_every_call(run);
    every_call::fail_every_allocation(run);
    CHECK(passes.initial == 3);
}

// A scalar that the executable owns is zero at first, and no kernel runs here.
struct bound {
    double of;
    COGRAPH_HD explicit constexpr bound(double is) : of(is) {}
};
inline constexpr struct limit : scalar<limit, bound> {} limit;
struct set_to {
    COGRAPH_HD void operator()(bound& to, bound from) const { to = from; }
};
TEST_CASE("a scalar is fetched whose type nothing makes by default", "[faults][executables]") {
    auto exec = instantiate(single_task(set_to{})(out(limit), bound(3)));
    exec.launch(nullptr);
    CHECK(exec.fetch(limit).of == 0);
}

TEST_CASE("what loops did is asked by a label that one loop has", "[faults][executables]") {
    auto exec = instantiate(seq(loops, label("again", repeat(2, doubling)), label("again", repeat(3, doubling))), x(xs), n(2));
    exec.launch(nullptr);
    exec.iterations("doubling");
    CHECK(words_of([&] { exec.iterations("again"); }) == "cograph: 'again' is the label of several loops: ask by a selector");
    CHECK(words_of([&] { exec.entries("nothing"); }) == "cograph: 'nothing' is the label of no loop in this expression");
    const auto report = exec.loops();
    CHECK(report.iterations("doubling") == report.iterations(at<1>));
    CHECK(words_of([&] { report.ended_by("again"); }) == "cograph: 'again' is the label of several loops: ask by a selector");
    const auto of_stream = run_on(nullptr, label("three", repeat(3, doubling)), x(xs));
    CHECK(of_stream.iterations("three") == of_stream.iterations(at<0>));
    CHECK(words_of([&] { of_stream.entries("four"); }) == "cograph: 'four' is the label of no loop in this expression");
}

TEST_CASE("an executable tells which of its loops are kernels, by label or selector", "[faults][executables]") {
    const auto e = seq(fill(out(x), 2), label("filling", repeat(2, label("inner", repeat(3, seq(fill(out(x), 1), fill(out(x), 3)))))), label("doubling", repeat(2, doubling)));
    auto exec = instantiate(e, x(xs));
    CHECK(is_persistent(exec, "filling"));
    CHECK(is_persistent(exec, "inner"));
    CHECK(is_persistent(exec, at<2>));
    CHECK(why_not_persistent(exec, at<0>) == lowering_status::not_in_a_loop);
    CHECK(why_not_persistent(exec, "doubling") == lowering_status::opaque_node);
    CHECK(why_not_persistent(instantiate(as_nodes(e), x(xs)), "filling") == lowering_status::lowering_disabled);
    CHECK(words_of([&] { is_persistent(exec, "nothing"); }) == "cograph: 'nothing' is the label of no loop in this expression");

    CHECK(why_no_tiles(exec, "filling") == tile_status::reads_no_neighbours);
    CHECK(why_no_tiles(exec, "doubling") == tile_status::is_not_one_kernel);

    const auto of_many = instantiate(e, x(xs.data(), (std::size_t{1} << 22) + 1));
    CHECK(!is_persistent(of_many, "inner"));
    CHECK(why_not_persistent(of_many, "filling") == lowering_status::too_many_elements);
    CHECK(why_not_persistent(of_many, at<3>) == lowering_status::too_many_elements);
    CHECK(why_not_persistent(of_many, "doubling") == lowering_status::opaque_node);
    CHECK(is_persistent(e, "filling"));  // extents aside

    // One kernel has the loops with all their nodes, or the two nodes at the same elements.
    CHECK((share_kernel(exec, at<3>, at<4>) && share_kernel(exec, at<1>, at<4>) && !share_kernel(exec, at<0>, at<3>)));
    CHECK((share_kernel(of_many, at<3>, at<4>) && !share_kernel(of_many, at<1>, at<4>) && !share_kernel(of_many, at<0>, at<3>)));
    CHECK_FALSE(share_kernel(instantiate(as_nodes(e), x(xs)), at<3>, at<4>));
}
TEST_CASE("a loop that reads neighbours in three dimensions: tiles, one kernel without tiles, or a kernel for each node", "[faults][executables]") {
    constexpr auto cube = over(n, n, n);
    constexpr auto there = for_each(cube, move_in_space{})(in(x[near<1, 1, 1>]), out(y[each]));
    constexpr auto back = for_each(cube, move_in_space{})(in(y[near<1, 1, 1>]), out(x[each]));
    constexpr auto moving = label("moving", repeat(3, seq(there, back, there, back)));
    constexpr auto filling = label("filling", repeat(3, seq(fill(out(t), 1), fill(out(t), 2))));
    const auto made = [](const auto& e, int side) {
        const auto count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
        return instantiate(e, x(xs.data(), count), y(others.data(), count), n(side));
    };
    const auto in_one_kernel = [&](const auto& e, int side) {
        const auto exec = made(e, side);
        return is_persistent(exec, "moving") && why_not_persistent(exec, "moving") == lowering_status::persistent;
    };
    CHECK((in_one_kernel(moving, 64) && in_one_kernel(moving, 116)));
    CHECK(!in_one_kernel(moving, 117));  // more than 3 * 2^19 elements
    CHECK(in_one_kernel(seq(filling, moving), 117));  // the other loop is one kernel, too
    CHECK(!in_one_kernel(seq(filling, moving), 162));  // more than 2^22
    // Two steps share a pass over memory where an array has more than 24 MiB, and of two nodes in an iteration more than 12.
    const auto shares = [&](const auto& e, int side) { return share_kernel(made(e, side), at<1>, at<2>); };
    CHECK((!shares(moving, 117) && !shares(moving, 146) && shares(moving, 147)));
    constexpr auto by_turns = label("moving", repeat(3, seq(there, back)));
    CHECK((in_one_kernel(by_turns, 116) && !in_one_kernel(by_turns, 117) && shares(by_turns, 117)));
}
struct move_in_plane {
    COGRAPH_HD void operator()(index_t, index_t, neighbours<double, 1, 1> from, double& to) const { to = *from; }
};
TEST_CASE("a loop of steps by turns over a box of two dimensions: tiles, or steps that share passes", "[faults][executables]") {
    constexpr auto square = over(n, n);
    constexpr auto there = for_each(square, move_in_plane{})(in(x[near<1, 1>]), out(y[each]));
    constexpr auto back = for_each(square, move_in_plane{})(in(y[near<1, 1>]), out(x[each]));
    constexpr auto moving = label("moving", repeat(3, seq(there, back, there, back)));
    const auto made = [&](int side) {
        const std::size_t count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
        return instantiate(moving, x(xs.data(), count), y(others.data(), count), n(side));
    };
    CHECK((is_persistent(made(2048), "moving") && is_persistent(made(2508), "moving")));
    const auto large = made(2509);  // one array has more than 48 MiB
    CHECK((!is_persistent(large, "moving") && share_kernel(large, at<1>, at<2>) && !share_kernel(large, at<2>, at<3>)));
    // So do iterations of two steps.
    const auto turning = [&](int side) {
        const std::size_t count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
        return instantiate(repeat(9, seq(there, back)), x(xs.data(), count), y(others.data(), count), n(side));
    };
    const auto copying = [&](int side) {
        const std::size_t count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
        return is_persistent(instantiate(repeat(9, seq(there, copy(in(y), out(x)))), x(xs.data(), count), y(others.data(), count), n(side)), at<0>);
    };
    CHECK((copying(2709) && !copying(2710)));  // 56 MiB
    // Boxes of numbers have to be equal, of both passes.
    const auto to_y = [](int rows) { return for_each(over(rows, 2509), move_in_plane{})(in(x[near<1, 1>]), out(y[each])); };
    const auto to_x = [](int rows) { return for_each(over(rows, 2509), move_in_plane{})(in(y[near<1, 1>]), out(x[each])); };
    const auto share = [&](const auto& nodes) { return share_kernel(instantiate(repeat(9, nodes), x(xs.data(), 2509 * 2509), y(others.data(), 2509 * 2509)), at<1>, at<2>); };
    CHECK((share(seq(to_y(2509), to_x(2509))) && !share(seq(to_y(2509), to_x(2508)))));
    CHECK((share(seq(to_y(2509), to_x(2509), to_y(2509), to_x(2509))) && !share(seq(to_y(2509), to_x(2509), to_y(2508), to_x(2508)))));
    CHECK((is_persistent(turning(2508), at<0>) && !is_persistent(turning(2509), at<0>) && share_kernel(turning(2509), at<1>, at<2>)));
}
static_assert(diagnose<decltype(is_persistent(std::declval<executable<decltype(loops)::self>>(), std::string()))> ==
              reason::text_of_a_label_is_no_const_char_pointer<std::string>{});
static_assert(diagnose<decltype(why_not_persistent(std::declval<executable<decltype(loops)::self>>(), at<9>))> ==
              reason::selector_matches_nothing<core::at_t<9>, reason::among_nodes<4>>{});
static_assert(diagnose<decltype(why_no_tiles(std::declval<executable<decltype(loops)::self>>(), at<9>))> ==
              reason::selector_matches_nothing<core::at_t<9>, reason::among_nodes<4>>{});
static_assert(diagnose<decltype(share_kernel(std::declval<executable<decltype(loops)::self>>(), at<0>, at<9>))> ==
              reason::selector_matches_nothing<core::at_t<9>, reason::among_nodes<4>>{});

TEST_CASE("extents that a node needs to be equal are so in a kernel of several nodes, too", "[faults][executables]") {
    const auto to_y = copy(in(x), out(y));
    const auto check = [&](const auto& e, std::span<double> ys, const std::string& what) {
        const std::string words = words_of([&] { instantiate(e, x(xs), y(ys)); });
        INFO(words);
        CHECK(words.find(what) != std::string::npos);
    };
    const auto fused = seq(fill(out(x), 1), to_y);
    const std::string of_fewer = "needs extents that are equal: 'y' has 500 elements, and it runs over 1000";
    check(to_y, fewer, "cograph: 'copy' (");
    check(fused, fewer, "cograph: 'copy' (");
    check(fused, fewer, of_fewer);
    check(repeat(2, fused), fewer, of_fewer);
    check(fused, std::span<double>(others.data(), 2000), "needs extents that are equal: 'y' has 2000 elements, and it runs over 1000");
    CHECK(node_count(fused) == 2);
    auto exec = instantiate(fused, x(xs), y(others));
    CHECK(words_of([&] { exec.update(y(fewer)); }).find("needs extents that are equal: 'y' has 500 elements") != std::string::npos);
}

TEST_CASE("a temp that is only partly written is refused in every way to run, and changes nothing", "[faults][executables]") {
    const auto write_some = for_each(over(some), take_index{})(out(t[each]), extent(x));
    const auto check = [&](const auto& e, auto... more) {
        const auto is_refused = [](const auto& run) {
            return words_of(run).find(" reads more than 999 elements of 't', which is only partly written: write all of it first, or declare it only as long as "
                                      "its written elements") != std::string::npos;
        };
        CHECK(is_refused([&] { instantiate(e, x(xs), some(999), more...); }));
        CHECK(is_refused([&] { run_on(nullptr, e, x(xs), some(999), more...); }));
        auto exec = instantiate(e, x(xs), some(1000), more...);
        CHECK(is_refused([&] { exec.update(some(999)); }));
        exec.update(x(fewer), some(500));
        exec.launch(nullptr);
    };
    check(seq(write_some, copy(in(t), out(x))));
    check(repeat(2, seq(write_some, copy(in(t), out(x)))));
    check(as_nodes(when(i > 0, seq(write_some, copy(in(t), out(x))), otherwise(assign(i, 1)))), i(reinterpret_cast<int*>(std::uintptr_t{4} << 52)));
}

TEST_CASE("a null pointer in place of a label is an error, and changes nothing", "[faults][executables]") {
    auto exec = instantiate(seq(fill(out(x), 1), loops), x(xs), n(2));
    exec.launch(nullptr);
    const char* const none = nullptr;
    for (const auto& words : {words_of([&] { exec.iterations(none); }), words_of([&] { exec.entries(none); }), words_of([&] { exec.ended_by(none); }),
                              words_of([&] { exec.loops().iterations(none); })})
        CHECK(words == "cograph: A null pointer is the label of no loop.");
    CHECK(words_of([&] { exec.disable(none); }) == "cograph: A null pointer is the label of no node.");
    CHECK(words_of([&] { exec.enable(none); }) == "cograph: A null pointer is the label of no node.");
    CHECK(exec.is_enabled(at<0>));
    exec.launch(nullptr);
}

TEST_CASE("an extent that its parameter does not hold is refused in every way to run, and changes nothing", "[faults][executables]") {
    const std::span<double> many(xs.data(), std::size_t{5} << 30), most(xs.data(), (std::size_t{1} << 31) - 1);
    const auto check_refused = [&](const auto& e, const std::string& node, const std::string& in_graph) {
        const auto check_words = [&](const auto& run, const std::string& named) {
            const std::string words = words_of(run);
            CHECK(words.find("cograph: '" + named + "' (") == 0);
            CHECK(words.find(" takes extent(x) as an integer that holds at most 2147483647, and there are 5368709120 elements: take index_t") != std::string::npos);
        };
        check_words([&] { instantiate(e, x(many)); }, in_graph);
        check_words([&] { instantiate(as_nodes(e), x(many)); }, node);
        check_words([&] { run_on(nullptr, e, x(many)); }, node);
        auto exec = instantiate(e, x(most));
        check_words([&] { exec.update(x(many)); }, in_graph);
        exec.launch(nullptr);
    };
    check_refused(kernel<count_up>(grid(1))(extent(x), x), "count_up", "count_up");
    const auto take = label("take", for_each(over(10), take_int{})(out(x[each]), extent(x)));
    check_refused(take, "take", "take");
    check_refused(seq(for_each(over(10), take_index{})(out(x[each]), extent(x)), take), "take", "take");
    check_refused(repeat(3, take), "take", "repeat");  // as one kernel
}

TEST_CASE("a formula's number reaches its kernels when what it is over changes, and no others", "[faults][executables]") {
    const auto counted = [](auto formula) { return kernel<count_up>(grid(1))(formula, out(y)); };
    const auto e = seq(counted(extent(x) - n), counted(n / 16), counted(n % 7 - 1), counted(extent(y) / 2));
    auto exec = instantiate(as_nodes(e), x(xs), y(others), n(3));
    using numbers = std::vector<int>;
    const auto told = [&] {
        std::size_t count = 4;
        cudaGraphNode_t nodes[4] = {};
        REQUIRE(cudaGraphGetNodes(exec.graph_ref(), nodes, &count) == cudaSuccess);
        numbers all;
        for (int at = 3; at >= 0; --at) all.push_back(static_cast<int>(fake_runtime::first_parameter(nodes[at])));  // 0 where nothing was told
        return all;
    };
    const auto told_by = [&](auto... bindings) {
        fake_runtime::expect();
        exec.update(bindings...);
        return count_of("cudaGraphExecKernelNodeSetParams");
    };
    CHECK(told_by(n(4)) == 2);
    CHECK(told() == numbers{996, 0, 3, 0});
    CHECK(told_by(n(11)) == 1);
    CHECK(told() == numbers{989, 0, 3, 0});
    CHECK(told_by(n(11)) == 0);
    CHECK(told_by(x(fewer)) == 1);
    CHECK(told() == numbers{489, 0, 3, 0});
    CHECK(words_of([&] { exec.update(n(-2147483647)); }).find(" takes a formula over 'x', 'n' that is 2147484147, which its type int cannot hold") !=
          std::string::npos);
    CHECK(told() == numbers{489, 0, 3, 0});
    const auto take = label("take", for_each(over(10), take_int{})(out(x[each]), extent(x) - n));
    const auto fused = seq(for_each(over(10), take_index{})(out(x[each]), extent(x) - 1), take);
    for (const std::string& words : {words_of([&] { instantiate(fused, x(xs), n(-2147483647)); }), words_of([&] { run_on(nullptr, fused, x(xs), n(-2147483647)); })})
        CHECK(words.find("cograph: 'take' (") == 0);
    CHECK(words_of([&] { instantiate(repeat(3, fused), x(xs), n(-2147483647)); }).find("cograph: 'repeat' (") == 0);
    CHECK(told_by(n(33), x(xs)) == 3);
    CHECK(told() == numbers{967, 2, 4, 0});
    exec.launch(nullptr);
    CHECK(holds(fail_every_call([&] {
                    auto fresh = instantiate(e, x(xs), y(others), n(3));
                    fresh.launch(nullptr);
                    fresh.update(n(40));
                    fresh.launch(nullptr);
                }),
                "cudaGraphExecKernelNodeSetParams"));
}

TEST_CASE("each node that takes a variable is told, beside a sum over a part outside of loops", "[faults][executables]") {
    int count = 0, other = 0;
    double sum = 0;
    const auto add = transform_reduce(over(x).first(i), size_of{}, plus{})(out(total), in(x[each]));
    auto exec = instantiate(as_nodes(seq(assign(i, 3), when(i > 2, fill(out(x), 1)), add)), x(xs), i(&count), total(&sum));
    fake_runtime::expect();
    exec.update(i(&other));
    CHECK(count_of("cudaGraphExecKernelNodeSetParams") == 3);
}

TEST_CASE("memory that moves is told to the nodes that take its address, not to those that count it", "[faults][executables]") {
    const std::span<double> moved(reinterpret_cast<double*>(std::uintptr_t{4} << 52), 1000);
    const auto e = seq(doubling, kernel<count_up>(grid(1))(extent(x), out(y)), kernel<count_up>(over(x))(extent(y), out(y)));
    auto exec = instantiate(as_nodes(e), x(xs), y(others));
    const auto told_by = [&](std::span<double> to) {
        fake_runtime::expect();
        exec.update(x(to));
        return count_of("cudaGraphExecKernelNodeSetParams");
    };
    CHECK(told_by(moved) == 1);
    CHECK(told_by(fewer) == 3);
    CHECK(told_by(xs) == 3);
    CHECK(told_by(xs) == 0);
}

TEST_CASE("a kernel over as many elements as a formula says has another shape when that changes", "[faults][executables]") {
    const auto e = kernel<twice>(over<extent(x) / n>().block(100))(y);
    auto exec = instantiate(e, x(xs), y(others), n(2));
    const auto blocks = [&] {
        std::size_t count = 1;
        cudaGraphNode_t node = nullptr;
        REQUIRE(cudaGraphGetNodes(exec.graph_ref(), &node, &count) == cudaSuccess);
        return fake_runtime::shape_of(node).blocks;
    };
    exec.update(n(5));
    CHECK(blocks() == 2);
    exec.update(x(fewer), n(1));
    CHECK(blocks() == 5);
    CHECK(words_of([&] { exec.update(n(0)); }) == "cograph: 'over<...>' has a size that divides by zero");
    CHECK(words_of([&] { exec.update(n(-1)); }).find(" runs over a negative number of elements: -500") != std::string::npos);
    CHECK(blocks() == 5);
    exec.update(n(3));
    CHECK(blocks() == 2);
    exec.launch(nullptr);
}

TEST_CASE("CUDA's own picture of a graph, whatever call fails", "[faults][executables]") {
    const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/cograph_fault_tests.dot";
    CHECK(holds(fail_every_call([&] { write_cuda_dot(instantiate(loops, x(xs), n(2)), path.c_str()); }), "cudaGraphDebugDotPrint"));
    CHECK(std::ifstream(path).good());
    std::remove(path.c_str());
    CHECK(words_of([] { write_cuda_dot(instantiate(loops, x(xs), n(2)), "/no/such/folder/picture.dot"); }).find("cudaGraphDebugDotPrint failed: ") != std::string::npos);
}

// What the kernels of a graph that was asked for take first, bodies left out.
std::vector<std::uintptr_t> taken_in(cudaGraph_t graph) {
    cudaGraphNode_t nodes[8] = {};
    std::size_t count = 8;
    CHECK(cudaGraphGetNodes(graph, nodes, &count) == cudaSuccess);
    std::vector<std::uintptr_t> all;
    for (std::size_t node = 0; node < count; ++node) all.push_back(fake_runtime::first_parameter_in_graph(nodes[node]));
    return all;
}

TEST_CASE("a graph that is asked for is of the memory that is bound now", "[faults][executables]") {
    const auto of = [](const std::span<double>& memory) { return reinterpret_cast<std::uintptr_t>(memory.data()); };
    SECTION("behind an update") {
        auto exec = instantiate(seq(doubling, doubling), x(xs));
        const cudaGraph_t graph = exec.graph_ref();
        fake_runtime::expect();
        exec.graph_ref();
        CHECK(fake_runtime::calls() == 0);
        exec.update(x(others));
        CHECK(exec.graph_ref() == graph);
        CHECK(taken_in(graph) == std::vector<std::uintptr_t>(2, of(others)));
        exec.update(x(fewer));
        fake_runtime::expect();
        exec.graph_ref();
        CHECK(count_of("cudaGraphKernelNodeSetParams") == 2);
        exec.graph_ref();
        CHECK(count_of("cudaGraphKernelNodeSetParams") == 2);
        CHECK(taken_in(graph) == std::vector<std::uintptr_t>(2, of(fewer)));
    }
    SECTION("that the device does") {
        const auto nodes = seq(doubling, doubling, doubling, doubling, doubling, doubling, doubling, doubling);
        auto exec = instantiate(seq(nodes, nodes), device_updatable(x(xs)));
        exec.update(x(others));
        cudaGraphNode_t all[17] = {};
        std::size_t count = 17;
        CHECK(cudaGraphGetNodes(exec.graph_ref(), all, &count) == cudaSuccess);
        REQUIRE(count == 17);  // one writes into the others
        CHECK(std::count_if(all, all + 17, [&](cudaGraphNode_t node) { return fake_runtime::first_parameter_in_graph(node) == of(others); }) == 16);
    }
    SECTION("in CUDA's own picture, whatever call fails") {
        const std::string path = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/cograph_fault_tests_updated.dot";
        const auto names = fail_every_call([&] {
            auto exec = instantiate(loops, x(xs), n(2));
            exec.update(x(others), n(3));
            write_cuda_dot(exec, path.c_str());
        });
        CHECK(std::count(names.begin(), names.end(), "cudaGraphKernelNodeSetParams") > 2);  // what is in the body, too
        std::remove(path.c_str());
    }
    SECTION("but for a captured call that was captured anew") {
        const auto call = [](cudaStream_t on, double* to) { twice<<<1, 1, 0, on>>>(to); };
        auto exec = instantiate(seq(doubling, captured(call)(inout(x))), x(xs));
        exec.graph_ref();
        exec.update(x(others));
        const std::string refusal = "was captured again by an update, which changed the executable and not its graph: ask for the graph before it is updated";
        CHECK(words_of([&] { exec.graph_ref(); }).find(refusal) != std::string::npos);
        CHECK(words_of([&] { write_cuda_dot(exec, "picture.dot"); }).find(refusal) != std::string::npos);
    }
}

TEST_CASE("what was moved away says so, whatever it is asked for", "[faults][executables]") {
    auto exec = instantiate(loops, x(xs), n(2));
    const auto kept = std::move(exec);
    const auto check_refused = [](const auto& run) {
        CHECK(words_of(run) == "cograph: This executable was moved away: use the one that it was moved to.");
    };
    check_refused([&] { exec.launch(nullptr); });
    check_refused([&] { exec.upload(nullptr); });
    check_refused([&] { exec.update(n(3)); });
    check_refused([&] { exec.fetch(i); });
    check_refused([&] { exec.loops(); });
    check_refused([&] { exec.iterations("doubling"); });
    check_refused([&] { exec.disable(kernel<twice>); });
    check_refused([&] { exec.is_enabled(kernel<twice>); });
    check_refused([&] { exec.memory_usage(); });
    CHECK(exec.graph_ref() == nullptr);
    CHECK(exec.exec_ref() == nullptr);
    CHECK(words_of([&] { write_cuda_dot(exec, "picture.dot"); }).find("cudaGraphDebugDotPrint failed: ") != std::string::npos);
}

TEST_CASE("an executable is changed, and ends, on its own device", "[faults][executables]") {
    const auto e = seq(copy(in(x), out(t)), copy(in(t), out(y)), label("doubling", doubling));
    const auto changes_twice = [](const auto& change) {  // there and back
        fake_runtime::expect();
        change();
        int device = 0;
        CHECK(cudaGetDevice(&device) == cudaSuccess);
        CHECK(device == 1);
        CHECK(count_of("cudaSetDevice") == 2);
    };
    {
        auto exec = instantiate(e, x(xs), y(others));
        REQUIRE(cudaSetDevice(1) == cudaSuccess);
        changes_twice([&] { exec.update(x(fewer), y(others.first(500))); });
        changes_twice([&] { exec.disable("doubling"); });
    }
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    const core::memory_choice of_functions = use([](std::size_t bytes) -> void* { return std::aligned_alloc(256, (bytes + 255) / 256 * 256); },
                                                       [](void* memory) { std::free(memory); });
    {
        auto exec = instantiate(e, of_functions, x(xs), y(others));
        exec.launch(nullptr);
        REQUIRE(cudaSetDevice(1) == cudaSuccess);
        fake_runtime::expect();
    }
    CHECK(count_of("cudaEventSynchronize") == 1);
    REQUIRE(cudaSetDevice(0) == cudaSuccess);

    auto exec = instantiate(e, x(xs), y(others));
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    const auto update = [&] { exec.update(x(fewer), y(others.first(500))); };
    changes_twice(update);
    const std::vector<std::string> names = every_call::names_of_calls();
    const int there = static_cast<int>(std::find(names.begin(), names.end(), "cudaSetDevice") - names.begin());
    const every_call::outcome refused = every_call::attempt(update, {there, cudaErrorInvalidDevice});
    CHECK(refused.words.find("'update' cudaSetDevice failed: ") != std::string::npos);
    CHECK(refused.left_behind == cudaSuccess);
    changes_twice(update);  // and the next one works
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
}

TEST_CASE("a pool is for one device", "[faults][executables]") {
    const auto e = seq(copy(in(x), out(t)), copy(in(t), out(y)));
    const auto without_temps = copy(in(x), out(y));
    const auto refused = [](const auto& run) {
        const every_call::outcome seen = every_call::attempt(run, {});
        CHECK(seen.threw);
        CHECK(seen.allocated == 0);
        return seen.words;
    };
    pool shared;
    const auto make = [&] { return instantiate(e, use(shared), x(fewer), y(others.first(500))); };
    const auto first = make();
    REQUIRE(cudaSetDevice(1) == cudaSuccess);
    const fake_runtime::live_objects before = fake_runtime::live();
    const std::string other_device = "cograph: 't' is to lie in a pool of device 0, and its graph is on device 1: make a pool for each device.";
    CHECK(refused(make) == other_device);
    CHECK(refused([&] { instantiate(e, use(shared), x(xs), y(others)); }) == other_device);  // would get memory of its own
    CHECK(refused([&] { shared.reserve(1); }) == "cograph: The pool has memory of device 0, and device 1 is current: make a pool for each device.");
    CHECK((fake_runtime::live() == before));
    CHECK_NOTHROW(instantiate(without_temps, use(shared), x(xs), y(others)));  // uses none of it

    pool here;  // belongs to no device before it has memory
    auto late = instantiate(e, use(here), x(fewer.first(0)), y(others.first(0)));
    REQUIRE(cudaSetDevice(0) == cudaSuccess);
    CHECK_NOTHROW(make());
    CHECK_NOTHROW(here.reserve(64));
    CHECK(words_of([&] { late.update(x(fewer), y(others.first(500))); }) == other_device);
    CHECK_NOTHROW(late.launch(nullptr));
}

constexpr auto ten = seq(doubling, doubling, doubling, doubling, doubling, doubling, doubling, doubling, doubling, doubling);

TEST_CASE("updates ask for host memory, but later ones of memory that is often rebound alone do not", "[faults][executables]") {
    const auto asked = [](const auto& update) {
        allocations::expect();
        update();
        return allocations::calls();
    };
    const auto e = seq(ten, ten, fill(out(y), n));
    auto exec = instantiate(e, device_updatable(x(xs)), y(others), n(1));
    CHECK(asked([&] { exec.update(x(fewer.first(0))); }) > 0);  // the first one, of anything
    exec.update(x(xs));
    const std::span<double> far(reinterpret_cast<double*>(std::uintptr_t{4} << 52), 1000);
    for (const std::span<double> memory : {far, xs, far}) {
        CHECK(asked([&] { exec.update(x(memory)); }) == 0);
        CHECK(asked([&] { exec.launch(nullptr); }) == 0);
    }
    CHECK(asked([&] { exec.update(x(fewer)); }) > 0);
    CHECK(asked([&] { exec.update(x(xs), n(2)); }) > 0);
}

TEST_CASE("eager runs ask for what kernels are to have", "[faults][executables]") {
    const stream on;
    const auto asked = [](int launch, cudaLaunchAttributeID what) { return fake_runtime::asked_of_launch(launch, what); };
    const auto programmatic = kernel<twice>(over(x).cluster(4).priority(-1).programmatic())(x);
    fake_runtime::expect();
    run_on(on, seq(programmatic, programmatic, kernel<twice>(grid(4).cooperative())(x), doubling, kernel<twice>(over(x).priority(-2))(x)), x(xs));
    CHECK(count_of("cudaLaunchKernelExC") == 4);
    CHECK(count_of("cudaLaunchKernel") == 1);
    const int priorities[] = {-1, -1, 0, -2};
    for (int launch = 0; launch < 4; ++launch) {
        INFO("launch " << launch);
        const auto* const priority = asked(launch, cudaLaunchAttributePriority);
        CHECK((priority ? priority->priority : 0) == priorities[launch]);
        const auto* const cluster = asked(launch, cudaLaunchAttributeClusterDimension);
        CHECK((cluster ? cluster->clusterDim.x : 1) == (launch < 2 ? 4 : 1));
        const auto* const cooperative = asked(launch, cudaLaunchAttributeCooperative);
        CHECK((cooperative ? cooperative->cooperative : 0) == (launch == 2));
        const auto* const early = asked(launch, cudaLaunchAttributeProgrammaticStreamSerialization);
        CHECK((early ? early->programmaticStreamSerializationAllowed : 0) == (launch == 1));  // behind another one
    }
}

}  // namespace executables
