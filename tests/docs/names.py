#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/reference.md has every public name: what a header takes from cograph::core into cograph, and what is in
cograph::nvtx."""
import re
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
page = (root / "docs/reference.md").read_text(encoding="utf-8")
names = set()
for header in sorted((root / "include").rglob("*.[ch]*")):
    text = header.read_text(encoding="utf-8")
    names |= {name.rsplit("::", 1)[-1] for name in re.findall(r"^using core::([\w:]+);", text, re.M)}
    for inside in re.findall(r"^namespace cograph::nvtx \{(.*?)^\}  // namespace", text, re.M | re.S):
        names |= {"nvtx::" + name for name in re.findall(r"^\S.*?\b(\w+)\(.*\) \{$", inside, re.M) + re.findall(r"^class (\w+)", inside, re.M)}
missing = sorted(name for name in names if not re.search(rf"\b{re.escape(name)}\b", page))
if missing or len(names) < 100 or not {"nvtx::run_on", "nvtx::executable"} <= names:
    sys.exit(f"of {len(names)} public names, docs/reference.md lacks {missing}")
print(f"docs/reference.md has {len(names)} public names")
