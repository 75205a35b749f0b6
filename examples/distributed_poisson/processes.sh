#!/usr/bin/env bash
# Runs several ranks, each on a GPU of its own if there are enough. Else they share them: with host names of their own and the loopback, NCCL
# takes processes for hosts.
# usage: processes.sh PROGRAM RANKS mpi|id|own [argument of the program]...
#   mpi  mpirun starts the ranks
#   id   they are started here, with the options --rank, --ranks and --id
#   own  as id, if there is a GPU for each
set -u
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU"; exit 77; }
program=$1 ranks=$2 by=$3
shift 3
export NCCL_SOCKET_IFNAME=lo
gpus=$(nvidia-smi -L | grep -c '^GPU')
[ -n "${CUDA_VISIBLE_DEVICES:-}" ] && gpus=$(tr ',' '\n' <<<"$CUDA_VISIBLE_DEVICES" | grep -c .)
if [ "$gpus" -lt "$ranks" ]; then host=host; else host=; fi
if [ "$by" = own ] && [ -n "$host" ]; then
    echo "$gpus GPUs for $ranks ranks"
    exit 77
fi
export host
start='[ -z "$host" ] || export NCCL_HOSTID=$host$rank; exec timeout 120 "$0" "$@"'
if [ "$by" = mpi ]; then
    exec mpirun --allow-run-as-root --oversubscribe -n "$ranks" bash -c 'rank=$OMPI_COMM_WORLD_RANK; '"$start" "$program" "$@"
fi
id=$(mktemp)
trap 'rm -f "$id"' EXIT
processes=()
for ((rank = 0; rank < ranks; ++rank)); do
    rank=$rank bash -c "$start" "$program" --rank "$rank" --ranks "$ranks" --id "$id" "$@" &
    processes+=($!)
done
wrong=0
for process in "${processes[@]}"; do
    wait "$process" || wrong=1
done
exit $wrong
