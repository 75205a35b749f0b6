#!/usr/bin/env bash
# Runs ranks as processes on one GPU: with host names of their own and the loopback, NCCL takes them for hosts.
# usage: ranks.sh PROGRAM RANKS WHAT
set -u
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU: GPU tests skipped"; exit 0; }
export NCCL_SOCKET_IFNAME=lo
id=$(mktemp)
trap 'rm -f "$id"' EXIT
processes=()
for ((rank = 0; rank < $2; ++rank)); do
    NCCL_HOSTID=host$rank timeout 100 "$1" "$rank" "$2" "$id" "$3" &
    processes+=($!)
done
wrong=0
for process in "${processes[@]}"; do
    wait "$process" || wrong=1
done
exit $wrong
