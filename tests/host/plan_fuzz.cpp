// SPDX-License-Identifier: Apache-2.0

// Trees planned at run time by the code that plans expressions at compile time, against brute force: those that were once
// planned wrong. tests/fuzz/fuzz_plan.cpp tries random ones.

#include "../fuzz/plan.hpp"

#include "../catch.hpp"

#include <cograph.hpp>


using namespace plan_fuzz;

namespace {

inline constexpr struct residual : cograph::core::scalar<residual, double> {} residual;
inline constexpr struct rounds : cograph::core::scalar<rounds, int> {} rounds;
inline constexpr struct tolerance : cograph::core::value<tolerance, double> {} tolerance;

constexpr auto halving = cograph::core::seq(
    cograph::core::assign(rounds, 0),
    cograph::core::loop_while(residual > tolerance, cograph::core::seq(cograph::core::assign(residual, residual / 2.0),
                                                            cograph::core::assign(rounds, rounds + 1))));

}  // namespace

TEST_CASE("run time plans as constant evaluation does") {
    using expression = decltype(halving)::self;
    const cograph::core::plan_view& constant = cograph::core::plan_of<expression>::view;
    const run_time_plan plan(expression::tree);
    REQUIRE(plan.count.nodes == constant.count.nodes);
    REQUIRE(plan.count.edges == constant.count.edges);
    for (int r = 0; r < plan.count.nodes; ++r) {
        CHECK(plan.nodes.data()[r].kind == constant.nodes[r].kind);
        CHECK(plan.nodes.data()[r].first_edge == constant.nodes[r].first_edge);
        CHECK(plan.nodes.data()[r].edge_count == constant.nodes[r].edge_count);
    }
    for (int e = 0; e < plan.count.edges; ++e) CHECK(plan.edges.data()[e] == constant.edges[e]);
    for (int v = 0; v < plan.count.named; ++v)
        CHECK(plan.planned.data()[v].read_first == constant.variables[v].read_first);
}

TEST_CASE("a variable that only the second branch writes is read first behind the branches") {
    // The join once took the number of the last region with the variable for its mark of the first branch.
    CHECK(check(sequence({when({in(0)}, {work({inout(0)}), work({out(1)})}), work({in(1)})})) == "");
}

TEST_CASE("conditions are numbered apart from scratch memory") {
    // Executors index conditions from 0; scratch memory in front of a loop once made them write past the end.
    CHECK(check(sequence({work({scratch(64), out(0)}), work({scratch(64), out(1)}),
                          loop_while({in(0)}, {work({inout(0)})})})) == "");
}

TEST_CASE("one node may write a variable many times that many others read") {
    // Each of its writes once waited for each reader, more than the table of edges had room for.
    trees nodes(12, work({in(0)}));
    nodes.push_back(work(arguments(12, out(0))));
    CHECK(check(sequence(nodes)) == "");
}

TEST_CASE("a node that takes nothing but values is ordered against all") {
    CHECK(check(sequence({work({out(0)}), work({in(6), kept_value}), work({in(0)})})) == "");
}

TEST_CASE("a loop can end through a view, but not through what its predicate only writes") {
    CHECK(check(loop_while({in(7)}, {work({inout(7)})})) == "");
    CHECK(check(loop_while({out(0)}, {work({out(0)})})) == "");
}

TEST_CASE("a predicate with scratch memory needs one for each time it is evaluated") {
    CHECK(check(loop_while({scratch(16), in(0)}, {work({out(0)})})) == "");
}

// What the check says of a plan after `damage` was done to it.
template <class Damage>
static std::string check_damaged(const tree& t, Damage damage) {
    const planted seeds(t);
    run_time_plan plan(seeds.root());
    damage(plan);
    return plan_check(t, seeds, plan).found;
}

