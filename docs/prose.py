#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts habits that make prose hard to read, per thousand words of the documentation.

usage: prose.py [--check | --list HABIT] [FILE...]    without files: README, CONTRIBUTING, CHANGELOG, bench/RESULTS.md, docs/**/*.md

With --check, exit status 1 if a habit is more frequent than LIMITS allows, over all pages, over the comments of all headers, or over their messages and
advices. --list prints the sentences with one habit.
Code, headings and rows of tables are not prose. A question may begin with "what" and "where".
Of a header (.hpp, .cuh) the comments are read.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONG = 35  # words in one sentence

PLACES = "place|folder|file|line|page|point|table|column|section|position|spot|from"

HABITS = {
    "what": r"\bwhat\b",  # "What a GPU is not needed for runs": name the thing
    "where": r"(?<!\w)where\b",  # for "if" and "when"; a place may be where something is
    "behind": r"\bbehind\b|\bin front\b",  # for "after" and "before"
    "nobody": r"\bnobody\b",
    "so": r"\bso(?=[.;:)])|\bso,(?! )|\b(?:run|runs|ran|asked|said|written|made|kept|done|called|marked|joined|sent|sending|astray|compiled|launched) so\b(?! that)|"
          r"\bso (?:many|much)\b(?! (?:that|more))",
    "anew": r"\banew\b|\bshall\b|\bas ever\b|\bbelongs? into\b|\bbut for\b",
    "long": None,
}

# For a thousand words over all files, on the day when counting began: of the pages, and of the comments in headers.
BEFORE = {"what": 10.63, "where": 4.56, "behind": 3.56, "nobody": 0.29, "so": 0.48, "anew": 0.77, "long": 3.63}
BEFORE_IN_HEADERS = {"what": 19.86, "where": 7.27, "behind": 5.32, "nobody": 0.45, "so": 1.20, "anew": 0.45, "long": 1.46}
# A tenth of that, and at least one sentence.
LIMITS = {habit: rate / 10 for habit, rate in BEFORE.items()}
LIMITS_IN_HEADERS = {habit: rate / 10 for habit, rate in BEFORE_IN_HEADERS.items()}


def prose_of_page(text):
    """Paragraphs and items of a page, without code, tables, comments and headings."""
    text = re.sub(r"^(```|~~~).*?^\1\s*$", "\n", text, flags=re.M | re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"^---\n.*?^---\n", "", text, flags=re.M | re.S) if text.startswith("---") else text
    blocks, current = [], []
    for line in text.splitlines():
        bare = line.strip()
        item = re.match(r"(?:[-*+]|\d+\.)\s+", bare)
        if not bare or item or bare.startswith(("|", "#", "!!!", "???", "===", "<")):
            if current:
                blocks.append(" ".join(current))
            current = []
        if bare and not bare.startswith(("|", "#", "===", "<")) and not re.match(r"(!!!|\?\?\?)", bare):
            current.append(bare[item.end():] if item else bare.lstrip("> "))
    return blocks + ([" ".join(current)] if current else [])


def prose_of_header(text):
    """The comments of a header, those on lines that follow each other as one."""
    blocks, current = [], []
    for line in text.splitlines():
        comment = re.match(r"\s*///?<?\s?(.*)$", line)
        if comment and "SPDX" not in line and not re.match(r"\[/?[^\]]*\]$|namespace|clang-format|NOLINT|cppcheck", comment[1]):
            if re.match(r"  |- ", comment[1]):  # a line of code or of a table; an item
                blocks.append(" ".join(current))
                current = []
            if not comment[1].startswith("  "):
                current.append(comment[1].removeprefix("- "))
        else:
            if current:
                blocks.append(" ".join(current))
            current = []
            tail = re.search(r"[;{}),]\s+// (.*)$", line)
            if tail and not re.match(r"namespace|NOLINT|clang-format|cppcheck", tail[1]):
                blocks.append(tail[1])
    return blocks + ([" ".join(current)] if current else [])


