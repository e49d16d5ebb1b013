#!/usr/bin/env bash
# Node losses in C: as many processes on each node as there is need for, two of all are spares, and the second node is lost; each run
# in a cluster of its own. For the launcher alone on many nodes: 70 of them with 8 processes on the first ones.
#   node-loss.sh MPI_PREFIX CRASHES SILENT_LOSSES [NODES=3 [PROCESSES=6]]
# Prints one line a run (milliseconds: last good barrier to the error, error to the new world, both together) and fails
# if a run did not recover in place within its limit. Exit code 77: no namespaces here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cluster="$here/../../test-kit/src/main/resources/org/kintsugi/test/cluster/cluster.sh"

run_once() { # inside a cluster: KIND MPI_PREFIX PROGRAM NODES PROCESSES
  local kind=$1 mpi=$2 program=$3 nodes=$4 processes=$5 folder="/tmp/kintsugi-cluster-$KINTSUGI_CLUSTER" i job code=0
  local each=$(((processes + nodes - 1) / nodes))
  export KINTSUGI_READY="$folder/ready" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  timeout -k 5 40 "$cluster" exec "$KINTSUGI_CLUSTER" 0 "$mpi/bin/mpirun" --with-ft ulfm --oversubscribe \
    --mca async_mpi_finalize 1 --mca coll ^hcoll,portals4,han,adapt --mca mpi_yield_when_idle 1 \
    --prtemca oob_tcp_keepalive_time 1 --prtemca oob_tcp_keepalive_intvl 1 --prtemca oob_tcp_keepalive_probes 2 \
    --prtemca plm_ssh_no_tree_spawn 1 --prtemca plm_ssh_agent "$folder/agent" \
    --prtemca rml_base_radix "$((nodes < 64 ? 64 : nodes))" \
    --hostfile "$folder/hosts" --map-by "ppr:$each:node" -n "$processes" "$program" 2 5000 >"$folder/output" 2>&1 &
  job=$!
  for ((i = 0; i < 200; i++)); do
    [ ! -e "$KINTSUGI_READY" ] || break
    sleep 0.05
  done
  sleep "0.$((RANDOM % 9 + 1))"
  "$cluster" "$kind" "$KINTSUGI_CLUSTER" 1 >/dev/null
  wait "$job" || code=$?
  if [ "$code" -eq 0 ] && grep -aq "^recovery dead=$each " "$folder/output"; then
    grep -a '^recovery' "$folder/output" | sed "s/^recovery/$kind/"
  else
    echo "$kind FAILED with $code:"
    cat -v "$folder/output"
    return 1
  fi
}

if [ "${1:-}" = --once ]; then
  run_once "${@:2}"
  exit
fi
if [ $# -lt 3 ] || [ $# -gt 5 ]; then
  sed -n '4s/^# *//p' "$0" >&2
  exit 2
fi
nodes=${4:-3}
processes=${5:-6}
binary=$(mktemp)
trap 'rm -f "$binary"' EXIT
"$1/bin/mpicc" -O2 -Wall -Wextra -Werror "$here/spares.c" -o "$binary"
failed=0
for kind in crash cut; do
  count=$2
  [ "$kind" = crash ] || count=$3
  for ((n = 0; n < count; n++)); do
    code=0
    "$cluster" with "$nodes" "$0" --once "$kind" "$1" "$binary" "$nodes" "$processes" || code=$?
    [ "$code" -ne 77 ] || exit 77
    [ "$code" -eq 0 ] || failed=$((failed + 1))
  done
done
[ "$failed" -eq 0 ] || { echo "$failed runs failed" >&2; exit 1; }
