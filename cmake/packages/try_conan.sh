#!/usr/bin/env bash
# Makes the Conan package and builds a program with it: try_conan.sh FOLDER. Boost.Hana is that of the system.
# Exit status 77: Conan cannot be installed here.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$1
mkdir -p "$folder"
if ! "$folder/venv/bin/conan" --version >/dev/null 2>&1; then
    rm -rf "$folder/venv"
    python3 -m venv "$folder/venv" >/dev/null 2>&1 && "$folder/venv/bin/pip" install -q --disable-pip-version-check conan==2.34.0 ||
        { echo "skipped: Conan cannot be installed here"; exit 77; }
fi
export CONAN_HOME=$folder/home
"$folder/venv/bin/conan" profile detect --force >/dev/null 2>&1
"$folder/venv/bin/conan" create "$here/conan" --no-remote -o "cograph/*:system_boost=True" -s compiler.cppstd=20 \
    -c:a "tools.cmake.cmake_layout:test_folder=$folder/test" -c:a "tools.cmake.cmaketoolchain:user_presets="
