#!/usr/bin/env bash
# find.sh [ulfm|reinit]: prints the prefix of the Open MPI of that flavour to compile against, or fails and says what to set.
# Looked at, in order:
#   ulfm    MPI_HOME, which decides; the mpirun on the PATH, $XDG_DATA_HOME/kintsugi/openmpi-ulfm, /opt/kintsugi/openmpi-ulfm
#   reinit  REINIT_HOME, which decides; $XDG_DATA_HOME/kintsugi/reinit, /opt/kintsugi/reinit
# KINTSUGI_OPTIONAL_NATIVES=none hides the fork, FTI and SCR: for tests of what a machine without them does.
# Each candidate is tested. (org.kintsugi.runtime.MpiHome looks in the same places when a job is
# started.)
set -euo pipefail

flavour=${1:-ulfm}
data="${XDG_DATA_HOME:-$HOME/.local/share}/kintsugi"

# Why a prefix cannot be used; nothing if it can.
objection() {
  if [ ! -x "$1/bin/mpirun" ]; then
    echo "no bin/mpirun in it"
  elif [ "$flavour" = ulfm ]; then
    objection_to_ulfm "$1"
  elif ! grep -qi reinit "$1/include/mpi-ext.h" 2>/dev/null; then
    echo "it is not the Reinit++ fork: its include/mpi-ext.h knows no Reinit"
  fi
}

objection_to_ulfm() {
  local version
  version=$("$1/bin/mpirun" --version 2>&1 | head -n 1 || true)
  if ! [[ "$version" =~ Open\ MPI\)\ ([0-9]+)\. ]]; then
    echo "its mpirun is not Open MPI's: $version"
  elif [ "${BASH_REMATCH[1]}" -lt 5 ]; then
    echo "it has no ULFM, which came with Open MPI 5.0: $version"
  elif [ ! -f "$1/include/openmpi/mpiext/mpiext_ftmpi_c.h" ]; then
    echo "it has no ULFM: it was not configured --with-ft=mpi, or its headers are not installed"
  elif [ "$1" = "$data/openmpi-ulfm" ] && [ "$(cat "$1/kintsugi.stamp" 2>/dev/null)" != "$("$(dirname "$0")/stamp.sh")" ]; then
    echo "it was built from other sources or patches than this checkout's"
  fi
}

candidates=()
case $flavour in
ulfm)
  variable=MPI_HOME
  if path_mpirun=$(command -v mpirun); then
    candidates+=("$(dirname "$(dirname "$path_mpirun")")")
    behind_links=$(dirname "$(dirname "$(readlink -f "$path_mpirun")")")
    [ "$behind_links" = "${candidates[0]}" ] || candidates+=("$behind_links")
  fi
  candidates+=("$data/openmpi-ulfm" /opt/kintsugi/openmpi-ulfm)
  missing="no Open MPI with ULFM found: set MPI_HOME to one, or run make setup, which builds it (5 to 25 minutes)"
  ;;
reinit)
  if [ "${KINTSUGI_OPTIONAL_NATIVES:-}" = none ]; then
    echo "the Reinit++ fork is not looked for: KINTSUGI_OPTIONAL_NATIVES=none" >&2
    exit 1
  fi
  variable=REINIT_HOME
  candidates+=("$data/reinit" /opt/kintsugi/reinit)
  missing="no Reinit++ fork of Open MPI found (branch reinit of github.com/ggeorgakoudis/ompi): install one, and set REINIT_HOME \
to its prefix if it is elsewhere. Only FLAVOUR=reinit needs it; all else goes on without"
  ;;
*)
  echo "find.sh: $flavour: expected ulfm or reinit" >&2
  exit 1
  ;;
esac

if [ -n "${!variable:-}" ]; then
  why=$(objection "${!variable}")
  if [ -n "$why" ]; then
    echo "$variable=${!variable}: $why. Set $variable to another one, or unset it" >&2
    exit 1
  fi
  echo "${!variable}"
  exit 0
fi
for candidate in "${candidates[@]}"; do
  why=$(objection "$candidate")
  if [ -z "$why" ]; then
    echo "$candidate"
    exit 0
  fi
  echo "passed over $candidate: $why" >&2
done
echo "$missing" >&2
exit 1
