#!/bin/sh
# Runs a compiler that is told to write no object: sh check_only.sh COMPILER ARGUMENTS... An empty file stands for the object, so that
# the build knows what is done.
set -e
"$@"
while [ $# -gt 1 ]; do
    if [ "$1" = -o ]; then
        : > "$2"
    fi
    shift
done
