#!/usr/bin/env bash
# Runs several ranks on one GPU: with host names of their own and the loopback, NCCL takes processes for hosts.
# usage: processes.sh PROGRAM RANKS
set -u
nvidia-smi -L >/dev/null 2>&1 || { echo "no GPU"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export NCCL_SOCKET_IFNAME=lo
processes=()
for ((rank = 0; rank < $2; ++rank)); do
    NCCL_HOSTID=host$rank timeout 120 "$1" process "$rank" "$2" "$folder/id" 32 &
    processes+=($!)
done
wrong=0
for process in "${processes[@]}"; do
    wait "$process" || wrong=1
done
exit $wrong
