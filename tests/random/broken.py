#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks random programs, one rule at a time: broken.py --seed 1 FOLDER

Writes FOLDER/broken.cpp, which asserts the reason of each without failing a build. With --compile COMPILER... (last) all are
compiled as they are, too: each must fail, with its reason in the first error.
"""
import argparse
import concurrent.futures
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from generate import binding, bound_names, spelled
from programs import BUFFERS, COUNTERS, ENUMERATIONS, GROUPS, INTEGERS, REALS, SCALARS, STRUCTS, TEMPS, VALUES, Generator, Node, home, sized_by

ANY = set(BUFFERS + SCALARS + REALS + COUNTERS)
BODY_DEPTH = 3


class Breaker(Generator):
    """Each method gives a reason, a call that must be refused for it, and perhaps a whole program with that call in it."""

    def __init__(self, seed, turn):
        super().__init__(seed, most_nodes=12)
        self.turn = turn  # how often the rule was broken before

    def one(self, ways):
        """Each in its turn."""
        return ways[self.turn % len(ways)]

    def part(self, pool=ANY):
        return spelled(self.expression(BODY_DEPTH, set(pool) - set(TEMPS), set(), 0))

    def planted(self, reason, text, wrong=None, in_a_body=False):
        """A reason, the call, or the wrong part of it, and a random program with the call in one of its sequences."""
        while True:
            self.left = self.random.choice([4, 8, 16])
            tree = self.program()
            around = [node for node in tree.walk() if node.kind not in ("leaf", *GROUPS)] if in_a_body else [tree]
            places = [node for outer in around for node in outer.walk() if node.kind == "seq"]
            if places:
                break
        children = self.pick(places).children
        children.insert(self.random.randrange(len(children) + 1), Node("leaf", text=text))
        return reason, wrong or text, spelled(tree)

    def race(self):
        shared = self.pick(INTEGERS[:2])
        first = self.pick([f"fill(out({shared}), {self.literal()})", f"single_task(poke{{}})(inout({shared}), extent({shared}), in(s0))",
                           f"seq({self.part({'c', 's1'})}, fill(out({shared}), 1))"])
        second = self.pick([f"reduce(out(s2), in({shared}))", f"copy(in({shared}), out({'b' if shared == 'a' else 'a'}))",
                            f"when(s3 > 4, fill(out({shared}), 2))", f"repeat(2, dot(out(s2), in({shared}), in({shared})))"])
        branches = [first, second]
        self.random.shuffle(branches)
        return self.planted("branches_race_on", f"par({', '.join(branches)})")

    def endless(self):
        counter = self.pick(COUNTERS[2:])
        body = self.part(ANY - set(COUNTERS))
        return self.planted("predicate_never_changes", self.pick([f"loop_while({counter} < {self.literal()}, {body})",
                                                                  f"do_while({body}, {counter} != 3 && k > 0)"]))

    def empty(self):
        return self.planted("loop_body_is_empty", self.pick(["loop_while(s0 < 3, seq())", "do_while(par(), s1 > 2)", "repeat(3, seq(seq(), par()))"]))

    def unready(self):
        temp = self.pick(TEMPS)
        reader = f"reduce(out({'r0' if home(temp) == 'd' else 's0'}), in({temp}))"
        late = self.pick([reader, f"seq(when(s1 > 3, fill(out({temp}), 1)), {reader})", f"seq(repeat(k, fill(out({temp}), 1)), {reader})",
                          f"seq({reader}, fill(out({temp}), 1))"])
        needed = sized_by(temp) | {"r0" if home(temp) == "d" else "s0"} | ({"s1"} if "s1" in late else set()) | ({"k"} if "(k" in late else set())
        bindings = sorted(needed)
        return "temp_read_before_written", f"simulate({late}, {self.bound(bindings)})"

    def bound(self, names):
        return ", ".join(f"{name}(declare<{kind_of(name)}>())" for name in names)

    def whole(self):
        while True:
            self.left = self.random.choice([4, 8, 16])
            tree = self.program()
            names = bound_names(tree)
            if any(name in BUFFERS for name in names):
                return tree, names

    def unbound(self):
        tree, names = self.whole()
        dropped = self.pick([name for name in names if name in BUFFERS])
        return "unbound_variable", f"simulate({spelled(tree)}, {self.bound([n for n in names if n != dropped]) or 'v(1)'})"

    def unknown(self):
        tree, names = self.whole()
        return "unknown_variable", f"simulate({spelled(tree)}, {self.bound(names)}, stranger(declare<std::span<integer>>()))"

    def twice(self):
        tree, names = self.whole()
        return "variable_bound_twice", f"simulate({spelled(tree)}, {self.bound([*names, self.pick(names)])})"

    def constant(self):
        while True:
            tree, names = self.whole()
            written = [name for name in names if name in BUFFERS and name in tree.touched()[1]]
            if written:
                break
        name = self.pick(written)
        kind = "double" if home(name) == "d" else "integer"
        others = self.bound([n for n in names if n != name])
        return "bound_memory_is_const", f"simulate({spelled(tree)}, {others + ', ' if others else ''}{name}(declare<std::span<const {kind}>>()))"

    def outside(self):
        """What is for the outermost level alone."""
        reason, text = self.one([("host_work_is_in_a_body", "host(look_on{})(in(a))"), ("event_is_in_a_body", "record(event)"),
                                 ("event_is_in_a_body", "wait(event)(out(s0))"),
                                 ("pageable_copy_is_in_a_body", self.pick(["copy(in(a), out(pageable))", "copy(in(pageable), out(b))"]))])
        return self.planted(reason, text, wrong=f"repeat(2, seq(assign(s3, s3 + 1), {text}))", in_a_body=True)

    def unlimited(self):
        body = "assign(s0, s0 + 1)"
        below = f"at_most<-{self.literal()}>()"
        return self.planted(*self.one([("limit_is_negative", f"loop_while(s0 < 3, {body}, {below})", below),
                                       ("limit_is_not_an_integer", f"do_while({body}, s0 < 3, at_most(limit))", "at_most(limit)"),
                                       ("loop_option_is_not_last", f"loop_while(s0 < 3, at_most(10), {body})"),
                                       ("loop_option_is_repeated", f"loop_while(s0 < 3, {body}, at_most(10), at_most({self.literal()}))"),
                                       ("repeats_a_negative_number_of_times", f"repeat<-{self.literal()}>({body})"),
                                       ("iteration_count_is_not_an_integer", f"repeat({self.pick(['2.5', 'r0', 'limit / 2', 'sqrt(s0)'])}, {body})"),
                                       ("tests_need_an_iteration_between_them", f"loop_while(s0 < 3, {body}, check_every<0>)"),
                                       ("not_a_loop_option", f"do_while({body}, s0 < 3, {self.literal()})"),
                                       ("repeat_tests_every_iteration", f"repeat({self.literal()}, {body}, check_every<2>)")]))

    def unmarked(self):
        return self.planted(*self.one([("access_mode_is_missing", "kernel<raw_combine<integer, integer>>(over(a))(a, outside, extent(a), 1)"),
                                        ("value_cannot_be_written", "reduce(out(v), in(a))", "out(v)"),
                                       ("result_is_not_marked_out", "transform_reduce(over(a), term{}, plus{})(in(a[each]), 3)"),
                                       ("write_is_lost", "for_each(over(a), takes_a_copy{})(inout(a[each]))"),
                                       ("each_is_missing", f"for_each(over(a), takes_a_copy{{}})({self.pick(['in(a)', 'inout(a)', 'b'])})"),
                                       ("function_takes_all_elements", f"for_each(over(a), takes_all{{}})({self.pick(['b[each]', 'in(a[each])'])}, out(a[each]))"),
                                       ("all_elements_change_one_scalar", "for_each(over(a), combine{})(in(a[each]), inout(s0), 3)"),
                                       ("record_writes_nothing", "record(event)(out(a))"), ("wait_lets_reads_pass", "wait(event)(in(a))"),
                                       ("variable_has_the_tag_of_another", "fill(out(impostor), 1)", "out(impostor)"),
                                       ("each_without_elements", "single_task(look{})(inout(s0), in(a[each]), extent(a), 3)"),
                                       ("device_code_takes_host_memory", "for_each(over(b), gather{3})(in(pageable), extent(b), out(b[each]))")]))

    def beyond(self):
        """What formulas and branches do not have."""
        change = f"s0 {self.pick(['+=', '-=', '*=', '/=', '|='])} {self.literal()}"
        unknown = self.pick(["fmod(r0, 2)", "log2(s0 + r0)", "fmin(1, r0)", "fabs(k)"])
        return self.planted(*self.one([("elements_are_no_numbers", "when(max_abs(matrices) > 3, fill(out(b), 1))", "max_abs(matrices)"),
                                      ("size_is_no_number", "when(max_abs(matrices, is_empty{}) > 3, fill(out(b), 1))", "max_abs(matrices, is_empty{})"),
                                      ("has_no_such_member", "assign(r0, member<&matrix::elements>(both))", "member<&matrix::elements>(both)"),
                                      ("member_is_no_number", "when(any(member<&matrix::elements>(matrices) > 3), fill(out(b), 1))",
                                       "member<&matrix::elements>(matrices)"),
                                      ("member_is_const", "assign(member<&fixed::of>(sealed), s0 + 1)"),
                                      ("formulas_change_nothing", change),
                                      ("formulas_have_no_function", f"assign(r0, {unknown})", unknown),
                                      ("switch_on_has_no_otherwise", "switch_on(s0, fill(out(a), 1), otherwise(fill(out(b), 1)))")]))

    def unasked(self):
        of_scalar, of_call, of_count = f"all(s0 > {self.literal()})", "any_of(a, divides{})", "count_if(s0, divides{}, 1)"
        return self.planted(*self.one([("formula_has_no_elements", f"when({of_scalar}, fill(out(a), 1))", of_scalar),
                                       ("function_cannot_be_called", f"when({of_call}, fill(out(a), 1))", of_call),
                                       ("not_an_array", f"when({of_count} > 0, fill(out(a), 1))", of_count),
                                       ("element_test_is_not_bool", "when(all_of(a, gives_nothing{}), fill(out(b), 1))", "all_of(a, gives_nothing{})"),
                                       ("formula_has_a_value_for_each_element", f"when({self.pick(['a', 'abs(a - b)', '2 * d'])} > 3, fill(out(b), 1))"),
                                       ("enumeration_is_no_number", "when(hue == 1, fill(out(b), 1))", "hue == 1"),
                                       ("no_formula_of", "assign(s0, rows + 1)", "rows + 1"),
                                       ("no_formula_over", "when(!rows, fill(out(b), 1))", "!rows"),
                                       ("operand_is_not_an_integer", "assign(s0, r0 % 2)", "r0 % 2"),
                                       ("elements_are_not_indexed", "assign(s0, a[3])", "a[3]"),
                                       ("has_no_extent", "assign(s0, extent(v))", "extent(v)")]))

    def oversized(self):
        reason, shape = self.one([("block_is_too_large", "over(a).block<2048>()"), ("cluster_is_too_large", "over(a).cluster<17>()"),
                                  ("grid_is_too_large", "grid<1, 70000>()"), ("extent_is_not_positive", "over(b).block<0>()"),
                                  ("shared_memory_is_too_large", "over(a).shared<300000>()"), ("does_not_count_elements", "over(limit)"),
                                  ("scalar_counts_no_elements", f"over({self.pick(SCALARS)})"), ("group_size_is_no_power_of_two", "over(a).group<24>()"),
                                  ("length_is_no_integer_scalar", f"over(a).first({self.pick(['r0', 'k', '5'])})"), ("shape_takes_no_length", "grid(8).first(s0)"),
                                  ("lengths_are_for_library_nodes", "over(a).first(s0)"), ("groups_are_for_for_each", "over(a).group<32>()")])
        call = f"kernel<raw_combine<integer, integer>>({shape})(in(a), inout(b), extent(b), 1)"
        return self.planted(reason, call, call if reason in ("groups_are_for_for_each", "lengths_are_for_library_nodes") else shape)

    def missing(self):
        y = self.pick(["a", "b", "d"])
        return self.planted("function_cannot_be_called", self.pick([f"for_each(over({y}), combine{{}})(inout({y}[each]), 3)", f"single_task(look{{}})(inout(s0), in({y}))",
                                                      f"transform_reduce(over({y}), term{{}}, plus{{}})(out(s1), in({y}[each]))"]))

    def miscounted(self):
        return self.planted("argument_count_differs", f"kernel<raw_pick<integer>>(grid(1))(in(a), extent(a), inout(s0){self.pick(['', ', 1, 2'])})")

    def misfit(self):
        reason, text = self.one([("argument_does_not_fit", "kernel<raw_pick<integer>>(grid(1))(in(d), extent(d), inout(s0), 1)"),
                                 ("writes_through_const", "kernel<raw_pick<integer>>(grid(1))(inout(a), extent(a), inout(s0), 1)")])
        return self.planted(reason, text)

    def fuzzy(self):
        body = f"assign(s0, s0 + {self.literal()})"
        return self.one([("predicate_is_neither_bool_nor_integer", f"loop_while(r0 + s0, {body})"),
                         ("selector_is_not_an_integer", f"switch_on(r0 * {self.literal()}, {body})"),
                         ("comparisons_are_chained", f"{self.literal()} < s0 <= {self.pick(['k', 'v', 'limit'])}")])

    def mistyped(self):
        name = self.pick(["a", "b", "c", "d", "e"])
        return "elements_differ", f"{name}(declare<std::span<{self.pick(['float', 'short', 'const unsigned'])}>>())"

    def hostless(self):
        return "no_host_implementation", f"simulate(seq({self.part({'c', 's1'})}, kernel<raw_pick<integer>>(grid(1))(in(a), extent(a), inout(s0), 1)), {self.bound(['a', 's0'])})"

    def misspelled(self):
        """Parts in each other's place, or left out."""
        one, more = f"fill(out(a), {self.literal()})", f"fill(out(b), {self.literal()})"
        return self.planted(*self.one([("arguments_are_missing", f"seq(single_task(look{{}}), {one})"),
                                       ("arguments_are_not_those_of", f"when(s0 > {self.literal()})"),
                                       ("expression_in_place_of_a_predicate", "loop_while(assign(s0, s0 - 1), s0 > 3)"),
                                       ("predicate_in_place_of_an_expression", f"seq({one}, s0 > 3)"),
                                       ("not_a_predicate", "loop_while(holds{}, assign(s0, s0 - 1))"),
                                       ("not_an_expression", f"seq(combine{{}}, {one})"),
                                       ("otherwise_without_when", f"seq({one}, otherwise({more}))"),
                                       ("second_branch_is_bare", f"when(s0 > 3, {one}, {more})"),
                                       ("seq_is_missing", f"repeat(3, {one}, {more})"),
                                       ("iteration_count_and_body_are_swapped", f"repeat({one}, 3)"),
                                       ("text_and_expression_are_swapped", f'label({one}, "save")'),
                                       ("predicate_only_reads", f"loop_while(predicate(advance{{}})(inout(s0)), {one})", "predicate(advance{})(inout(s0))")]))

    def misused(self):
        """Function objects and what they are given."""
        number = self.literal()
        return self.planted(*self.one([("argument_is_only_read", f"single_task(look{{}})(s0, in(a), extent(a), {number})"),
                                       ("argument_is_not_trivially_copyable", 'single_task(spell{})(std::string("by two"), inout(s0))'),
                                       ("call_operator_is_not_const", "single_task(changes{})(inout(s0))"),
                                       ("attributes_are_for_kernels", "for_each(over(a).cluster(2), make{})(in(b[each]), out(a[each]), 1)"),
                                       ("each_stands_outside_the_access_mode", f"for_each(over(a), make{{}})(in(b)[each], out(a[each]), {number})", "in(b)[each]"),
                                       ("has_no_elements", f"for_each(over(a), make{{}})(in(s0[each]), out(a[each]), {number})", "s0[each]"),
                                       ("formula_is_no_argument", f"for_each(over(a), make{{}})(in(b[each]), out(a[each]), {number} * s0)"),
                                       ("grid_counts_no_elements", f"for_each(grid(16), make{{}})(in(b[each]), out(a[each]), {number})"),
                                       ("not_a_shape", f"for_each({number}, make{{}})(in(b[each]), out(a[each]), 1)"),
                                       ("expression_is_no_argument", f"single_task(look{{}})(inout(s0), in(a), fill(out(b), 1), {number})"),
                                       ("not_a_function_object", "for_each(over(a), set_one)(inout(a[each]))"),
                                       ("not_a_variable", f"fill(out({number}), 1)", f"out({number})")]))

    def misscanned(self):
        """Scans, compaction, extreme elements, exchanges."""
        return self.planted(*self.one([("swapped_with_itself", "swap(a, a)"), ("scanned_in_place", "inclusive_scan(in(a), out(a))"), ("scanned_in_place", "copy_if(in(a), out(a), out(s0), picks{})"),
                                       ("count_is_no_integer", "copy_if(in(a), out(b), out(r0), picks{})"),
                                       ("groups_are_for_for_each", "segmented_reduce(over(a).group<32>(), term{}, plus{})"),
                                       ("result_is_no_found_element", "max_element(out(s0), in(a))"), ("result_is_no_scalar", "min_element(out(b), in(a))"),
                                       ("offsets_are_no_integers", "segmented_reduce(over(a), term{}, plus{})(out(b), in(d), in(a))"),
                                       ("terms_are_not_counted", "segmented_reduce(over(64), term{}, plus{})")]))

    def misjoined(self):
        """Several results, and operations."""
        return self.planted(*self.one([("parts_are_one_variable", "partition_copy(in(a), out(b), out(b), out(s0), picks{})"),
                                       ("function_gives_no_such_terms", "transform_reduce(over(a), term{}, operations(plus{}, plus{}))(out(s0), out(s1), in(a[each]), 3)"),
                                       ("operations_are_for_all_elements", "transform_reduce(over(a).every<2>(), term{}, operations(plus{}, plus{}))"),
                                       ("terms_are_only_read", "transform_inclusive_scan(over(a), storing_term{}, plus{})(out(b), in(a[each]), inout(c[each]))"),
                                       ("in_any_order_is_no_constant", "reduce(out(s0), in(a), ordered_by_chance{}, integer{0})")]))

    def misshared(self):
        """Memory that groups of threads share."""
        shape = self.one([("not_a_number_of_elements", "over(a).group<32>().shared<integer>(s0)"), ("shared_elements_are_not_plain", "over(a).group<32>().shared<std::string>(8)")])
        return self.planted(shape[0], f"for_each({shape[1]}, uses_shared{{}})(inout(a[each]))")

    def missubset(self):
        """Parts of a shape's elements."""
        reason, shape = self.one([("shape_has_no_such_subset", "over(a).checkerboard<0>()"), ("not_a_subset", "over(a).every<2, 2>()"), ("shape_has_no_patches", "over(a).in_patches()")])
        return self.planted(reason, f"for_each({shape}, poke{{}})(inout(a[each]))", shape)

    def misplaced(self):
        """Neighbours, and the box that they are in."""
        first, shape = "for_each(over(a), relax{})", "over<3, extent(a) / 3>()"
        far, written = f"b[near<{self.pick(['9', '-1', '0'])}>]", f"{self.pick(['out', 'inout'])}(b[near<2>])"
        return self.planted(*self.one([("radius_is_out_of_range", f"{first}(in({far}), out(a[each]), 1)", far),
                                       ("radius_has_other_dimensions", f"for_each({shape}, relax{{}})(in(b[near<2>]), out(a[each]), 1)"),
                                       ("function_takes_neighbours", f"for_each(over(a), takes_neighbours{{}})({self.pick(['b', 'in(b[each])', 'b[near<2>]'])}, out(a[each]))"),
                                       ("not_sides_of_a_box", "for_each(over(k, 16), relax{})(in(b[near<1, 1>]), out(a[each]), 1)", "over(k, 16)"),
                                       ("neighbours_are_only_read", f"{first}({written}, out(a[each]), 1)", written),
                                       ("neighbours_are_for_for_each_and_transform_reduce",
                                        "for_each(over(a).group<32>(), join_some{})(in(b[near<2>]), extent(b), inout(a[each]), 1)")]))

    def misresulted(self):
        """Where a result goes, and what becomes one."""
        return self.planted(*self.one([("copied_elements_differ", f"copy({self.pick(['in(a), out(d)', 'in(e), out(c)', 'in(pageable), out(d)'])})"),
                                       ("assigned_formula_is_over_arrays", "assign(s0, max_abs(a))"),
                                       ("assigned_is_no_scalar", f"assign({self.pick(['a', 'd'])}, {self.literal()})"),
                                       ("assigned_value_is_no_number", "assign(many, many_numbers{})"),
                                       ("result_is_lost", f"for_each(over(a), term{{}})(in(a[each]), {self.literal()})"),
                                       ("term_is_cut_to_an_integer", "reduce(out(s0), in(d))"),
                                       ("elements_cannot_be_assigned", "fill(out(frozen), fixed{1})"),
                                       ("identity_is_missing", "reduce(out(s0), in(a), first_of{})"),
                                       ("operation_cannot_join", "reduce(out(s0), in(a), poke{})"),
                                       ("result_is_no_scalar", "reduce(out(b), in(a))"),
                                       ("result_is_too_large", "transform_reduce(over(a), long_term{}, first_of{}, many_numbers{})(out(many), in(a[each]))"),
                                       ("term_does_not_convert", "transform_reduce(over(a), make{}, plus{})(out(s0), in(b[each]), out(a[each]), 1)")]))

    def miscalled(self):
        """Kernels, and functions of the host."""
        pick = "kernel<raw_pick<integer>, host_combine<integer, integer>>"
        return self.planted(*self.one([("access_is_not_declared", f"{self.pick(['captured(enqueue{})', 'host(look_on{})'])}(a)"),
                                       ("host_code_takes_all_elements", self.pick(["captured(enqueue{})(inout(a[each]))", "host(look_on{})(in(a[each]))"])),
                                       ("host_work_returns_something", "host(count_lines{})(in(a))"),
                                       ("result_is_no_status", "captured(norm_of{})(in(a))"),
                                       ("warm_up_cannot_restore", "captured(enqueue_rows{}).warm_up()(inout(rows))"),
                                       ("host_implementation_differs", f"{pick}(grid(1))(in(a), extent(a), inout(s0), 1)"),
                                       ("not_a_kernel", "kernel<largest<integer>>(grid(1))(in(a), extent(a))"),
                                       ("shape_is_missing", "kernel<raw_pick<integer>>(in(a), extent(a), inout(s0), 1)"),
                                       ("parameters_are_too_large", "kernel<takes_table>(over(a))(table{}, inout(a))"),
                                       ("too_many_parameters", "kernel<takes_many>(over(a))()")]))

    def misbound(self):
        """A binding by itself."""
        return self.one([("container_owns_memory", "a(declare<std::vector<integer>&>())"), ("count_is_missing", "b(declare<integer*>())"),
                         ("not_bound_like_this", "c(16, declare<integer*>())"), ("not_contiguous_memory", f"a({self.literal()})"),
                         ("not_trivially_copyable", "owner(declare<std::vector<integer>>())"), ("scalar_needs_a_pointer", f"s1({self.literal()})"),
                         ("temp_has_an_extent_already", f"{self.pick(TEMPS)}({self.literal()})"), ("temp_takes_a_count", "room(declare<std::span<integer>>())"),
                         ("value_does_not_convert", "v(declare<integer*>())"), ("only_memory_is_device_updatable", f"device_updatable(v({self.literal()}))"),
                         ("elements_are_not_trivially_copyable", "out(texts)")])

    def misrun(self):
        """A whole program, run wrongly."""
        tree, names = self.whole()
        text, bound = spelled(tree), self.bound(names)
        dropped = self.pick([name for name in names if name in BUFFERS])
        left = "".join(self.bound([name]) + ", " for name in names if name != dropped)
        return self.one([("not_a_binding", f"simulate({text}, {bound}, declare<integer*>())"),
                         ("several", f"simulate({text}, {left}stranger(declare<std::span<integer>>()))"),
                         ("stream_is_missing", f"run_on({text}, {bound})"),
                         ("cuda_is_missing", f"instantiate({text}, {bound})"),
                         ("function_cannot_take_steps", f"simulate_stepwise({text}, look_on{{}}, {bound})"),
                         ("has_many_values", f"declare<step_of<decltype(seq({text}, fill(out(a), 1)))>>().value(a)"),
                         ("has_one_value", f"declare<step_of<decltype(seq({text}, assign(s0, 1)))>>().span(s0)"),
                         ("alignment_is_above_256_bytes", f"simulate(seq({text}, fill(out(pages), page{{}})), {bound}, pages(3))"),
                         ("temp_is_only_partly_written", f"simulate(seq(for_each(over(two), only_here{{}})(out(four[each])), reduce(out(s0), in(four)), {text}), "
                          f"{self.bound(sorted({*names, 's0'}))})"),
                         ("pageable_memory_is_read_at_launch", f"simulate(seq(host(read_in{{}})(out(pageable)), copy(in(pageable), out(a)), {text}), "
                          f"{self.bound(sorted({*names, 'a'}))}, pageable(declare<std::span<integer>>()))")])

    def misasked(self):
        """A question about a whole program that has no answer."""
        text = spelled(self.whole()[0])
        twice = "for_each(over(a), only_here{})(inout(a[each]))"
        return self.one([("selector_matches_nothing", f"{self.pick(['has_edge', 'ordered'])}({text}, at<0>, calls<only_here>)"),
                         ("selector_matches_several", f"ordered(seq({twice}, {text}, {twice}), at<0>, calls<only_here>)"),
                         ("selector_names_no_loop", f"loop_report<decltype(seq({text}, {twice}))>{{}}.iterations(calls<only_here>)"),
                         ("not_a_selector", f"has_edge({text}, 0, 1)"),
                         ("not_a_stream", f'write_dot("plan.dot", {text})'),
                         ("text_of_a_label_is_no_const_char_pointer", f'label(std::string("save"), {text})'),
                         ("variable_is_not_in_the_expression", f"declare<step_of<decltype(seq({text}, {twice}))>>().value(many)"),
                         ("only_temps_may_alias", f"may_alias(seq(fill(out(t), 1), copy(in(t), out(a)), {text}), t, a)")])


