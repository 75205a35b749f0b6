#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every file that names the version names the same one."""
import re
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
found = {
    file: re.search(pattern, (root / file).read_text(encoding="utf-8"), re.M)
    for file, pattern in {
        "CMakeLists.txt": r"project\(cograph VERSION ([\d.]+)",
        "CITATION.cff": r"^version: ([\d.]+)",
        "CHANGELOG.md": r"^## .*?(\d+\.\d+\.\d+)",
        "cmake/packages/vcpkg/cograph/vcpkg.json": r'"version": "([\d.]+)"',
        "cmake/packages/conan/conanfile.py": r'version = "([\d.]+)"',
    }.items()
}
versions = {file: match and match[1] for file, match in found.items()}
config = (root / "include/cograph/expr/core/config.hpp").read_text(encoding="utf-8")
versions["config.hpp"] = ".".join(re.findall(r"#define COGRAPH_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", config))
if len(set(versions.values())) != 1 or None in versions.values():
    sys.exit(f"versions differ: {versions}")
print(f"version {versions['config.hpp']} in {len(versions)} files")
