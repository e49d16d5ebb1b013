#!/usr/bin/env bash
# newer-jdk.sh: prints the home of a JDK 22 or newer, or fails and says where it looked. With it the form of RawMemory is built
# and tested that newer Javas take. KINTSUGI_NEWER_JDK decides if it is set (none: as if there were none).
set -euo pipefail

readonly needed=22

version() { # of the JDK in a home; 0 if there is none
  local said=
  [ ! -x "$1/bin/javac" ] || said=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null || true)
  echo "${said:-0}"
}

if [ -n "${KINTSUGI_NEWER_JDK:-}" ]; then
  [ "$KINTSUGI_NEWER_JDK" != none ] || {
    echo "KINTSUGI_NEWER_JDK=none" >&2
    exit 1
  }
  [ "$(version "$KINTSUGI_NEWER_JDK")" -ge $needed ] || {
    echo "KINTSUGI_NEWER_JDK=$KINTSUGI_NEWER_JDK is not the home of a JDK $needed or newer: set it to one, to none, or unset it" >&2
    exit 2
  }
  echo "$KINTSUGI_NEWER_JDK"
  exit 0
fi
for home in "${JAVA_HOME:-}" /usr/lib/jvm/*; do
  if [ "$(version "$home")" -ge $needed ]; then
    echo "$home"
    exit 0
  fi
done
echo "no JDK $needed or newer in JAVA_HOME or /usr/lib/jvm" >&2
exit 1
