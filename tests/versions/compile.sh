#!/usr/bin/env bash
# Compiles the static tests, every header and simulations with each g++ and clang++ that is installed, with those named on the
# command line, and the CUDA part against the headers of toolkit 12.8 and by nvcc 13.5. What is not installed comes from the package index:
#   bash tests/versions/compile.sh [--fetch] [COMPILER...]
# --fetch gets clang++ 22 with libc++ (ziglang), the headers of CUDA 12.8 and nvcc 13.5 into build-versions.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder=$root/build-versions
mkdir -p "$folder"
if [ "${1:-}" = --fetch ]; then
    shift
    python3 -m pip install -q --target "$folder/zig" ziglang
    python3 -m pip install -q --no-deps --target "$folder/cuda" nvidia-cuda-runtime-cu12==12.8.90 nvidia-cuda-cccl-cu12==12.8.90
    python3 -m pip install -q --no-deps --target "$folder/newest" nvidia-cuda-nvcc==13.5.37 'nvidia-nvvm==13.5.*' 'nvidia-cuda-crt==13.5.*' \
        'nvidia-cuda-runtime==13.5.*' nvidia-cuda-cccl==13.3.5.0.6
fi

compilers=("$@")
for name in g++ g++-{12..16} clang++ clang++-{14..23}; do
    ! command -v "$name" >/dev/null || compilers+=("$name")
done
if [ -d "$folder/zig" ]; then
    printf '#!/bin/sh\nPYTHONPATH="%s" exec python3 -m ziglang c++ "$@"\n' "$folder/zig" >"$folder/zig++"
    chmod +x "$folder/zig++"
    compilers+=("$folder/zig++")
fi

failed=0
declare -A seen
check() { # NAME COMMAND...
    local name=$1
    shift
    "$@" >"$folder/said" 2>&1 && return
    echo "FAILED: $name"
    head -n 5 "$folder/said"
    failed=1
}
flags=(-std=c++20 -Wall -Wextra -Werror "-I$root/include" "-I$root/tests" -x c++)
for compiler in "${compilers[@]}"; do
    version=$("$compiler" --version | sed -n '1s/^[^ ]* //p')  # without the name it was called by
    [ -z "${seen[$version]:-}" ] || continue
    seen[$version]=1
    version="$(basename "$compiler") $version"
    extra=(-fsyntax-only)
    case $compiler in *zig++) extra=(-c -o "$folder/object.o" -idirafter /usr/include) ;; esac  # it knows no -fsyntax-only
    for header in $(cd "$root/include" && find . -name '*.hpp'); do
        echo "#include <$header>" >"$folder/header.cpp"
        check "$version: $header" "$compiler" "${extra[@]}" "${flags[@]}" "$folder/header.cpp"
    done
    for source in "$root"/tests/static/*.cpp "$root"/tests/docs/draw.cpp "$root"/examples/*/*.cu; do
        [ ! -e "$(dirname "$source")/libraries.cmake" ] || continue  # needs CUDA
        check "$version: $source" "$compiler" "${extra[@]}" "${flags[@]}" "$source"
    done
    echo "compiled: $version"
done

check_cuda() { # NAME NVCC FLAG...
    local name=$1
    shift
    for source in "$root"/tests/faults/*.cu "$root"/tests/gpu/*.cu; do
        check "$name: $source" "$@" -std=c++20 -arch=sm_90 --extended-lambda -Werror=all-warnings "-I$root/include" "-I$root/tests" -c "$source" -o /dev/null
    done
    echo "compiled: the CUDA part, $name by $("$1" --version | grep -oE 'V[0-9.]+')"
}
toolkit=$folder/cuda/nvidia
nvcc=$(PATH="$PATH:/usr/local/cuda/bin" command -v "${CUDACXX:-nvcc}")
if [ -d "$toolkit" ] && [ -n "$nvcc" ]; then
    check_cuda "headers of 12.8" "$nvcc" "-I$toolkit/cuda_runtime/include" "-I$toolkit/cuda_cccl/include"
fi
newest=$folder/newest/nvidia/cu13/bin/nvcc
[ ! -x "$newest" ] || check_cuda "all" "$newest"
exit "$failed"
