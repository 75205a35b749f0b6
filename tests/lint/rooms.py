#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks where things are, and that headers leave each other alone, as CONTRIBUTING.md says:

- a room has at most ten files, and CONTRIBUTING.md has it on its map;
- expr includes neither plan nor host nor run, and plan neither host nor run; a .hpp includes no .cuh and nothing of CUDA;
- functions whose result is a mistake are in rooms named refused, but for those of a node of one file;
- a node of one file is named by its header and by the one that includes all nodes, and by no other;
- no code reads the address of memory as a T*: the plan keeps it as a void*;
- docs/design.md follows an argument through at most five forms and thirty files, all of which there are.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOP = ROOT / "include/cograph"
MOST_FILES = 10
MOST_FILES_OF_A_WALK = 30
BELOW = {"expr": ("plan", "host", "run", "join", "page"), "plan": ("host", "run", "join", "page"), "host": ("run", "join")}
ONE_FILE = {"fill": r"\bfill\.hpp|\bfill_elements?\b|\bcore::fill\b|\bfill\(out"}  # node: what names it
UMBRELLA = "all_but_operators.hpp"
# An object of type T* at an address; one of type void* is what the plan keeps there.
READS_A_POINTER = re.compile(r"\*\s*(?:static|reinterpret)_cast<\s*(?!(?:const )?void\b)[^<>()]*\*\s*(?:const\s*)?\*\s*>\(")

# A function of a namespace whose result is a mistake.
REFUSES = re.compile(r"^auto \w+\(.*\) -> (?:decltype\(mistake_of|mistake)<", re.M)

problems = []
folders = sorted(folder for folder in TOP.rglob("*") if folder.is_dir())
headers = sorted(path for path in TOP.rglob("*") if path.is_file())
text = {path: path.read_text(encoding="utf-8") for path in headers}

page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
rooms = set()
for first, further in re.findall(r"^\| (`[\w/`, ]+?)(?:, with (`[\w/`, ]+?))? \|", page, re.M):
    listed = re.findall(r"`([\w/]+)`", first)
    # `a/b`, `c`: c is beside b. `a`, with `b`: b is in a.
    above = listed[0].rpartition("/")[0]
    rooms |= {name if "/" in name else f"{above}/{name}".lstrip("/") for name in listed}
    rooms |= {f"{listed[0]}/{name}" for name in re.findall(r"`([\w/]+)`", further)}
for folder in folders:
    name = folder.relative_to(TOP).as_posix()
    files = [path.name for path in headers if path.parent == folder]
    if len(files) > MOST_FILES:
        problems.append(f"{name} has {len(files)} files, more than {MOST_FILES}")
    if files and name not in rooms:
        problems.append(f"{name} is not on the map in CONTRIBUTING.md")

for path in headers:
    name = path.relative_to(TOP)
    included = re.findall(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]", text[path], re.M)
    for forbidden in BELOW.get(name.parts[0], ()):
        problems += [f"{name} includes {other}" for other in included if other.startswith(f"cograph/{forbidden}/")]
    if path.suffix == ".hpp":
        problems += [f"{name} includes {other}, which is CUDA" for other in included if other.endswith((".cuh", ".h")) and re.search(r"\.cuh$|^cu|^cooperative|^nccl|^nvtx", other)]
    if REFUSES.search(text[path]) and "refused" not in name.parts and path.stem not in ONE_FILE:
        problems.append(f"{name} refuses calls: {REFUSES.search(text[path])[0]}")
    for line in text[path].splitlines():
        if READS_A_POINTER.search(line.split("//")[0]):
            problems.append(f"{name} reads the address of memory as another pointer than void*: {line.strip()}")

for node, names_it in ONE_FILE.items():
    naming = sorted(path.name for path in headers if re.search(names_it, re.sub(r"//.*", "", text[path])))
    if naming != sorted([f"{node}.hpp", UMBRELLA]):
        problems.append(f"{node} is named by {', '.join(naming)}")

walk = (ROOT / "docs/design.md").read_text(encoding="utf-8").split("## From a declaration to a kernel's argument")[1].split("\n## ")[0]
steps = [row.rsplit(" | ", 1) for row in walk.splitlines() if row.endswith(" |") and "`" in row]
named = []
for _, files in steps:
    folder = ""
    for name in re.findall(r"`([\w/.]+\.c?[uh]pp|[\w/.]+\.cuh)`", files):
        folder = name.rpartition("/")[0] or folder
        named.append(f"{folder}/{name.rpartition('/')[2]}")
problems += [f"docs/design.md names {name}, which there is not" for name in named if not (TOP / name).is_file()]
forms = set(re.findall(r"\bform (\d)\b", walk))
if len(set(named)) > MOST_FILES_OF_A_WALK or forms != set("12345"):
    problems.append(f"the walk of docs/design.md names {len(set(named))} files, and forms {sorted(forms)}")

if problems or len(steps) < 10 or len(set(named)) < 20 or len(folders) < 40 or len(headers) < 400 or len(rooms) < 40:
    sys.exit("\n".join(problems) or f"{len(folders)} folders, {len(headers)} headers and {len(rooms)} rooms, {len(steps)} steps and {len(set(named))} files of the walk: are these all?")
print(f"{len(headers)} headers in {len(folders)} rooms; the walk through {len(set(named))} of them")
