#!/usr/bin/env bash
# Runs several ranks on one GPU: with host names of their own and the loopback, NCCL takes processes for hosts.
# usage: processes.sh PROGRAM RANKS [mpi]
set -u
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU"; exit 77; }
export NCCL_SOCKET_IFNAME=lo
if [ "${3:-}" = mpi ]; then
    exec mpirun --allow-run-as-root --oversubscribe -n "$2" bash -c 'NCCL_HOSTID=host$OMPI_COMM_WORLD_RANK timeout 120 "$0" --side 32' "$1"
fi
id=$(mktemp)
trap 'rm -f "$id"' EXIT
processes=()
for ((rank = 0; rank < $2; ++rank)); do
    NCCL_HOSTID=host$rank timeout 120 "$1" --rank "$rank" --ranks "$2" --id "$id" --side 32 &
    processes+=($!)
done
wrong=0
for process in "${processes[@]}"; do
    wait "$process" || wrong=1
done
exit $wrong
