#!/usr/bin/env bash
# library.sh NAME FLAVOUR: prints the prefix of an optional library (fti, scr) for the MPI of that flavour, or fails and says
# where it was looked for.
# Looked at, in order: NAME_HOME, which decides; NAME-FLAVOUR and NAME in $XDG_DATA_HOME/kintsugi, then in /opt/kintsugi.
# KINTSUGI_OPTIONAL_NATIVES=none hides them all.
# A job looks in the same places (org.kintsugi.runtime.OptionalHome); OptionalHomeTest holds the two together.
set -euo pipefail

name=$1
flavour=$2
variable=${name^^}_HOME
if [ "${KINTSUGI_OPTIONAL_NATIVES:-}" = none ]; then
  echo "$name is not looked for: KINTSUGI_OPTIONAL_NATIVES=none" >&2
  exit 1
fi
if [ -n "${!variable:-}" ]; then
  # A user who sets this variable wants that installation, and no other.
  candidates=("${!variable}")
else
  candidates=()
  for folder in "${XDG_DATA_HOME:-$HOME/.local/share}/kintsugi" /opt/kintsugi; do
    candidates+=("$folder/$name-$flavour" "$folder/$name")
  done
fi
for candidate in "${candidates[@]}"; do
  if [ -e "$candidate/lib/lib$name.so" ] || [ -e "$candidate/lib64/lib$name.so" ]; then
    echo "$candidate"
    exit 0
  fi
done
echo "no lib/lib$name.so and no lib64/lib$name.so in ${candidates[*]}" >&2
exit 1
