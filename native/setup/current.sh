#!/usr/bin/env bash
# current.sh STAMP TEXT FILE...: succeeds if the stamp has this text, and nothing in the files and folders is newer than it.
# Folders named target are left out: what a build writes there is no reason to build again. Nor is that the folder that one lies
# in has changed by that, which in a clean clone it always has.
set -euo pipefail

stamp=$1 text=$2
shift 2
[ "$(cat "$stamp" 2>/dev/null)" = "$text" ] &&
  [ -z "$(find "$@" -name target -prune -o -newer "$stamp" ! -exec test -d {}/target \; -print -quit)" ]
