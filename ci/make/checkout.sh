# What the scripts of this folder share: how they reach the Maven, the modules, the class path and the programs of this checkout.
# They source it. What a user sets for make (make run N=8) is in the environment.
# shellcheck shell=bash disable=SC2034 # Variables are for those who source it.
set -euo pipefail
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$checkout"
flavour=${FLAVOUR:-ulfm}
mvn=("${MVN:-mvn}" -B -ntp)
# Two modules at a time, where they do not need each other.
beside=(-T 2)
# The modules that are published; a flavour that was not built is not.
published=bom,archetype,native,runtime,presets,bindings,java-api,launcher,test-kit
handwritten=runtime,presets,java-api,launcher,advice,test-kit,examples,ci

fail() { # MESSAGE [CODE]
  echo "$1" >&2
  exit "${2:-2}"
}

work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# Runs what prints much, and shows it only if it fails.
quietly() { # COMMAND...
  "$@" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    return 1
  }
}

# Into this folder only: in the local repository later builds would find old artifacts.
# (Maven calls its own repository "local": that name would spoil its records there.)
# It is made here, as two modules that deploy at the same time would both make it, and one of them fail.
into() { # FOLDER
  mkdir -p "$1"
  echo "-Dmaven.install.skip -DaltDeploymentRepository=folder::file://$1"
}

# An MPI of the flavour that is asked for, or why there is none.
need_flavour() {
  native/openmpi/find.sh "$flavour" >/dev/null
}

classpath() {
  local module path=
  for module in ci examples test-kit launcher java-api bindings runtime; do
    path+=$checkout/$module/target/classes:
  done
  echo "$path$(printf '%s:' "$checkout"/ci/target/lib/*.jar)"
}

# A program of the checkout. A JVM with two collectors on its command line does not start, so a collector that the user has set in
# a variable replaces ours.
program() { # [JVM-OPTION...] CLASS ARGUMENT...
  local collector=(-XX:+UseSerialGC)
  case " ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" in
  *-XX:+Use*GC* | *' @'*) collector=() ;;
  esac
  # RECORD=yes: a benchmark or a series adds its values to docs/figures.
  local record=()
  [ -z "${RECORD:-}" ] || record=("-Dkintsugi.record=$checkout" "-Dkintsugi.record.command=${MADE_BY:-}")
  java "${collector[@]}" "${record[@]}" "-Dkintsugi.test.flavour=$flavour" -cp "$(classpath)" "$@"
}
