#!/usr/bin/env bash
# find.sh [ulfm|reinit]...: prints the prefix of the Open MPI of that flavour to compile against, or says why there is none.
# Exit code 1: none is there; 2: the one that MPI_HOME or REINIT_HOME names cannot be used.
# With several flavours each has a line, an empty one where none is there; the exit code 1 is about the first flavour.
# The search itself is org.kintsugi.runtime.MpiHome, the same that jobs are started by.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/../../runtime
main=org/kintsugi/runtime/FindMpi
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
classes=$runtime/target/classes
sources=$runtime/src/main/java
if [ ! -e "$classes/$main.class" ] || [ -n "$(find "$sources" -name '*.java' -newer "$classes/$main.class" -print -quit)" ]; then
  # Before this search is compiled: it decides what Maven compiles.
  classes=$(mktemp -d)
  trap 'rm -rf "$classes"' EXIT
  "${bin}javac" -proc:none -d "$classes" -sourcepath "$sources" "$sources/$main.java"
fi
"${bin}java" -XX:TieredStopAtLevel=1 -Xshare:auto -XX:-UsePerfData -cp "$classes" "${main//\//.}" "${@:-ulfm}" "$("$here/stamp.sh")"
