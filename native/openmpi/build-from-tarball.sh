#!/usr/bin/env bash
# build-from-tarball.sh [--network=CHOICE] TARBALL [PREFIX]: builds Open MPI with ULFM and Kintsugi's patches from a source tarball
# of the release that versions.properties names; for machines without a network. Into PREFIX, else where jmpirun looks:
# $XDG_DATA_HOME/kintsugi/openmpi-ulfm. CHOICE of fast networks: see network.sh. In a checkout make setup does the same with a tarball that it fetches (build.sh, whose text
# is part of its builds' stamp, so that this is a script of its own; OpenMpiScriptsTest holds that both configure the same).
set -euo pipefail
umask 022 # for all users, whatever the rights are that this one's files have by default

here=$(cd "$(dirname "$0")" && pwd)
fail() {
  echo "build-from-tarball.sh: $1" >&2
  exit 1
}
case " $* " in
*" --help "* | *" -h "*)
  echo "build-from-tarball.sh [--network=CHOICE] TARBALL [PREFIX]: builds Open MPI with ULFM and Kintsugi's patches from a source"
  echo "tarball of the release that versions.properties beside it names, into PREFIX (an absolute path that is not there yet), else"
  echo "into \$XDG_DATA_HOME/kintsugi/openmpi-ulfm, where jmpirun looks (~/.local/share where that is not set). No network is needed."
  echo "CHOICE of libraries for fast networks to build in: auto (the default: those whose development files are here), none, or ucx"
  echo "and ofi (libfabric) with a comma between, each perhaps with its folder: ucx=/opt/ucx,ofi."
  exit 0
  ;;
esac
choice=auto
case ${1:-} in
--network=*) choice=${1#*=} && shift ;;
esac
[ $# -eq 1 ] || [ $# -eq 2 ] || fail "expected a source tarball of Open MPI, and perhaps a prefix"
tarball=$1
[ $# -eq 2 ] || [ -n "${XDG_DATA_HOME:-${HOME:-}}" ] || fail "neither HOME nor XDG_DATA_HOME is set: name a prefix after the tarball"
prefix=${2:-${XDG_DATA_HOME:-${HOME:-}/.local/share}/kintsugi/openmpi-ulfm}
prefix=${prefix%/}
[ -f "$tarball" ] || fail "$tarball: no such file"
case $prefix in
*[[:space:]]*) fail "$prefix: Open MPI cannot be built into a folder with blanks in its name" ;;
/*) ;;
*) fail "$prefix: expected an absolute path" ;;
esac
[ ! -e "$prefix" ] || fail "$prefix is there already: name another prefix, or remove it when no job runs from it"
for tool in cc c++ make perl patch tar; do
  command -v $tool >/dev/null ||
    fail "no $tool on the PATH: install it (Debian: apt-get install gcc g++ make perl patch tar xz-utils)"
done
networks=$("$here/network.sh" --name "$choice")
mapfile -t network < <("$here/network.sh" "$choice")
properties=$here/versions.properties # in an installation
[ -f "$properties" ] || properties=$here/../versions.properties
property() { sed -n "s/^$1=//p" "$properties"; }
expected=$(property openmpi.version)

tarball=$(cd "$(dirname "$tarball")" && pwd)/$(basename "$tarball")
mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d "$prefix.build.XXXXXX")
log="$prefix.build.log"
trap 'rm -rf "$work"' EXIT

mkdir "$work/unpacked"
tar -xf "$tarball" -C "$work/unpacked" || fail "$tarball cannot be unpacked"
sources=("$work/unpacked"/*)
if [ ${#sources[@]} -ne 1 ] || [ ! -f "${sources[0]}/VERSION" ] || [ ! -x "${sources[0]}/configure" ]; then
  fail "$tarball is not a source tarball of an Open MPI release: no VERSION and configure in it"
fi
number() { sed -n "s/^$1=//p" "${sources[0]}/VERSION" | head -n 1; }
version=$(number major).$(number minor).$(number release)
[ "$version" = "$expected" ] ||
  fail "$tarball is Open MPI $version, and Kintsugi's patches are for $expected: name a tarball of that release"

echo "Open MPI $version with ULFM is built into $prefix: 5 to 25 minutes (fast networks: $networks; log: $log)"
: >"$log"
"$here/apply.sh" "${sources[0]}" "$log" || fail "Kintsugi's patches do not apply to $tarball (see $log)"
mkdir "$work/build"
cd "$work/build"
step() {
  echo "  $1"
  shift
  "$@" >>"$log" 2>&1 || fail "that failed (see $log)"
}
step "configure" "${sources[0]}/configure" --prefix="$prefix" --with-ft=mpi \
  --disable-mpi-fortran --disable-oshmem --disable-io-romio --disable-man-pages --disable-sphinx \
  --with-hwloc=internal --with-libevent=internal --with-pmix=internal --with-prrte=internal \
  "${network[@]}" --without-psm2 --without-cuda --without-rocm --without-lustre --disable-dependency-tracking CFLAGS="-O3 -g0"
step "make" make -j"$(nproc)"
# Write aside first, so that a file with the final name is complete.
step "make install" make install DESTDIR="$work/installed"
# This file tells Kintsugi that its patches are applied. It differs from that of make setup, and
# does not depend on the folder.
echo "$networks" >"$work/installed$prefix/kintsugi.network"
cat "$properties" "$here/${0##*/}" "$here/patches/patched.sha256" | sha256sum | cut -d' ' -f1 >"$work/installed$prefix/kintsugi.stamp"
mv "$work/installed$prefix" "$prefix"
echo "Open MPI $version with ULFM is in $prefix"
