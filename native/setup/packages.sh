#!/usr/bin/env bash
# Installs what is missing of the Debian packages that building and testing need, by name. Prints nothing when all are there.
# packages.sh docs: what the manual's site needs, beside that. packages.sh tests: what tests need that skip without it.
set -euo pipefail

# Reports a missing package: the user must choose the Java. Before any step that takes long.
fail() {
  echo "$1" >&2
  exit 1
}
javac=${JAVA_HOME:+$JAVA_HOME/bin/}javac
command -v "$javac" >/dev/null ||
  fail "no $javac: install a JDK 17 or newer (Debian: default-jdk-headless), or set JAVA_HOME to the folder of one"
version=$("$javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p' | tail -n 1)
[ "${version:-0}" -ge 17 ] ||
  fail "$javac is of version ${version:-unknown}: install a JDK 17 or newer, or set JAVA_HOME to the folder of one"
command -v mvn >/dev/null || fail "no mvn: install Maven 3.8 or newer (Debian: maven), and have it on the PATH"

missing=()
need() { # a command, and the package that has it
  command -v "$1" >/dev/null || missing+=("$2")
}
need gcc gcc
need g++ g++
need make make
need cmake cmake
need perl perl
need patch patch
need xz xz-utils
need ip iproute2
need shellcheck shellcheck
need clang-format clang-format
# With it Open MPI compresses messages between its daemons. Without it, each job prints a warning.
[ -e /usr/include/zlib.h ] || missing+=(zlib1g-dev)
if [ "${1:-}" = docs ]; then
  need mkdocs mkdocs
  # A theme is no command: Debian's is in a folder of its own, another one is a module of the Python that MkDocs runs with.
  python=$(sed -n '1s/^#! *//p' "$(command -v mkdocs || echo /dev/null)")
  [ -d /usr/share/mkdocs/themes/material ] || ${python:-false} -c 'import material, pymdownx' 2>/dev/null || missing+=(mkdocs-material)
fi
if [ "${1:-}" = tests ]; then
  # The server's programs are in no folder of the PATH on Debian.
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || need initdb postgresql
  need munged munge
  need slurmctld slurmctld
  need slurmd slurmd
  need sbatch slurm-client
fi

[ ${#missing[@]} -gt 0 ] || exit 0
command=(apt-get install -y --no-install-recommends "${missing[@]}")
if [ "$(id -u)" -ne 0 ]; then
  echo "missing packages; run this as root, then try again: apt-get update && ${command[*]}" >&2
  exit 1
fi
echo "installing: ${missing[*]}"
apt-get -q update >/dev/null
DEBIAN_FRONTEND=noninteractive "${command[@]}" >/dev/null
