#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that files do not compile, and that the compiler says the right words.

A file says in comments what must happen:

    // reason: branches_race_on          what the first line with an error must say, and its row in the table
    // row: two mistakes                 the row in the table where that is another
    // expect: text                      must occur in the first twelve lines of output; repeat it for every text
    // expect[nvcc]: text                the same, for one compiler: nvcc, g++ or clang++
    // errors: 2                         the number of errors, where it is not one; then all lines of output are looked at
    // flags: --extended-lambda          further flags for the compiler
    // only: nvcc                        the compilers this file is for
    some_call();  // here                the user's line that the first twelve lines must name

At most two lines of the output may point into the library. Names are compared without namespaces and without what
compilers print differently. A cell of the table is "errors / lines of output / line that names the user's line".
With --page, the pages in the folder of its name must have an entry for each reason, with the texts that its file expects; those
of a file with a row of its own need not be there. The page itself must list the entries of each of them, in alphabetical order.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

WIDEST = 400
FIRST_LINES = 12
MOST_IN_LIBRARY = 2
CRASH = re.compile(r"internal compiler error|internal error|Segmentation fault|PLEASE submit a bug report")
ERROR = re.compile(r"\berror(:| #|\s*: )")
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"


class Compiler:
    def __init__(self, path):
        self.path = path
        base = Path(path).name
        self.kind = next((k for k in ("nvcc", "clang++") if base.startswith(k)), "g++")
        version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        found = re.search(r"release (\d+\.\d+)|\b(\d+\.\d+)\.\d+", version)
        self.label = f"{self.kind} {found[1] or found[2]}" if found else base
        self.header = None

    def accepts(self, file):
        return self.kind == "nvcc" or file.suffix != ".cu"

    def read_once(self, header, flags, scratch):
        """Precompiles what most files include first, but for nvcc, which cannot."""
        if self.kind == "nvcc":
            return
        folder = Path(scratch, self.label.replace(" ", "-"))
        folder.mkdir()
        compiled = folder / (header.name + (".gch" if self.kind == "g++" else ".pch"))
        made = subprocess.run([self.path, "-std=c++20", *flags, "-x", "c++-header", str(header), "-o", str(compiled)],
                              cwd=header.parent, capture_output=True)
        if made.returncode == 0:
            self.header = header
            self.precompiled = (["-include", str(folder / header.name)] if self.kind == "g++" else ["-include-pch", str(compiled)])

    def command(self, file, flags, scratch, precompiled):
        front = [self.path, "-std=c++20", *flags, *(self.precompiled if precompiled else [])]
        if self.kind == "nvcc":
            # Only a full compilation meets every error: device code and the host compiler come last.
            return [*front, "-x", "cu", "-arch=sm_90", "-c", "-o", os.path.join(scratch, "object"), file.name]
        return [*front, "-x", "c++", "-fsyntax-only", file.name]


class Wanted:
    def __init__(self, file, kind):
        text = file.read_text()
        self.lines = text.splitlines()
        self.reason = next(iter(re.findall(r"^// reason:\s*(\S+)", text, re.M)), file.stem)
        self.row = next(iter(re.findall(r"^// row:\s*(.+)", text, re.M)), f"`{self.reason}`")
        self.first_header = next(iter(re.findall(r'^#include "(.*)"', text.split("#include <", 1)[0], re.M)), None)
        self.flags = sum((found.split() for found in re.findall(r"^// flags:(.*)$", text, re.M)), [])
        self.expected = [words.strip() for only, words in
                         re.findall(r"^// expect(?:\[(\S+)\])?:(.*)$", text, re.M) if only in ("", kind)]
        self.errors = next((int(n) for n in re.findall(r"^// errors:\s*(\d+)", text, re.M)), 1)
        only = re.findall(r"^// only:(.*)$", text, re.M)
        self.applies = not only or kind in only[0].split()
        self.marked = {i for i, line in enumerate(self.lines, 1) if re.search(r"//\s*here\b", line)}

    def is_users(self, number):
        if self.marked:
            return number in self.marked
        return 0 < number <= len(self.lines) and not self.lines[number - 1].startswith("#include")


def plain(text):
    """The names alone: without namespaces, keywords and the spaces and suffixes that compilers differ in."""
    text = re.sub(r"\bcograph::(?:reason::|core::)?|\b(?:struct|class|enum) ", "", text)
    text = re.sub(r"<&(?=[A-Za-z_])", "<", text)
    text = re.sub(r"\b(\d+)U?L\b", r"\1", text)
    return re.sub(r" +(?=[>*&])", "", text)


