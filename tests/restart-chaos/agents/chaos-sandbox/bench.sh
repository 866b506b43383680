#!/usr/bin/env bash
# bench.sh <task> <nonce>: the long command of this project. What it measures and writes is in bench_steps.py.
set -u
if [ "$#" -ne 2 ]; then
  echo "usage: bash bench.sh <task> <nonce>" >&2
  exit 2
fi
cd "$(dirname "$0")" || exit 2
# exec, so that ending this process ends the bench and no shell is left between them.
exec python3 -B -u bench_steps.py "$1" "$2"
