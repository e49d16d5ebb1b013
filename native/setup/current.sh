#!/usr/bin/env bash
# current.sh STAMP TEXT FILE...: succeeds if the stamp has this text, and nothing in the files and folders is newer than it.
# Folders named target are left out: what a build writes there is no reason to build again.
set -euo pipefail

stamp=$1 text=$2
shift 2
[ "$(cat "$stamp" 2>/dev/null)" = "$text" ] &&
  [ -z "$(find "$@" -name target -prune -o -newer "$stamp" -print -quit)" ]