def check(file, compiler, flags, output_folder):
    """Returns (table cell, problems, output), or None where the file is not for this compiler."""
    wanted = Wanted(file, compiler.kind)
    if not wanted.applies or not compiler.accepts(file):
        return None
    precompiled = compiler.header is not None and wanted.first_header == compiler.header.name and not wanted.flags
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run(compiler.command(file, flags + wanted.flags, scratch, precompiled), cwd=file.parent, text=True, errors="replace",
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                             env={**os.environ, "LC_ALL": "C"}, timeout=300)
    lines = run.stdout.splitlines()
    if output_folder:
        folder = Path(output_folder, compiler.label.replace(" ", "-"))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / (file.name + ".txt")).write_text(run.stdout)

    errors = [i for i, line in enumerate(lines, 1) if ERROR.search(line)]
    name = re.escape(file.name)
    place = re.compile(rf"{name}[:(](\d+)|line (\d+) of \"?(?:\S*/)?{name}")
    users = next((i for i, line in enumerate(lines, 1) for m in place.finditer(line)
                  if wanted.is_users(int(m[1] or m[2]))), None)

    problems = []
    if run.returncode == 0:
        problems.append("it compiles")
    if run.returncode < 0 or CRASH.search(run.stdout):
        problems.append("the compiler crashed")
    if not wanted.expected:
        problems.append("the file has no line '// expect: text'")
    # g++ does not say that the file includes a precompiled header: a line less.
    first_lines = FIRST_LINES - (precompiled and compiler.kind == "g++")
    shown = plain("\n".join(lines if wanted.errors > 1 else lines[:first_lines]))
    problems += [f"the first lines do not say: {t}" for t in wanted.expected if plain(t) not in shown]
    inside = sum(f"{os.sep}cograph{os.sep}" in line or "cograph.hpp" in line or "cograph.cuh" in line for line in lines)
    if inside > MOST_IN_LIBRARY * wanted.errors:
        problems.append(f"{inside} lines point into the library")
    if run.returncode != 0:
        if not errors:
            problems.append("no line of the output is an error")
        elif wanted.reason not in lines[errors[0] - 1]:
            problems.append(f"the first error does not say {wanted.reason}")
        if users is None or users > first_lines:
            problems.append(f"the first {FIRST_LINES} lines do not name the user's line")
        if wanted.errors != len(errors):
            problems.append(f"{len(errors)} errors instead of {wanted.errors}")
    cell = (len(errors), len(lines), users or "-")
    return cell, problems, lines


def write_table(path, rows, compilers):
    table = ["| mistake | " + " | ".join(c.label for c in compilers) + " |", "|---" * (len(compilers) + 1) + "|"]
    for reason in sorted(rows):
        cells = [" / ".join(map(str, rows[reason].get(c.label, ["–"]))) for c in compilers]
        table.append(f"| {reason} | " + " | ".join(cells) + " |")
    target = Path(path)
    text = target.read_text() if target.exists() else f"{BEGIN}\n{END}\n"
    if BEGIN not in text or END not in text:
        sys.exit(f"{path}: no lines {BEGIN} and {END} to write the table between")
    head, rest = text.split(BEGIN, 1)
    target.write_text(head + BEGIN + "\n" + "\n".join(table) + "\n" + END + rest.split(END, 1)[1])


def missing_on(page, files):
    """What the entries of the page should say and do not, and what its list should have and does not."""
    entries = {part.stem: re.findall(r"^## (\w+)$", part.read_text(), re.M) for part in sorted(page.with_suffix("").glob("*.md"))}
    index = page.read_text()
    text = plain("\n".join([index, *(page.with_suffix("").joinpath(f"{part}.md").read_text() for part in entries)]))
    known = [entry for found in entries.values() for entry in found]
    problems = [f"{entry} has two entries" for entry in sorted({e for e in known if known.count(e) > 1})]
    for part, found in entries.items():
        listed = re.findall(rf"^- \[(\w+)\]\({page.stem}/{part}\.md#\1\)$", index, re.M)
        problems += [f"the list lacks '- [{e}]({page.stem}/{part}.md#{e})'" for e in found if e not in listed]
        problems += [f"{page.stem}/{part}.md has no entry {e}" for e in listed if e not in found]
        problems += [f"the list of {part} is not in alphabetical order"] if listed != sorted(listed) else []
    for file in files:
        wanted = Wanted(file, "g++")
        if wanted.reason not in known:
            problems.append(f"no entry '## {wanted.reason}'")
        if wanted.row == f"`{wanted.reason}`":
            problems += [f"{wanted.reason}: does not say {t}" for t in wanted.expected if plain(t) not in text]
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--compiler", action="append", required=True, help="repeat for several")
    parser.add_argument("-I", dest="includes", action="append", default=[], help="an include directory")
    parser.add_argument("--output", help="folder for everything the compilers say")
    parser.add_argument("--table", help="markdown file to write the measured table into, between its two marks")
    parser.add_argument("--page", type=Path, help="markdown file that lists all reasons; the folder of its name has an entry for each")
    options = parser.parse_args()
    compilers = [Compiler(path) for path in options.compiler]
    flags = [f"-I{Path(path).resolve()}" for path in options.includes]
    jobs = [(file.resolve(), compiler) for file in options.files for compiler in compilers]

    headers = tempfile.TemporaryDirectory()
    names = jobs[0][0].parent / "names.hpp" if jobs else None
    if names and names.exists() and not options.table:
        for compiler in compilers:
            compiler.read_once(names, flags, headers.name)

    rows, failed, checked = {}, 0, 0
    print("compiler        errors lines yours-at  file")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = pool.map(lambda job: check(*job, flags, options.output), jobs)
        for (file, compiler), result in zip(jobs, results):
            if result is None:
                continue
            cell, problems, lines = result
            checked += 1
            failed += bool(problems)
            rows.setdefault(Wanted(file, compiler.kind).row, {}).setdefault(compiler.label, cell)
            print(f"{compiler.label:15} {cell[0]:6} {cell[1]:5} {cell[2]:>8}  {file.name}")
            for problem in problems:
                print(f"    FAILED: {problem}"[:WIDEST])
            for line in lines[:20] if problems else []:
                print(f"    | {line}"[:WIDEST])
    if options.page:
        problems = missing_on(options.page, options.files)
        failed += len(problems)
        for problem in problems:
            print(f"FAILED: {options.page.name}: {problem}"[:WIDEST])
    if options.table:
        write_table(options.table, rows, compilers)
    print(f"{checked} checked, {failed} failed")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
