#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/reference.md has every public name, those that a header takes from cograph::core into cograph and those of cograph::nvtx, that the table of
headers in docs/install.md has every header that gives such names or stands beside the rooms, and that the pages name nothing that does not exist: every name with
an underscore in code of a line is in a source file, or is one of others."""
import re
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
page = (root / "docs/reference.md").read_text(encoding="utf-8")
names, headers = set(), set()
for header in sorted((root / "include").rglob("*.[ch]*")):
    text = header.read_text(encoding="utf-8")
    here = {name.rsplit("::", 1)[-1] for name in re.findall(r"^using core::([\w:]+);", text, re.M)}
    names |= here
    if here or header.parent == root / "include/cograph":
        headers.add(header.relative_to(root / "include").as_posix())
    for inside in re.findall(r"^namespace cograph::nvtx \{(.*?)^\}  // namespace", text, re.M | re.S):
        names |= {"nvtx::" + name for name in re.findall(r"^\S.*?\b(\w+)\(.*\) \{$", inside, re.M) + re.findall(r"^class (\w+)", inside, re.M)}
missing = sorted(name for name in names if not re.search(rf"\b{re.escape(name)}\b", page))
if missing or len(names) < 100 or not {"nvtx::run_on", "nvtx::executable"} <= names:
    sys.exit(f"of {len(names)} public names, docs/reference.md lacks {missing}")
print(f"docs/reference.md has {len(names)} public names")

table = set(re.findall(r"`(cograph/[\w/]+\.\w+)`", (root / "docs/install.md").read_text(encoding="utf-8").split("\n## Headers\n")[1].split("\n## ")[0]))
internal = {"cograph.hpp", "cograph.cuh", "cograph/all_but_operators.hpp", "cograph/error.hpp", "cograph/expr/algorithm/fill.hpp"}  # cograph.hpp includes them
wrong = sorted((headers - internal - table) | {name for name in table if not (root / "include" / name).is_file()})
if wrong or len(table) < 20:
    sys.exit(f"of {len(table)} headers in the table of docs/install.md, these are missing there or do not exist: {wrong}")

# Names of other tools, of readers' own functions, and parts of names.
OTHERS = set("""SKEDCHECK22_INVALIDATE_ACTIVE_QMD always_inline capture_if on_true on_false make_graphed_callables temp_storage_bytes host_implementation f_on_host host_f
fake_ _test _MINOR _PATCH""".split())
known = OTHERS | set(re.findall(r"\w+", (root / "CMakeLists.txt").read_text(encoding="utf-8")))
for folder in ("include", "tests", "examples", "bench", "cmake"):
    for file in (root / folder).rglob("*"):
        if file.suffix in (".hpp", ".cuh", ".cpp", ".cu", ".py", ".txt", ".sh", ".cmake") and file.resolve() != Path(__file__).resolve():
            known |= set(re.findall(r"\w+", file.read_text(encoding="utf-8", errors="ignore") + file.name))
pages = [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md", root / "bench/RESULTS.md", *sorted((root / "docs").rglob("*.md"))]
unknown = []
for file in pages:
    text = re.sub(r"^```.*?^```", "", file.read_text(encoding="utf-8"), flags=re.M | re.S)
    for code in re.findall(r"`([^`\n]+)`", text):
        unknown += [f"{file.name}: {name}" for name in re.findall(r"\b[A-Za-z_]\w{3,}\b", code) if "_" in name and name not in known]
if unknown:
    sys.exit("the pages have names that no source file has: " + ", ".join(sorted(set(unknown))))
