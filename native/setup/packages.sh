#!/usr/bin/env bash
# Installs what is missing of the Debian packages that building and testing need, by name. Prints nothing when all are there.
set -euo pipefail

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

[ ${#missing[@]} -gt 0 ] || exit 0
command=(apt-get install -y --no-install-recommends "${missing[@]}")
if [ "$(id -u)" -ne 0 ]; then
  echo "missing packages; run this as root, then try again: apt-get update && ${command[*]}" >&2
  exit 1
fi
echo "installing: ${missing[*]}"
apt-get -q update >/dev/null
DEBIAN_FRONTEND=noninteractive "${command[@]}" >/dev/null
