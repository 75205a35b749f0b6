#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that a compiler warns of every struct of a file by name, and compiles it all the same.

    check.py FILE COMPILER FLAGS...
"""
import os
import re
import subprocess
import sys
import tempfile

file, *command = sys.argv[1:]
with tempfile.TemporaryDirectory() as scratch:
    run = subprocess.run([*command, "-c", "-o", os.path.join(scratch, "object"), file], text=True, errors="replace",
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
warnings = [line for line in run.stdout.splitlines() if "warning" in line and "calling a __host__ function(" in line]
structs = re.findall(r"^struct (\w+)", open(file, encoding="utf-8").read(), re.M)
silent = [name for name in structs if not any(f'"{name}::operator' in line for line in warnings)]
if run.returncode or silent or not structs:
    sys.exit(f"{run.stdout}\nstatus {run.returncode}, no warning of {silent} among {structs}")
print(f"{len(structs)} function objects, each with its warning")
