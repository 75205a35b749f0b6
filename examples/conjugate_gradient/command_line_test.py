# SPDX-License-Identifier: Apache-2.0
"""Runs the solver on good and hostile input: each run must end, with the expected status and words.

usage: command_line_test.py PROGRAM DATA_FOLDER [FOLDER_OF_MATRICES_FROM_APPLICATIONS]
"""
import pathlib
import subprocess
import sys

program, data, *applications = sys.argv[1:]
data = pathlib.Path(data)
applications = pathlib.Path(applications[0] if applications else "")

SOLVED, FAILED, USAGE, FILE, MATRIX, NOT_CONVERGED = range(6)

cases = [
    (SOLVED, "", ["--help"]),
    (SOLVED, "", ["--poisson", "1"]),
    (SOLVED, "", ["--poisson", "32", "--tolerance", "1e-13"]),
    (NOT_CONVERGED, "not converged", ["--poisson", "32", "--max-iterations", "5"]),
    (USAGE, "either a file or --poisson", []),
    (USAGE, "either a file or --poisson", ["--poisson", "4", "file.mtx"]),
    (USAGE, "only one file", ["one.mtx", "two.mtx"]),
    (USAGE, "file name is empty", [""]),
    (USAGE, "unknown option --fast", ["--fast"]),
    (USAGE, "--poisson needs", ["--poisson"]),
    (USAGE, "not '0'", ["--poisson", "0"]),
    (USAGE, "not '8193'", ["--poisson", "8193"]),
    (USAGE, "not '99999999999'", ["--poisson", "99999999999"]),
    (USAGE, "not '4x'", ["--poisson", "4x"]),
    (USAGE, "not 'nan'", ["--poisson", "4", "--tolerance", "nan"]),
    (USAGE, "not '0'", ["--poisson", "4", "--tolerance", "0"]),
    (USAGE, "not '1e999'", ["--poisson", "4", "--tolerance", "1e999"]),
    (USAGE, "not '-1'", ["--poisson", "4", "--max-iterations", "-1"]),
    (FILE, "cannot open the file", ["no/such/file.mtx"]),
    (FILE, "is it a regular file?", [str(data)]),
]

refused_by_the_solver = {
    "good_indefinite.mtx": "not positive definite: p'Ap",
    "good_negative_diagonal.mtx": "not positive definite: the diagonal entry of row 2 is -1",
    "good_unsymmetric.mtx": "not symmetric: entry (1, 2)",
    "good_huge_values.mtx": "leave the range of double",
}
for file in sorted(data.glob("*.mtx")):
    if file.name.startswith("bad_"):
        cases.append((FILE, str(file), [str(file)]))
    else:
        words = refused_by_the_solver.get(file.name, "")
        cases.append((MATRIX if words else SOLVED, words, [str(file)]))

for name, status, words in [("494_bus.mtx", SOLVED, ""), ("1138_bus.mtx", SOLVED, ""),
                            ("bcsstk01.mtx", SOLVED, ""), ("bcspwr10.mtx", MATRIX, "not positive definite")]:
    if (applications / name).exists():
        cases.append((status, words, [str(applications / name)]))
    else:
        print(f"skipped: {name} is not there")

failures = 0
for status, words, arguments in cases:
    try:
        run = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
        seen, message = run.returncode, run.stderr
    except subprocess.TimeoutExpired:
        seen, message = "none, still running", ""
    silent = not message and seen != SOLVED
    if seen != status or words not in message or silent or (seen == SOLVED and message):
        failures += 1
        print(f"{arguments}: status {seen}, expected {status}; said {message!r}, expected {words!r}")
print(f"{len(cases)} runs, {failures} wrong")
sys.exit(failures > 0)
