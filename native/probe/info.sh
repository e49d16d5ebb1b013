#!/usr/bin/env bash
# Prints a table of the native builds that Kintsugi knows: where each was found, its version, and what it can do. An MPI is
# not believed: a program is compiled with it and one rank is really run.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
user_folder="${XDG_DATA_HOME:-$HOME/.local/share}/kintsugi"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

row() { printf '%-12s %-9s %-52s %s\n' "$@"; }

version() { # of the Open MPI in a prefix
  "$1/bin/mpirun" --version 2>/dev/null | sed -n '1s/.* //p'
}

# What the rank of a one-rank job says, or why there was none. It gets the library path that jmpirun gives to ranks.
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

# The file of an optional library in a prefix: where Java looks for it, too (OptionalHome).
file_of() { # PREFIX NAME
  local folder
  for folder in lib lib64; do
    if [ -f "$1/$folder/lib$2.so" ]; then
      echo "$1/$folder/lib$2.so"
      return
    fi
  done
}

# Where an optional library is in the user's folder or /opt; prints nothing if nowhere.
home_of() { # FOLDER NAME
  local candidate
  [ "${KINTSUGI_OPTIONAL_NATIVES:-}" != none ] || return 0
  for candidate in "$user_folder/$1" "/opt/kintsugi/$1"; do
    if [ -n "$(file_of "$candidate" "$2")" ]; then
      echo "$candidate"
      return
    fi
  done
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

# What can be done with an optional library in a prefix.
library_row() { # NAME PREFIX LIBRARY HEADER WHAT-IT-GIVES
  local said=$5
  [ -f "$2/include/$4" ] || said+="; C programs cannot be compiled with it: no include/$4 in it"
  [ -n "$(file_of "$2" "$3")" ] || said="no lib/lib$3.so and no lib64/lib$3.so in it"
  row "$1" - "$2" "$said"
}

library() { # NAME VARIABLE HEADER WHAT-IT-GIVES
  local name=$1 variable=$2 flavour prefix any=
  if [ -n "${!variable:-}" ] && [ "${KINTSUGI_OPTIONAL_NATIVES:-}" != none ]; then
    # Who says where it is wants that one, and no other in its place.
    library_row "$name" "${!variable}" "$name" "$3" "$4"
    return
  fi
  for flavour in "" -ulfm -reinit; do
    prefix=$(home_of "$name$flavour" "$name")
    if [ -n "$prefix" ]; then
      any=yes
      library_row "$name$flavour" "$prefix" "$name" "$3" "$4"
    fi
  done
  [ -n "$any" ] || row "$name" - - "not found: $variable, or $name, $name-ulfm, $name-reinit in $user_folder or /opt/kintsugi"
}

row build version where "what it can do"
ulfm
reinit
library fti FTI_HOME fti.h "multi-level checkpoints"
library scr SCR_HOME scr.h "multi-level checkpoints in files"
