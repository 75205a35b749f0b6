#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes random programs as C++, and a main function that runs them: generate.py --seed 1 --programs 40 FOLDER

Program number i of a seed is always the same: --first i --programs 1 writes that one alone.
"""
import argparse
import random
from pathlib import Path

from programs import BUFFERS, GROUPS, MUST_WRITE_FIRST, VALUES, Generator, home, place

LENGTHS = [0, 1, 5, 31, 257, 1000, 3000, 20000, 150000]
MOST_WORK = 4_000_000  # elements that a run touches


def spelled(node, indent=8):
    """A program in the language."""
    pad = "\n" + " " * indent
    below = [spelled(child, indent + 4) for child in node.children]
    if node.kind == "leaf":
        return node.text
    if node.kind in ("seq", "par"):
        return f"{node.kind}({f',{pad}'.join(below)})"
    if node.kind == "nodes":
        return f"as_nodes({below[0]})"
    if node.kind == "when":
        return f"when({node.text},{pad}{below[0]}" + (f",{pad}otherwise({below[1]}))" if below[1:] else ")")
    if node.kind == "switch":
        return f"switch_on({node.text},{pad}{f',{pad}'.join(below)})"
    limits = (f",{pad}at_most({node.most})" if node.most else "") + (f",{pad}check_every<{node.every}>" if node.every > 1 else "")
    if node.kind == "while":
        return f"loop_while({node.text},{pad}{below[0]}{limits})"
    if node.kind == "do":
        return f"do_while({below[0]},{pad}{node.text}{limits})"
    return f"repeat({node.text},{pad}{below[0]})"


def plain(node, indent=8, depth=0):
    """The same in plain C++."""
    pad = " " * indent
    if node.kind == "leaf":
        return f"{pad}{node.plain}\n"
    if node.kind in GROUPS:
        return "".join(plain(child, indent, depth + 1) for child in node.children)
    below = [plain(child, indent + 4, depth + 1) for child in node.children]
    if node.kind == "when":
        return f"{pad}if ({unwrapped(node.plain)}) {{\n{below[0]}{pad}}}" + (f" else {{\n{below[1]}{pad}}}\n" if below[1:] else "\n")
    if node.kind == "switch":
        cases = "".join(f"{pad}case {i}: {{\n{body}{pad}    break;\n{pad}}}\n" for i, body in enumerate(below))
        return f"{pad}switch ({node.plain}) {{\n{cases}{pad}}}\n"
    if node.kind in ("while", "do"):
        return plain_loop(node, below[0], pad, depth)
    return f"{pad}for (int round{depth} = 0; round{depth} < {node.plain}; ++round{depth}) {{\n{below[0]}{pad}}}\n"


def unwrapped(text):
    """Without parentheses around all of it: clang++ warns of those around a lone ==."""
    depth = 0
    for i, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if i > 0 and i + 1 == len(text) else text
    return text


def plain_loop(node, body, pad, depth):
    """A loop that is tested every so many passes, and ends at its limit or behind it, whatever the test says."""
    passes = f"passes{depth}"
    limit = f" && {passes} < {place(node.most) if node.most in VALUES else node.most}" if node.most else ""
    begin = f"{pad}for ([[maybe_unused]] int {passes} = 0; {'true' if node.kind == 'do' else f'({node.plain}){limit}'};) {{\n"
    rounds = f"{pad}    for (int i{passes} = 0; i{passes} < {node.every}; ++i{passes}, ++{passes}) {{\n{body}{pad}    }}\n"
    end = f"{pad}    if (!(({node.plain}){limit})) break;\n" if node.kind == "do" else ""
    return f"{begin}{rounds}{end}{pad}}}\n"


def bound_names(tree):
    return [name for name in sorted(tree.names()) if name not in MUST_WRITE_FIRST]


def binding(name, rebound):
    bound = f"random_programs::{name}({f'given.{name}' if name in VALUES else f'at(given.{name})'})"
    return f"device_updatable({bound})" if rebound and name in BUFFERS else bound


def is_of_problem(number):
    """Some programs have only what problems of unequal lengths may have in a batch."""
    return number % 8 == 3


def program(seed, number):
    """A tree, and the two lengths of its buffers, as it is bound first and as it is bound then."""
    tree = Generator(f"{seed} {number}", of_problem=is_of_problem(number)).program()
    choice = random.Random(f"{seed} {number} lengths")
    fitting = [n for n in LENGTHS if n * max(tree.cost(), 1) <= MOST_WORK]
    return tree, *(choice.choice(fitting) for _ in range(4))


def threads_of_problems(length):
    problems = "over(problems_of_batch)"
    return f"in_clusters<2>({problems})" if length % 5 == 1 else problems + (".group<256>()" if length % 3 == 0 else "")


def is_shared(name, unequal):
    """Of problems with unequal parts, each has a value of its own, too."""
    return name in VALUES and not (unequal and name == "v")


def own(name, unequal):
    """What each problem has of a variable."""
    parts = f".between(begins_of_{home(name)}, longest_{home(name)})" if unequal and name in "abde" else ""
    return f"decltype(of_each(random_programs::{name}){parts})"


def parts_of_problems(names, unequal):
    return ", ".join(own(name, unequal) for name in names if not is_shared(name, unequal))


def bindings_of_problems(names, unequal):
    bound = [binding(name, False) if is_shared(name, unequal) else f"of_each(random_programs::{name})(at(&memory::{name}))" for name in names]
    for name in sorted({home(name) for name in names if name in "abde"} if unequal else ()):
        bound += [f"begins_of_{name}(at.begins(&memory::{name}))", f"longest_{name}(at.longest(&memory::{name}))"]
    return ", ".join(bound)


def written(tree, name, n, m, other_n, other_m):
    """What else differs from program to program goes by its lengths."""
    return f"""
