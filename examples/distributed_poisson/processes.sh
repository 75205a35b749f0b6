#!/usr/bin/env bash
# Runs several ranks on one GPU: with host names of their own and the loopback, NCCL takes processes for hosts.
# usage: processes.sh PROGRAM RANKS mpi|id [argument of the program]...
#   mpi  mpirun starts the ranks
#   id   they are started here, with the options --rank, --ranks and --id
set -u
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU"; exit 77; }
program=$1 ranks=$2 by=$3
shift 3
export NCCL_SOCKET_IFNAME=lo
if [ "$by" = mpi ]; then
    exec mpirun --allow-run-as-root --oversubscribe -n "$ranks" bash -c 'NCCL_HOSTID=host$OMPI_COMM_WORLD_RANK timeout 120 "$0" "$@"' "$program" "$@"
fi
id=$(mktemp)
trap 'rm -f "$id"' EXIT
processes=()
for ((rank = 0; rank < ranks; ++rank)); do
    NCCL_HOSTID=host$rank timeout 120 "$program" --rank "$rank" --ranks "$ranks" --id "$id" "$@" &
    processes+=($!)
done
wrong=0
for process in "${processes[@]}"; do
    wait "$process" || wrong=1
done
exit $wrong
