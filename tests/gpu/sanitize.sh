#!/usr/bin/env bash
# Runs the GPU tests under compute-sanitizer, each family of tests (a Catch2 tag) in a process of its own, and ends with a table.
#   bash tests/gpu/sanitize.sh build/tests/gpu/gpu_tests [-j JOBS] [-t SECONDS] [-o FOLDER] [-c] [TOOL...]
# The tools are memcheck, racecheck, synccheck and initcheck, unless some are named. JOBS run at once (a core each, at most 8), each
# for SECONDS at most (600); what they say is kept in FOLDER. Runs of initcheck have the GPU to themselves, behind the others: while
# processes share it, the tool overlooks some of what kernels of a graph write side by side, also in graphs made by hand. Fails when
# a tool finds something or a test fails. A run that is out of time is told and is no finding. What tests provoke on purpose, errors
# of the API, is not reported. racecheck is wrong about some barriers (barriers_by_hand): it reports "clusters run loops, branches, ..."
# and "groups of threads whose work has two parts".
#
# Every test of expressions runs as lowered graph, node by node, eagerly, and eagerly as it is lowered. Left out, and counted, are
#   - launches of graphs with conditional nodes, whose bodies no tool follows: most tests, or sections of tests, end where they make
#     the first (leave_out.hpp). With -c, a tool that gets conditional_by_hand right three times looks at them;
#   - what a test does from where it asks how much memory is free: the tools take memory, too;
#   - tests tagged [long]: a second on a GPU, minutes or hours under a tool.
set -uo pipefail
program=$(readlink -f "${1:?which program of tests?}")
shift
cores=$(nproc)
jobs=$((cores < 8 ? cores : 8)) seconds=600 folder='' conditionals=''
while getopts j:t:o:c option; do
    case $option in
        j) jobs=$OPTARG ;;
        t) seconds=$OPTARG ;;
        o) folder=$OPTARG ;;
        c) conditionals=1 ;;
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
if [ -n "$folder" ]; then
    mkdir -p "$folder"
    folder=$(readlink -f "$folder")
    rm -f "$folder/outcomes" "$folder/conditionals"
else
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi

under() { # TOOL SECONDS PROGRAM ARGUMENT...
    timeout -k 30 "$2" "$sanitizer" --tool "$1" --report-api-errors no --error-exitcode 99 --print-limit 20 "${@:3}"
}

# Three times, since some tools get it right now and then.
follows_conditionals() { # TOOL
    local attempt
    [ -n "$conditionals" ] || return 1
    for attempt in 1 2 3; do
        under "$1" 120 "$by_hand" >"$folder/$1.by_hand.$attempt" 2>&1 || return
    done
}

run() { # TOOL WITHOUT_CONDITIONALS FAMILY
    local file=$folder/$1.$3 start=$SECONDS status outcome=found summary left own
    own=$(mktemp -d)  # some tests write files
    (cd "$own" && COGRAPH_TESTS_UNDER_TOOL=1 COGRAPH_TESTS_WITHOUT_CONDITIONALS=$2 \
        under "$1" "$seconds" "$program" "[$3]~[long]") >"$file" 2>&1
    status=$?
    rm -rf "$own"
    summary=$(grep -hE "ERROR SUMMARY|RACECHECK SUMMARY" "$file" | tail -n 1 | sed 's/^=* *//')
    left=$(sed -n 's/^left out [^:]*: //p' "$file" | sort -u | wc -l)
    case $status in
        0) [ -n "$summary" ] && grep -qE '^(All tests passed|test cases:)' "$file" && outcome=clean ;;
        124 | 137) outcome=late ;;
    esac
    echo "$1 $outcome $left" >>"$folder/outcomes"
    echo "$outcome: $1 $3, status $status, ${summary:-no summary}, $left tests left out in part ($((SECONDS - start)) s)"
    [ $outcome = clean ] || grep -E "^=+ |FAILED|^due to|^  [0-9]+ == |cograph:" "$file" | head -n 20
}
export -f under run
export folder seconds sanitizer program

by_hand=$(dirname "$program")/conditional_by_hand
[ -z "$conditionals" ] || "$by_hand" || {
    echo "$by_hand fails without a tool: nothing to learn under one" >&2
    exit 2
}
mapfile -t families < <("$program" --list-tags | grep -oE '\[[A-Za-z0-9_-]+\]' | tr -d '[]' | grep -vxE 'gpu|long' | sort -u)
[ "${#families[@]}" != 0 ] || {
    echo "$program has no tests, or there is no GPU" >&2
    exit 2
}
long=$("$program" --list-tests '[long]' | sed -n 's/^\([0-9]*\) matching test case.*/\1/p')

run_all() { # JOBS TOOL...
    local tool without
    for tool in "${@:2}"; do
        without=0
        follows_conditionals "$tool" || {
            without=1
            [ -z "$conditionals" ] || echo "$tool cannot follow bodies of conditional nodes" >&2
        }
        echo "$tool $without" >>"$folder/conditionals"
        printf "$tool $without %s\n" "${families[@]}"
    done | xargs -r -P "$1" -L 1 bash -c 'run "$0" "$1" "$2"'
}
shared=() alone=()
for tool in "${tools[@]}"; do
    case $tool in
        initcheck) alone+=("$tool") ;;
        *) shared+=("$tool") ;;
    esac
done
run_all "$jobs" "${shared[@]}"
run_all 1 "${alone[@]}"

echo
printf '%-10s %9s %6s %6s %12s %15s  %s\n' tool families clean found 'out of time' 'tests left out' 'bodies of conditional nodes'
for tool in "${tools[@]}"; do
    awk -v tool="$tool" -v long="$long" '$1 == tool && NF == 2 { bodies = $2 ? "left out" : "looked at" }
        $1 == tool && NF == 3 { ++families; ++count[$2]; left += $3 }
        END {
            printf "%-10s %9d %6d %6d %12d %15d  %s\n", tool, families, count["clean"], count["found"], count["late"], left + long, bodies
        }' "$folder/conditionals" "$folder/outcomes"
done
echo "of the tests left out, $long are [long]; of the others, a part has run"
! grep -q ' found ' "$folder/outcomes"
