#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the generator itself: what it makes is well-formed, the same every time, varied, and can be made smaller."""
import collections
import unittest

from generate import program, spelled, written
from programs import Node, problems
from shrink import shrink


class Programs(unittest.TestCase):
    def test_they_are_well_formed_and_varied(self):
        kinds, sizes = collections.Counter(), []
        for number in range(400):
            tree, n, m = program(1, number)
            self.assertEqual(problems(tree), [])
            kinds.update(node.kind for node in tree.walk())
            sizes.append(tree.size())
        self.assertEqual(set(kinds), {"leaf", "seq", "par", "when", "switch", "while", "do", "repeat"})
        self.assertTrue(all(count > 200 for count in kinds.values()), kinds)
        self.assertGreater(max(sizes), 50)

    def test_a_number_is_one_program(self):
        first, again, other = (written(*[program(*key)[0]], "p", 1, 1) for key in ((3, 7), (3, 7), (3, 8)))
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
        def has_dot_in_loop(tree, n, m):
            return any(node.kind == "while" and any("dot(" in below.text for below in node.walk()) for node in tree.walk())

        number = next(i for i in range(1000) if program(5, i)[0].size() > 20 and has_dot_in_loop(*program(5, i)))
        tree, n, m = shrink(*program(5, number), has_dot_in_loop)
        self.assertEqual(problems(tree), [])
        self.assertLessEqual(tree.size(), 3, spelled(tree))
        self.assertEqual((n, m), (0, 0))


if __name__ == "__main__":
    unittest.main()