TEST_CASE("brute force notices a wrong plan") {
    const tree t = sequence(
        {work({out(0)}), work({in(0), out(1)}), work({in(1)}), when({in(2)}, {work({in(0), inout(3)})})});
    CHECK(check_damaged(t, [](run_time_plan&) {}) == "");
    CHECK(check_damaged(t, [](run_time_plan& p) { --p.nodes.data()[1].edge_count; }) ==
          "nodes 0 and 1 conflict, and no path orders them");
    CHECK(check_damaged(t, [](run_time_plan& p) {
              p.edges.data()[p.count.edges] = 0;
              p.edges.data()[p.count.edges + 1] = 1;
              p.nodes.data()[2].first_edge = p.count.edges;
              p.nodes.data()[2].edge_count = 2;
              p.count.edges += 2;
          }) == "nodes 0 and 2 are ordered: the edge between them can be dropped");
    CHECK(check_damaged(t, [](run_time_plan& p) {
              p.accesses.data()[p.nodes.data()[4].first_access].how = access_mode::write;
          }) == "node 4: accesses");
    CHECK(check_damaged(t, [](run_time_plan& p) { p.planned.data()[3].read_first = false; }) ==
          "variable 3: read_first");
    CHECK(check_damaged(t, [](run_time_plan& p) { p.planned.data()[0].read_first = true; }) ==
          "variable 0: read_first");
    CHECK(check_damaged(t, [](run_time_plan& p) { p.planned.data()[1].always_written = false; }) ==
          "variable 1: always_written");
    CHECK(check_damaged(t, [](run_time_plan& p) { p.planned.data()[3].always_written = true; }) ==
          "variable 3: always_written");
    CHECK(check_damaged(t, [](run_time_plan& p) { p.nodes.data()[0].ordered_against_all = true; }) ==
          "node 0: ordered_against_all");
}

TEST_CASE("brute force notices memory that is shared too early, and memory that could be shared") {
    const auto check_changed = [](const tree& t, int a, int b, bool conflict) {
        const planted seeds(t);
        const run_time_plan plan(seeds.root());
        run_time_lifetimes lifetimes(plan);
        CHECK(check_lifetimes(plan, lifetimes, 200) == "");
        CHECK(lifetimes.view().conflict(a, b) != conflict);
        lifetimes.set(a, b, conflict);
        return check_lifetimes(plan, lifetimes, 200);
    };
    const tree chain = sequence({work({out(1)}), work({in(1), out(4)}), work({in(4), out(0)}), work({in(0), out(10)})});
    CHECK(check_changed(chain, 0, 1, false) != "");
    CHECK(check_changed(chain, 0, 2, true) == "items 0 and 2 need not be apart");
    const tree passes = do_while({in(0)}, {sequence({when({in(0)}, {work({out(1)}), work({out(1)})}), work({in(1), inout(0)}),
                                                     work({in(0), out(4)}), work({in(4), inout(0)})})});
    CHECK(check_changed(passes, 0, 1, true) == "");  // only outside of bodies is it known what could be shared
    const tree carried = sequence({work({out(1)}), do_while({in(0)}, {sequence({work({in(1), inout(0)}), work({in(0), out(4)}),
                                                                                work({in(4), inout(0)})})})});
    CHECK(check_changed(carried, 0, 1, false) != "");
    const tree kept = do_while({in(0)}, {sequence({work({inout(0)}), when({in(2)}, {work({out(1), inout(0)})}),
                                                   work({in(0), out(4)}), work({in(4), inout(0)})})});
    CHECK(check_changed(kept, 0, 1, true) == "");
}

TEST_CASE("brute force notices what is only partly written, and what is not") {
    const tree t = sequence({work({each(out(10))}, extent(4)), work({each(in(10)), each(out(1))}, extent(4)), work({in(10)}), work({in(1)})});
    CHECK(model_flow(t).read_first == mask{1} << 10);  // of 1 only a run knows
    CHECK(check_damaged(t, [](run_time_plan& p) { p.planned.data()[0].written_by_then = 0; }) == "variable 10: written_by_then");
    CHECK(check_damaged(t, [](run_time_plan& p) { p.planned.data()[0].read_first = false; }) == "variable 10: read_first");
    model_sizes sizes = sizes_of_declarations();
    const planted seeds(t);
    run_time_plan plan(seeds.root());
    sizes.counts[1] = 2;
    CHECK(model_flow(t, sizes).read_first == mask{1} << 10);
    CHECK(check_sizes(t, plan, sizes) == "");
    sizes.counts[1] = 5;
    CHECK(model_flow(t, sizes).read_first == (mask{1} << 10 | mask{1} << 1));
    CHECK(check_sizes(t, plan, sizes) == "");
    plan.accesses.data()[2].partly = false;
    CHECK(check_sizes(t, plan, sizes) == "reads of what is written in part");
}

