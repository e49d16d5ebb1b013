#!/usr/bin/env bash
# Prints the prefix of the Open MPI to compile against, or fails and says what to set.
# Looked at, in order: MPI_HOME, the mpirun on the PATH, $XDG_DATA_HOME/kintsugi/openmpi-ulfm, /opt/kintsugi/openmpi-ulfm.
# A candidate is probed, not trusted. (org.kintsugi.launch.MpiHome looks in the same places when a job is started.)
set -euo pipefail

own="${XDG_DATA_HOME:-$HOME/.local/share}/kintsugi/openmpi-ulfm"

# Why a prefix cannot be used; nothing if it can.
objection() {
  local version
  if [ ! -x "$1/bin/mpirun" ]; then
    echo "no bin/mpirun in it"
    return
  fi
  version=$("$1/bin/mpirun" --version 2>&1 | head -n 1 || true)
  if ! [[ "$version" =~ Open\ MPI\)\ ([0-9]+)\. ]]; then
    echo "its mpirun is not Open MPI's: $version"
  elif [ "${BASH_REMATCH[1]}" -lt 5 ]; then
    echo "it has no ULFM, which came with Open MPI 5.0: $version"
  elif [ ! -f "$1/include/openmpi/mpiext/mpiext_ftmpi_c.h" ]; then
    echo "it has no ULFM: it was not configured --with-ft=mpi, or its headers are not installed"
  elif [ "$1" = "$own" ] && [ "$(cat "$own/kintsugi.stamp" 2>/dev/null)" != "$("$(dirname "$0")/stamp.sh")" ]; then
    echo "it was built from other sources or patches than this checkout's"
  fi
}

if [ -n "${MPI_HOME:-}" ]; then
  why=$(objection "$MPI_HOME")
  if [ -n "$why" ]; then
    echo "MPI_HOME=$MPI_HOME: $why. Set MPI_HOME to another one, or unset it" >&2
    exit 1
  fi
  echo "$MPI_HOME"
  exit 0
fi

candidates=()
if path_mpirun=$(command -v mpirun); then
  candidates+=("$(dirname "$(dirname "$path_mpirun")")")
fi
candidates+=("$own" /opt/kintsugi/openmpi-ulfm)
for candidate in "${candidates[@]}"; do
  why=$(objection "$candidate")
  if [ -z "$why" ]; then
    echo "$candidate"
    exit 0
  fi
  echo "passed over $candidate: $why" >&2
done
echo "no Open MPI with ULFM found: set MPI_HOME, or run native/openmpi/build.sh" >&2
exit 1
