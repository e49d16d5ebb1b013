#!/usr/bin/env bash
# Prints a table of the native builds that Kintsugi knows: where each was found, its version, and
# what it can do. An MPI is tested: a program is compiled with it, and one rank runs.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

row() { printf '%-12s %-9s %-52s %s\n' "$@"; }

version() { # of the Open MPI in a prefix
  "$1/bin/mpirun" --version 2>/dev/null | sed -n '1s/.* //p'
}

# Runs a one-rank job, and prints its output, or why there was none. It gets the library path that jmpirun gives to ranks.
try_rank() { # PREFIX MPIRUN-OPTIONS...
  local prefix=$1 libraries=$1/lib
  shift
  [ -e "$libraries/libmpi.so.40" ] || libraries=$prefix/lib64
  if ! "$prefix/bin/mpicc" "$here/probe.c" -o "$work/probe" >"$work/log" 2>&1; then
    echo "mpicc=fails"
  elif ! LD_LIBRARY_PATH="$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" timeout -k 5 30 \
    "$prefix/bin/mpirun" "$@" -n 1 "$work/probe" 2>"$work/log" | grep -E '^(ulfm|reinit|libmpi)='; then
    echo "mpirun=fails"
  fi
}

# The libmpi that the rank had.
loaded() { # WHAT-IT-SAID
  local file
  file=$(sed -n 's/^libmpi=//p' <<<"$1")
  [ -z "$file" ] || echo "; jobs load $(readlink -f "$file")"
}

ulfm() {
  local prefix said words reason="$work/reason"
  if ! prefix=$("$here/../openmpi/find.sh" 2>"$reason"); then
    row ulfm - - "not found: $(tail -n 1 "$reason")"
    return
  fi
  words=$(try_rank "$prefix" --with-ft ulfm)
  case "$words" in
    *ulfm=active) said="revoke, shrink, agree: active with --with-ft ulfm" ;;
    *ulfm=dummies) said="ULFM is compiled in, but not active even with --with-ft ulfm" ;;
    *ulfm=none) said="no ULFM" ;;
    *) said="no rank could be run: $(tail -n 1 "$work/log")" ;;
  esac
  if [ -f "$prefix/kintsugi.stamp" ]; then
    said+="; outlives the loss of a node"
  else
    said+="; not built by Kintsugi: the loss of a node may end the job"
  fi
  said+=$(loaded "$words")
  row ulfm "$(version "$prefix")" "$prefix" "$said"
}

reinit() {
  local prefix version said words reason="$work/reason"
  if ! prefix=$("$here/../openmpi/find.sh" reinit 2>"$reason"); then
    row reinit - - "$(tail -n 1 "$reason" | sed 's/: install one.*//'); the build goes on without it, FLAVOUR=reinit is not to be had"
    return
  fi
  version=$(version "$prefix")
  words=$(try_rank "$prefix" --allow-run-as-root --mca orte_enable_recovery 1 --mca pml ^cm)
  case "$words" in
    *reinit=yes*) said="global restart: dead ranks are started anew, those of a lost node on an empty one" ;;
    *ulfm=*) said="no OMPI_Reinit: not the Reinit++ fork" ;;
    *) said="no rank could be run: $(tail -n 1 "$work/log")" ;;
  esac
  said+=$(loaded "$words")
  row reinit "$version" "$prefix" "$said"
}

row build version where "what it can do"
ulfm
reinit