def sentences(block):
    block = re.sub(r"`[^`]*`", "CODE", block)
    block = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block)
    block = re.sub(r"[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}", "", block)
    return [s for s in re.split(r"(?<=[.?!])[)\"”]?\s+(?=[A-Z(\"“0-9])", block) if s.strip()]


def words(sentence):
    return len(re.findall(r"[A-Za-z0-9µ][\w'’./²³-]*", sentence))


def found(habit, sentence):
    if habit == "long":
        return int(words(sentence) > LONG)
    if sentence.rstrip(")\"” ").endswith("?"):
        return 0
    hits = re.findall(HABITS[habit], sentence, re.I)
    if habit == "where":
        return len(hits) - len(re.findall(rf"\b(?:{PLACES})s?,? where\b", sentence, re.I))
    return len(hits)


def read(path):
    text = path.read_text(encoding="utf-8")
    blocks = prose_of_page(text) if path.suffix == ".md" else prose_of_header(text)
    return [s for block in blocks for s in sentences(block)]


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", ROOT / "bench/RESULTS.md", *sorted((ROOT / "docs").rglob("*.md"))]


def headers():
    return sorted(file for pattern in ("*.hpp", "*.cuh") for file in (ROOT / "include").rglob(pattern))


def messages(path):
    """The texts that a header prints at run time, without pages of HTML, and the advices of its errors, which are names of types."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', "", re.sub(r"//.*", "", path.read_text(encoding="utf-8")), flags=re.S)
    advices = {name for name in re.findall(r"\bstruct ([a-z][a-z0-9_]+)(?=[,>;])", text) if name.count("_") > 2}
    return [part for part in re.findall(r'"((?:[^"\\\n]|\\.)*)"', text) if " " in part] + [name.replace("_", " ") for name in sorted(advices)]


ROW = "{:28}" + "{:>8}" * (len(HABITS) + 1)


def count(paths, each, read=read):
    """The number of words of some files, and of sentences with each habit."""
    total, counts = 0, dict.fromkeys(HABITS, 0)
    for path in paths:
        text = read(path)
        size = sum(map(words, text))
        here = {habit: sum(found(habit, s) for s in text) for habit in HABITS}
        total += size
        for habit, number in here.items():
            counts[habit] += number
        if each:
            print(ROW.format(path.name, size, *(f"{1000 * number / max(size, 1):.2f}" for number in here.values())))
    return total, counts


def report(name, paths, before, limits, each, read=read):
    """Prints the rates of some files; returns the habits that are too frequent."""
    total, counts = count(paths, each, read)
    rates = {habit: 1000 * number / max(total, 1) for habit, number in counts.items()}
    print(ROW.format(name, total, *(f"{rate:.2f}" for rate in rates.values())))
    for label, table in (("    when counting began", before), ("    limit", limits)):
        print(ROW.format(label, "", *(f"{table[habit]:.2f}" for habit in HABITS)))
    return [habit for habit in HABITS if counts[habit] > 1 and rates[habit] > limits[habit]]


def main(arguments):
    if arguments[:1] == ["--list"]:
        for path in [Path(a) for a in arguments[2:]] or [*pages(), *headers()]:
            for sentence in read(path):
                if found(arguments[1], sentence):
                    print(f"{path.name}: {sentence}")
        return 0
    check = arguments[:1] == ["--check"]
    given = [Path(a) for a in arguments[check:]]
    print(ROW.format("for a thousand words", "words", *HABITS))
    bad = report("all" if given else "pages", given or pages(), BEFORE, LIMITS, not check)
    if not given:
        bad += report("comments in headers", headers(), BEFORE_IN_HEADERS, LIMITS_IN_HEADERS, False)
        bad += report("messages and advices", headers(), BEFORE, LIMITS, False, messages)
    if check and bad:
        print(f"too frequent: {', '.join(bad)}; prose.py --list {bad[0]} shows the sentences")
    return int(check and bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
