#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that the code blocks of the documentation are what the files say that they quote.

usage: quote.py [--write] [PAGE...]      without pages: README.md, CONTRIBUTING.md, CHANGELOG.md and docs/**/*.md

A quoted block follows a comment that names a file of the project and a region of it:

    <!-- quote: examples/quickstart/quickstart.cu [sample] -->
    ```cpp
    ...
    ```

A region is what stands between the lines `// [sample]` and `// [/sample]`, or `# [sample]` and `# [/sample]`, moved to the left as a
whole; marks of other regions inside it are left out. A block of C++ or Python without such a comment is an error. Blocks of shell and CMake
are run from the pages by tests/docs/commands.py. Code in the line after the comment `<!-- from: FILE -->` is part of that file. With --write the blocks are updated instead.
"""
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = re.compile(r"^\s*(?://|#) \[(/?)([^\]]+)\]\s*$")
QUOTE = re.compile(r"^<!-- quote: (\S+) \[([^\]]+)\] -->$")
FROM = re.compile(r"^<!-- from: (\S+) -->$")
CODE = ("```cpp", "```python")


class Wrong(Exception):
    pass


def region(path, name):
    """The lines between the marks of a region."""
    file = ROOT / path
    if not file.is_file():
        raise Wrong(f"there is no file {path}")
    lines = file.read_text().splitlines()
    marks = [(i, m[1] == "/") for i, m in ((i, MARK.match(line)) for i, line in enumerate(lines)) if m and m[2] == name]
    if [closes for _, closes in marks] != [False, True]:
        raise Wrong(f"{path} must have one line '// [{name}]' and then one line '// [/{name}]' (in Python with #)")
    inside = [line for line in lines[marks[0][0] + 1 : marks[1][0]] if not MARK.match(line)]
    return textwrap.dedent("\n".join(inside)).strip("\n").split("\n")


def quoted(lines):
    """The lines of a page with every quoted block as its file has it now, and what is wrong with the page."""
    result, problems = [], []
    at = 0
    while at < len(lines):
        line = lines[at]
        result.append(line)
        at += 1
        if not line.startswith("```") or line == "```":
            continue
        end = at
        while end < len(lines) and lines[end] != "```":
            end += 1
        if end == len(lines):
            problems.append((at, "a code block does not end"))
        body = lines[at:end]
        before = lines[at - 2] if at > 1 else ""
        quote = QUOTE.match(before)
        if quote:
            try:
                current = region(quote[1], quote[2])
                if body != current:
                    problems.append((at, f"the block differs from [{quote[2]}] in {quote[1]}: run docs/quote.py --write"))
                body = current
            except Wrong as wrong:
                problems.append((at - 1, str(wrong)))
        elif line in CODE:
            problems.append((at, "a block of code is not quoted from a file"))
        result += body + lines[end : end + 1]
        at = end + 1
    for i, line in enumerate(lines):
        if FROM.match(line):
            file = ROOT / FROM.match(line)[1]
            code = re.findall(r"`([^`]+)`", (lines + [""])[i + 1])
            if not code or not file.is_file() or any(part not in file.read_text() for part in code):
                problems.append((i + 2, f"this line has no code of {FROM.match(line)[1]}, or other code"))
        if QUOTE.match(line) and lines[i + 1 : i + 2] not in [[code] for code in CODE]:
            problems.append((i + 1, "a quote comment must stand right before a block of C++ or Python"))
    return result, problems


def main(arguments):
    write = "--write" in arguments
    pages = [Path(a) for a in arguments if a != "--write"] or [*(ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG")), *sorted(ROOT.glob("docs/**/*.md"))]
    failed = False
    for page in pages:
        text = page.read_text()
        result, problems = quoted(text.splitlines())
        updated = "\n".join(result) + "\n"
        if write and updated != text:
            page.write_text(updated)
            print(f"{page}: updated")
            problems = quoted(result)[1]
        for line, problem in problems:
            print(f"{page}:{line}: {problem}")
        failed |= bool(problems)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
