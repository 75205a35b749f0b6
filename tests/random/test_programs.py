#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the generator itself: what it makes is well-formed, the same every time, varied, and can be made smaller; what is
broken has every reason."""
import collections
import re
import sys
import unittest
from pathlib import Path

from broken import EVERY_WAY, broken
from generate import program, spelled, written
from programs import Node, problems
from shrink import shrink

REJECT = Path(__file__).resolve().parents[1] / "reject"
sys.path.append(str(REJECT))
from check import Wanted

WORDS = ["for_each(", "(over<extent(", "(over<min(extent(", "transform_reduce(", "near<2>", "near<1, 1>", "near<1, 2>", "relaxed_term{}", "drift{}", "take{}", ".group<", "inclusive_scan(", "exclusive_scan(", "copy_if(", "reduce(", "dot(", "copy(", "fill(", "assign(", "single_task(", "kernel<", "captured(", "barrier(", "label(",
         "predicate(", "any_of(", "all_of(", "none_of(", "count_if(", "max_abs(", "all(", "any(", "none(", "at_most(", "check_every<", "repeat(k",
         "repeat(i", "repeat(abs(", "min(", "max(", "abs(", " extent(", ".cluster(", ".priority(", ".shared(", ".cooperative(", ".programmatic(",
         "sqrt(", "exp(", "log(", "pow(", "sin(", "cos(", "tan(", "tanh(", "floor(", "ceil(", "round(", "fma(", "isfinite(", "isnan(", "ceil_div(", "member<&numbers::first>(both)", "assign(member<", " & ", " | ", " ^ ", "~", " << ", " >> ", "switch_on(hue", "assign(hue, color::", "(hue == ", "(p", "(q", "device_updatable(",
         "in_a_pool = true"]
PATTERNS = [r"when\(([is]\d|own|v),", r"(loop_while\(|do_while\(.*\n *)i\d[,)]", r"switch_on\([is]\d,", r"(when|while)\([^\n]* [<>=]=? extent\(",
            r"(for_each|captured|kernel<[^\n]*)\([^\n]*, 2 \* v \+ k\)", r"(fill|single_task|transform_reduce|predicate)\([^\n]*, abs\(v - extent\("]

NOT_BROKEN = {"no_size_of": "is about a declaration, not a call", "group_is_taken_by_value": "is about a function object, not a call",
              "prepare_and_finish_do_not_fit": "is about a function object, not a call",
              "view_may_leave_elements_out": "is about an array of a kind that programs do not have"}


class Programs(unittest.TestCase):
    def test_they_are_well_formed_and_varied(self):
        kinds, depths, sizes, texts = collections.Counter(), collections.Counter(), [], []
        for number in range(400):
            tree, *lengths = program(1, number)
            self.assertEqual(problems(tree), [])
            kinds.update(node.kind for node in tree.walk())
            depths[tree.nesting()] += 1
            sizes.append(tree.size())
            texts.append(written(tree, "program", *lengths).split("compute(")[0])
        self.assertEqual(set(kinds), {"leaf", "seq", "par", "nodes", "when", "switch", "while", "do", "repeat"})
        self.assertTrue(all(count > 200 for count in kinds.values()), kinds)
        self.assertEqual(set(depths), set(range(6)))
        self.assertGreater(max(sizes), 50)
        for word in WORDS:
            self.assertGreater(sum(word in text for text in texts), 3, word)
        for pattern in PATTERNS:
            self.assertGreater(sum(bool(re.search(pattern, text)) for text in texts), 3, pattern)

    def test_a_number_is_one_program(self):
        first, again, other = (written(program(*key)[0], "p", 1, 1, 1, 1) for key in ((3, 7), (3, 7), (3, 8)))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_what_is_ill_formed_is_seen(self):
        fill = Node("leaf", writes={"t"})
        read = Node("leaf", reads={"t"}, writes={"s0"})
        self.assertEqual(problems(Node("seq", [fill, read])), [])
        self.assertTrue(problems(Node("seq", [read, fill])))
        self.assertTrue(problems(Node("par", [fill, read]), {"t"}))
        self.assertTrue(problems(Node("seq", [Node("when", [fill], reads={"s1"}), read])))
        self.assertEqual(problems(Node("seq", [Node("when", [fill, fill], reads={"s1"}), read])), [])
        self.assertEqual(problems(Node("seq", [Node("do", [fill], reads={"t"}), read])), [])
        self.assertTrue(problems(Node("while", [fill], reads={"s1"})))
        self.assertTrue(problems(Node("while", [Node("seq")], reads={"s1"})))

    def test_shrinking_ends_at_the_smallest(self):
        def has_dot_in_loop(tree, *lengths):
            return any(node.kind == "while" and any("dot(" in below.text and not re.search(r"in\([tuwpq]\)", below.text) for below in node.walk()) for node in tree.walk())

        number = next(i for i in range(1000) if program(5, i)[0].size() > 20 and has_dot_in_loop(*program(5, i)))
        tree, *lengths = shrink(*program(5, number), fails=has_dot_in_loop)
        self.assertEqual(problems(tree), [])
        self.assertLessEqual(tree.size(), 3, spelled(tree))
        self.assertEqual(lengths, [0, 0, 0, 0])


def with_headers(file):
    """The text of a file that must not compile, and of the headers beside it that it includes."""
    text = file.read_text()
    return text + "".join((REJECT / name).read_text() for name in re.findall(r'#include "(.*)"', text))


class Broken(unittest.TestCase):
    def test_every_reason_is_broken(self):
        """But for those of calls that take nvcc, and of what optional headers have."""
        files = list(REJECT.glob("*.cpp"))
        reasons = {Wanted(file, "g++").reason for file in files}
        optional = {Wanted(file, "g++").reason for file in files if "#include <cograph/" in with_headers(file)}
        asked = {broken(1, number)[0] for number in range(EVERY_WAY)}
        self.assertEqual(reasons - optional - asked, set(NOT_BROKEN))
        self.assertEqual(asked - reasons, set())


if __name__ == "__main__":
    unittest.main()
