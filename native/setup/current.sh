#!/usr/bin/env bash
# current.sh STAMP TEXT FILE...: succeeds if the stamp has this text, and nothing in the files and folders is newer than it.
# Folders named target are ignored: what a build writes there is no reason to build again. A folder
# that contains a target is ignored as well, because the build changes its time when it makes
# target.
set -euo pipefail

stamp=$1 text=$2
shift 2
[ "$(cat "$stamp" 2>/dev/null)" = "$text" ] &&
  [ -z "$(find "$@" -name target -prune -o -newer "$stamp" ! -exec test -d {}/target \; -print -quit)" ]