RULES = [Breaker.race, Breaker.endless, Breaker.empty, Breaker.unready, Breaker.unbound, Breaker.unknown, Breaker.twice, Breaker.constant,
         Breaker.missing, Breaker.miscounted, Breaker.misfit, Breaker.fuzzy, Breaker.mistyped, Breaker.hostless, Breaker.outside,
         Breaker.unlimited, Breaker.unmarked, Breaker.unasked, Breaker.beyond, Breaker.oversized, Breaker.misspelled, Breaker.misused, Breaker.misscanned, Breaker.misjoined, Breaker.misshared, Breaker.missubset, Breaker.misplaced, Breaker.misresulted,
         Breaker.miscalled, Breaker.misbound, Breaker.misrun, Breaker.misasked]
EVERY_WAY = 12 * len(RULES)  # so many break each rule in each of its ways


def kind_of(name):
    if name in BUFFERS:
        return "std::span<double>" if home(name) == "d" else "std::span<integer>"
    if name in VALUES:
        return {"k": "int", "v": "integer", "limit": "double", "wish": "color"}[name]
    return "color*" if name in ENUMERATIONS else "numbers*" if name in STRUCTS else "double*" if name in REALS else "int*" if name in COUNTERS else "integer*"


def broken(seed, number):
    """A reason, a call, and what has the call in it."""
    made = RULES[number % len(RULES)](Breaker(f"broken {seed} {number}", number // len(RULES)))
    return made if len(made) == 3 else (*made, made[1])


def file_of_asserts(seed, count):
    asserts = "".join(f'static_assert(gives<reason::{reason}>(diagnose<decltype({call})>), "broken program {number} of seed {seed}");\n'
                      for number in range(count) for reason, call, _ in [broken(seed, number)])
    return f'// Made by broken.py.\n#include "broken.hpp"\n\nnamespace random_programs {{\n{asserts}}}\n'


def file_that_fails(call):
    return f'#include "broken.hpp"\n\nnamespace random_programs {{\ninline void wrong() {{\n    {call};\n}}\n}}\n'


def read_once(command, folder):
    """The options with which a compiler takes broken.hpp from a file that it precompiled."""
    is_clang = "clang" in subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True).stdout
    made = Path(folder, "broken.hpp" + (".pch" if is_clang else ".gch"))
    header = Path(__file__).resolve().parent / "broken.hpp"
    subprocess.run([*command, "-x", "c++-header", str(header), "-o", str(made)], check=True, stderr=subprocess.DEVNULL)
    return ["-include-pch", str(made)] if is_clang else ["-include", str(Path(folder, "broken.hpp"))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=EVERY_WAY)
    parser.add_argument("--compile", nargs=argparse.REMAINDER, default=[])
    parser.add_argument("folder", type=Path, nargs="?")
    arguments = parser.parse_args()
    if arguments.folder:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        (arguments.folder / "broken.cpp").write_text(file_of_asserts(arguments.seed, arguments.programs))
    if not arguments.compile:
        return

    def check(number):
        reason, _, call = broken(arguments.seed, number)
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as file:
            file.write(file_that_fails(call))
            file.flush()
            built = subprocess.run([*arguments.compile, *precompiled, "-I", str(Path(__file__).resolve().parent), "-fsyntax-only", file.name], capture_output=True, text=True)
        first = next((line for line in built.stderr.splitlines() if "error" in line), "")
        return built.returncode != 0 and reason in first, f"broken program {number} of seed {arguments.seed}: {reason}\n{call}\n{built.stderr[:2000]}"

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        precompiled = read_once(arguments.compile, folder)
        wrong = [text for good, text in pool.map(check, range(arguments.programs)) if not good]
    print("\n".join(wrong))
    print(f"{arguments.programs} broken programs, {len(wrong)} not refused with their reason")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
