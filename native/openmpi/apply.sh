#!/usr/bin/env bash
# apply.sh SOURCE LOG: applies Kintsugi's patches to the unpacked sources of Open MPI in SOURCE; the output of patch goes to LOG.
# apply.sh --sums SOURCE: prints the checksums of the patched files in SOURCE, as patches/patched.sha256 has them.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# The order of the folders: later patches change lines that earlier ones have added.
components=(pmix prrte pml-btl ulfm mpi)

shopt -s nullglob
patches=()
for component in "${components[@]}"; do
  patches+=("$here/patches/$component"/*.patch)
done

if [ "$1" = --sums ]; then
  cd "$2"
  sed -n 's|^+++ b/\([^[:space:]]*\).*|\1|p' "${patches[@]}" | LC_ALL=C sort -u | xargs sha256sum
  exit
fi

cd "$1"
for patch in "${patches[@]}"; do
  name=${patch#"$here"/patches/}
  echo "  patch: $name"
  patch -p1 --forward --no-backup-if-mismatch <"$patch" >>"$2" 2>&1 || {
    echo "$name does not apply (see $2)" >&2
    exit 1
  }
done
