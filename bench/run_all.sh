#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds every benchmark into a folder and runs it: bench/run_all.sh [--compile-time] [build/bench]
# Prints one report and keeps it in that folder as report.log. --compile-time adds the compile-time table (minutes).
# Headers in unusual places: NVCC_APPEND_FLAGS='-I folder'. COGRAPH_TEST_DATA: the folder of 1138_bus.mtx, which lowering
# solves where it is. Peers written in Python run where they are installed.
set -euo pipefail
cd "$(dirname "$0")/.."

compile_time=no
if [[ ${1:-} == --compile-time ]]; then
    compile_time=yes
    shift
fi
out=${1:-build/bench}
mkdir -p "$out"
exec > >(tee "$out/report.log") 2>&1

flags=(-O3 -std=c++20 -arch=sm_90 -I include)
names=(launch build update loop leaf reduce lowering groups)
begin=$SECONDS
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} nvcc "${flags[@]}" bench/{}.cu -o "$out/{}" -lcublas -lcusparse
echo "built in $((SECONDS - begin)) s"

failed=()
for name in "${names[@]}"; do
    echo
    "$out/$name" "${COGRAPH_TEST_DATA:-../shared/data}/1138_bus.mtx" || failed+=("$name")
done
echo
for peer in jax torch cuda_core cupy; do
    timeout 60 python3 "bench/peers/${peer}_loops.py" || echo "$peer: failed or took more than a minute"
done
if grep -q '^lowering (' "$out/report.log"; then
    python3 bench/plot.py "$out/report.log" "$out/lowering.svg" || failed+=(plot)
fi
echo
python3 bench/leaf_sass.py || failed+=(leaf_sass)
if [[ $compile_time == yes ]]; then
    echo
    python3 bench/compile_time.py --count || failed+=(compile_time)
fi
echo
echo "took $((SECONDS - begin)) s${failed:+; failed: ${failed[*]}}"
[[ ${#failed[@]} == 0 ]]