TEST_CASE("a captured call may write the host memory that it takes, in bodies and further passes too") {
    // The branch around it, and its nodes of further passes, once counted as other nodes that write.
    tree loop = do_while({in(0)}, {when({in(6)}, {of_form(node_form::captured, work({inout(2)}))})});
    loop.every = 2;
    CHECK(check(loop) == "");
}

TEST_CASE("brute force notices a node that must not be in a body, and one that may") {
    const auto in_loop = [](tree node) { return loop_while({in(0)}, {sequence({work({inout(0)}), std::move(node)})}); };
    const tree right = in_loop(work({in(2), out(1)}));
    const auto check_swapped = [&](const tree& wrong) {
        const planted seeds(right), wrong_seeds(wrong);
        CHECK(check_legality(wrong, wrong_seeds.root()) == "");
        CHECK(check_legality(wrong, seeds.root()) == "find_root_node");
        CHECK(check_legality(right, wrong_seeds.root()) == "find_root_node");
    };
    for (const node_form form : {node_form::host, node_form::record, node_form::wait}) check_swapped(in_loop(of_form(form, work({}))));
    check_swapped(in_loop(of_form(node_form::memory_copy, work({in(2), out(0)}))));
    check_swapped(in_loop(of_form(node_form::memory_copy, work({in(0), out(2)}))));
    CHECK(check(in_loop(of_form(node_form::memory_copy, work({in(0), out(1)})))) == "");
}

// What the rules of a run say of a tree from whose plan `damage` was done.
template <class Damage>
static std::string check_damaged_rules(const tree& t, const bindings& given, Damage damage) {
    const planted seeds(t);
    run_time_plan plan(seeds.root());
    rules_check right(t, model_flow(t), plan);
    right.check_run(given);
    CHECK(right.found == "");
    damage(plan);
    rules_check damaged(t, model_flow(t), plan);
    damaged.check_run(given);
    return damaged.found;
}

TEST_CASE("brute force notices host memory that would be read too early, and that which would not") {
    const tree copied = sequence({of_form(node_form::host, work({out(2)})), of_form(node_form::memory_copy, work({in(2), out(0)}))});
    CHECK(check_damaged_rules(copied, {}, [](run_time_plan& p) { p.planned.data()[0].written = false; }) == "first_stale_source");
    const tree own = sequence({work({in(2)}), of_form(node_form::captured, work({inout(2)}))});
    CHECK(check_damaged_rules(own, {}, [](run_time_plan& p) { p.accesses.data()[0].how = access_mode::write; }) == "first_stale_source");
}

TEST_CASE("brute force notices a wrong answer to what a run needs") {
    tree t = sequence({work({out(3)}), work({in(3), inout(0)}), work({out(4)}), work({in(4)})});
    t.children[2].device_only = true;
    const bindings all = {{&pool[0], &pool[4]}, {}};
    CHECK(check_damaged_rules(t, all, [](run_time_plan& p) { p.planned.data()[0].read_first = true; }) == "first_unbound");
    CHECK(check_damaged_rules(t, all, [](run_time_plan& p) { p.planned.data()[2].read_first = true; }) == "first_unwritten_temp");
    CHECK(check_damaged_rules(t, {{&pool[0], &pool[4]}, {true}}, [](run_time_plan& p) { p.planned.data()[1].written = false; }) == "first_const");
    CHECK(check_damaged_rules(t, {{&pool[0], &pool[4], &pool[5]}, {}}, [](run_time_plan& p) { p.planned.data()[0].info = &pool[5]; }) ==
          "first_unknown");
    CHECK(check_damaged_rules(t, {{&pool[3], &pool[0], &pool[4]}, {}}, [](run_time_plan& p) { p.planned.data()[2].info = &pool[8]; }) ==
          "first_unbound");
    CHECK(check_damaged_rules(t, all, [](run_time_plan& p) { p.nodes.data()[2].from = p.nodes.data()[0].from; }) == "first_device_only");
}

TEST_CASE("a failing tree shrinks to what makes it fail") {
    const auto fails = [](const tree& t) { return to_text(t).find("in(5)") != std::string::npos; };
    std::uint64_t number = 0;
    while (!fails(random_tree(number))) ++number;
    CHECK(to_text(shrink(random_tree(number), fails)) == "work({in(5)})");
}
