# SPDX-License-Identifier: Apache-2.0
"""Builds an example that is a Python package, with pip in a folder of its own, and runs its tests.

usage: framework_test.py FRAMEWORK FOLDER

Exit status 77: FRAMEWORK (torch, jax) or pytest is not installed.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

framework, folder = sys.argv[1], Path(sys.argv[2]).resolve()
missing = [name for name in (framework, "pytest", "setuptools", "wheel") if importlib.util.find_spec(name) is None]
if missing:
    print(f"left out: no {', '.join(missing)}; pip install them to test {folder.name}")
    sys.exit(77)
with tempfile.TemporaryDirectory() as place:
    for package in ("pytorch", "jax"):  # which leave nothing in the source tree, and one has files of the other
        shutil.copytree(folder.parent / package, Path(place, "source", package))
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-build-isolation", "--no-deps", "--no-index", "--target", f"{place}/site",
                    f"{place}/source/{folder.name}"],
                   check=True, env={**os.environ, "COGRAPH_INCLUDE": str(folder.parent.parent / "include"), "PIP_ROOT_USER_ACTION": "ignore"})
    tests = [str(test) for test in folder.glob("test_*.py")]
    sys.exit(subprocess.run([sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *tests],
                            env={**os.environ, "PYTHONPATH": f"{place}/site"}).returncode)
