#!/usr/bin/env bash
# Runs a program of GPU tests under compute-sanitizer: memcheck, racecheck, synccheck and initcheck, a family of tests (a Catch2
# tag) at a time. Every test runs as lowered graph, node by node and eagerly, so the tools see every lowering.
#   bash tests/gpu/sanitize.sh build/tests/gpu/gpu_tests [-j JOBS] [-t SECONDS] [TOOL...]
# JOBS run at once (default 4), each for SECONDS at most (default 600). Fails when a tool finds something or a test fails; a run
# out of time is told and is no finding. What tests provoke on purpose, errors of the API, is not reported.
set -uo pipefail
program=$1
shift
jobs=4 seconds=600
while getopts j:t: option; do
    case $option in
        j) jobs=$OPTARG ;;
        t) seconds=$OPTARG ;;
        *) exit 2 ;;
    esac
done
shift $((OPTIND - 1))
tools=("$@")
[ "${#tools[@]}" != 0 ] || tools=(memcheck racecheck synccheck initcheck)
sanitizer=$(PATH="$PATH:/usr/local/cuda/bin" command -v compute-sanitizer) || {
    echo "compute-sanitizer is not there: it comes with the CUDA toolkit" >&2
    exit 2
}
said=$(mktemp -d)
trap 'rm -rf "$said"' EXIT

run() { # TOOL TAG
    local file=$said/$1.$2 start=$SECONDS status
    timeout "$seconds" "$sanitizer" --tool "$1" --report-api-errors no --error-exitcode 99 --print-limit 20 "$program" "[$2]" >"$file" 2>&1
    status=$?
    local found
    found=$(grep -hE "ERROR SUMMARY|RACECHECK SUMMARY" "$file" | tail -n 1 | sed 's/^=* *//')
    case $status in
        0) echo "clean    $1 $2: ${found:-no summary} ($((SECONDS - start)) s)" ;;
        124) echo "out of time $1 $2: after $seconds s, $(grep -cE '^=+ (Error|Invalid|Uninit|Barrier|Race)' "$file") findings so far" ;;
        *)
            echo "FOUND    $1 $2: status $status, ${found:-no summary} ($((SECONDS - start)) s)"
            grep -E "^=+ |FAILED|^due to|cograph:" "$file" | head -n 20
            touch "$said/failed"
            ;;
    esac
}
export -f run
export said seconds sanitizer program

mapfile -t tags < <("$program" --list-tags | grep -oE '\[[A-Za-z0-9_-]+\]' | tr -d '[]' | grep -vx gpu | sort -u)
for tool in "${tools[@]}"; do
    for tag in "${tags[@]}"; do printf '%s %s\n' "$tool" "$tag"; done
done | xargs -P "$jobs" -L 1 bash -c 'run "$0" "$1"'
echo "${#tools[@]} tools over ${#tags[@]} families of tests"
[ ! -e "$said/failed" ]
