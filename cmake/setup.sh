# shellcheck shell=bash
# Sourced by the run scripts: makes this machine ready, says what it found, and offers configure and build.
# Debian 12, Ubuntu 24.04 and newer have everything needed as packages; other systems need it installed by hand.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=${BUILD_DIR:-$root/build}
jobs=$(nproc)

has() { command -v "$1" >/dev/null 2>&1; }
has_header() { printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | "${CXX:-g++}" -x c++ -E - >/dev/null 2>&1; }
version_of() { "$1" --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1; }

missing_packages() {
    has "${CXX:-g++}" || echo g++
    has cmake || echo cmake
    has ninja || echo ninja-build
    has python3 || echo python3
    has dot || echo graphviz
    has_header boost/hana.hpp || echo libboost-dev
    has_header catch2/catch_test_macros.hpp || has_header catch2/catch.hpp || echo catch2
    # What continuous integration checks beyond the tests.
    [ -n "${COGRAPH_ALL_CHECKS:-}" ] || return 0
    has clang++ || echo clang
    has clang-tidy || echo clang-tidy
    has cppcheck || echo cppcheck
    python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
}

install_packages() {
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    if ! has apt-get || { [ "${#as_root[@]}" = 1 ] && ! has sudo; }; then
        echo "cannot install these packages here, please install them: $*" >&2
        return 1
    fi
    echo "installing: $*"
    local said
    said=$({ "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq -y --no-install-recommends "$@"; } 2>&1 </dev/null) || {
        tail -n 20 <<<"$said" >&2
        return 1
    }
}

find_nvcc() {
    PATH="$PATH:/usr/local/cuda/bin" command -v "${CUDACXX:-nvcc}" || true
}

say_found() {
    local gpu nvcc
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1) || gpu=""
    nvcc=$(find_nvcc)
    echo "found: ${CXX:-g++} $(version_of "${CXX:-g++}"), cmake $(version_of cmake)"
    if [ -n "$gpu" ]; then echo "found: GPU $gpu"; else echo "found: no GPU"; fi
    if [ -n "$nvcc" ]; then
        echo "found: nvcc $("$nvcc" --version | grep -oE 'release [0-9.]+' | cut -c9-) ($nvcc)"
    else
        echo "found: no nvcc, so the CUDA part is not built (it needs the CUDA toolkit 12.8 or newer)"
    fi
}

at_least() { [ "$(printf '%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

configure() {
    local options=()
    if [ ! -e "$build_dir/CMakeCache.txt" ]; then
        ! has ninja || options+=(-G Ninja)
    elif ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build_dir/CMakeCache.txt"; then
        # The folder came from elsewhere, so it knows other paths.
        options+=(--fresh)
    fi
    cmake -S "$root" -B "$build_dir" "${options[@]}" "$@"
}

build() { cmake --build "$build_dir" --parallel "$jobs" "$@"; }

mapfile -t packages < <(missing_packages)
# A package that cannot be installed may still be found by CMake; if not, it says what it needs.
[ "${#packages[@]}" = 0 ] || install_packages "${packages[@]}" || true
# The documentation is opened in a browser. Not every system has it as this package, so it is asked for alone.
if [ -n "${COGRAPH_ALL_CHECKS:-}" ]; then
    has chromium || has chromium-browser || has google-chrome || install_packages chromium || true
fi
if ! has cmake || ! has "${CXX:-g++}"; then
    echo "cmake and ${CXX:-g++} are needed (CXX names another compiler)" >&2
    exit 1
fi
say_found
at_least "$(version_of cmake)" 3.25 || {
    echo "CMake 3.25 or newer is needed: use Debian 12, Ubuntu 24.04 or newer, or install it from cmake.org" >&2
    exit 1
}