struct {name} {{
    [[maybe_unused]] static constexpr int n = {n}, m = {m}, other_n = {other_n}, other_m = {other_m};
    [[maybe_unused]] static constexpr bool in_a_pool = {'true' if other_m % 2 else 'false'};

    static constexpr auto expression() {{
        return {spelled(tree)};
    }}
    template <class Place, class Run>
    static void with_bindings([[maybe_unused]] memory& given, [[maybe_unused]] Place& at, Run run) {{
        run({", ".join(binding(name, other_n % 2 == 1) for name in bound_names(tree))});
    }}
    static constexpr auto problems() {{ return {threads_of_problems(other_m)}; }}
    template <class = void>
    static constexpr auto equal_parts() {{ return core::list<{parts_of_problems(bound_names(tree), False)}>{{}}; }}
    template <class = void>
    static constexpr auto unequal_parts() {{ return core::list<{parts_of_problems(bound_names(tree), True)}>{{}}; }}
    template <class Place, class Run>
    static void with_equal([[maybe_unused]] memory& given, [[maybe_unused]] Place& at, Run run) {{
        run({bindings_of_problems(bound_names(tree), False)});
    }}
    template <class Place, class Run>
    static void with_unequal([[maybe_unused]] memory& given, [[maybe_unused]] Place& at, Run run) {{
        run({bindings_of_problems(bound_names(tree), True)});
    }}
    static void compute([[maybe_unused]] memory& given, [[maybe_unused]] inner_memory& h) {{
{plain(tree)}    }}
}};
"""


def file_text(programs, function):
    """programs: of (what a failure prints, tree, lengths...)."""
    structs = "".join(written(tree, f"program_{i}", *lengths) for i, (_, tree, *lengths) in enumerate(programs))
    calls = " + ".join(f'check<program_{i}>("{title}")' for i, (title, *_) in enumerate(programs))
    return f'// Made by generate.py.\n#include "run.hpp"\n\nnamespace random_programs {{\nnamespace {{\n{structs}\n}}\n\nint {function}() {{\n    return {calls};\n}}\n\n}}  // namespace random_programs\n'


def main_text(functions, count):
    declared = "".join(f"int {f}();\n" for f in functions)
    calls = " + ".join(f"random_programs::{f}()" for f in functions)
    return (f'// Made by generate.py.\n#include "start.hpp"\n\nnamespace random_programs {{\n{declared}}}\n\nint main(int count, char** arguments) {{\n'
            f"    return random_programs::report(count, arguments, {count}, [] {{ return {calls}; }});\n}}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--files", type=int, default=1)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    numbers = range(arguments.first, arguments.first + arguments.programs)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    functions = [f"check_{i}" for i in range(arguments.files)]
    for i, function in enumerate(functions):
        chosen = [(f"seed {arguments.seed}, program {number}", *program(arguments.seed, number))
                  for number in numbers[i :: arguments.files]]
        (arguments.folder / f"programs_{i}.cpp").write_text(file_text(chosen, function))
    (arguments.folder / "main.cpp").write_text(main_text(functions, arguments.programs))


if __name__ == "__main__":
    main()
