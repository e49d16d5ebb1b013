#!/usr/bin/env bash
# Prints the prefix of the Reinit++ fork of Open MPI, or fails and says what to set.
# Looked at, in order: REINIT_HOME (which decides), $XDG_DATA_HOME/kintsugi/reinit, /opt/kintsugi/reinit.
# A candidate is probed, not trusted. (org.kintsugi.launch.MpiHome looks in the same places when a job is started.)
set -euo pipefail

# Why a prefix cannot be used; nothing if it can.
objection() {
  if [ ! -x "$1/bin/mpirun" ]; then
    echo "no bin/mpirun in it"
  elif ! grep -qi reinit "$1/include/mpi-ext.h" 2>/dev/null; then
    echo "it is not the Reinit++ fork: its include/mpi-ext.h knows no Reinit"
  fi
}

if [ -n "${REINIT_HOME:-}" ]; then
  why=$(objection "$REINIT_HOME")
  if [ -n "$why" ]; then
    echo "REINIT_HOME=$REINIT_HOME: $why. Set REINIT_HOME to another one, or unset it" >&2
    exit 1
  fi
  echo "$REINIT_HOME"
  exit 0
fi

for candidate in "${XDG_DATA_HOME:-$HOME/.local/share}/kintsugi/reinit" /opt/kintsugi/reinit; do
  why=$(objection "$candidate")
  if [ -z "$why" ]; then
    echo "$candidate"
    exit 0
  fi
  echo "passed over $candidate: $why" >&2
done
echo "no Reinit++ fork of Open MPI found (branch reinit of github.com/ggeorgakoudis/ompi): install one, and set REINIT_HOME to \
its prefix if it lies elsewhere. Only FLAVOUR=reinit needs it; all else goes on without" >&2
exit 1
