#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the language, the planner, the simulation and check, with Boost.Hana, into one header for compilers without CUDA.

usage: single_include.py [--boost FOLDER] FILE       for instance single_include/cograph.hpp

The file may be included as <cograph.hpp>. FOLDER has boost/hana.hpp; without it, /usr/include and /usr/local/include are searched.
A header is written where it is first included. Inside of #if it is written again when it is needed later, under a guard.
"""
import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = ["cograph.hpp", "cograph/check.hpp", "cograph/stepwise.hpp", "cograph/page/html.hpp"]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
CONDITION = re.compile(r"^\s*#\s*(if|ifdef|ifndef|endif)\b")


class Writer:
    def __init__(self, folders):
        self.folders, self.lines, self.done = folders, [], set()

    def find(self, name, near):
        candidates = [near / name] if near else []
        candidates += [folder / name for folder in self.folders]
        return next((file.resolve() for file in candidates if file.is_file()), None)

    def write(self, file, sure):
        """A header's lines; `sure` means that no condition around it can leave it out."""
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        once = any(line.strip() == "#pragma once" for line in lines)
        guard = "COGRAPH_SINGLE_" + re.sub(r"\W", "_", file.name).upper() + f"_{abs(hash_of(str(file))):x}"
        if once:
            self.lines += [f"#ifndef {guard}", f"#define {guard}"]
        # A classic guard opens a condition of its own, which does not count.
        own = 0 if once else 1
        depth = 0
        for line in lines:
            if line.strip() == "#pragma once" or line.startswith("// SPDX-License-Identifier: Apache-2.0"):
                continue
            include = INCLUDE.match(line)
            if include:
                inner = self.find(include[1], None if line.strip().endswith(">") and "<" in line else file.parent)
                if inner and ("cograph" in inner.parts or "hana" in inner.parts or inner.is_relative_to(ROOT / "include")):
                    if inner not in self.done:
                        inner_sure = sure and depth <= own
                        if inner_sure:
                            self.done.add(inner)
                        self.write(inner, inner_sure)
                    continue
            condition = CONDITION.match(line)
            if condition:
                depth += -1 if condition[1] == "endif" else 1
            self.lines.append(line)
        if once:
            self.lines.append("#endif")


def hash_of(text):
    value = 5381
    for letter in text.rsplit("include/", 1)[-1]:
        value = (value * 33 + ord(letter)) % 2**32
    return value


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boost", type=Path, action="append", default=[])
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    writer = Writer([ROOT / "include", *options.boost, Path("/usr/include"), Path("/usr/local/include")])
    if not writer.find("boost/hana/basic_tuple.hpp", None):
        sys.exit("Boost.Hana is not found: give its folder with --boost")
    for entry in ENTRIES:
        file = writer.find(entry, None)
        if file and file not in writer.done:
            writer.done.add(file)
            writer.write(file, True)
    version = re.findall(r"#define COGRAPH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/cograph/expr/core/config.hpp").read_text())
    head = ["// SPDX-License-Identifier: Apache-2.0 AND BSL-1.0", "#pragma once", "",
            f"// cograph {'.'.join(version)} in one header, for compilers without CUDA, with Boost.Hana (Boost Software License 1.0).",
            "// Made by cmake/single_include.py: change the headers in include/ instead.", ""]
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_text("\n".join(head + writer.lines) + "\n", encoding="utf-8")
    print(f"{options.file}: {len(writer.lines)} lines of {len(writer.done)} headers")


if __name__ == "__main__":
    main()
