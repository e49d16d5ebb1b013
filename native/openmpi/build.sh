#!/usr/bin/env bash
# Builds Open MPI with ULFM, once per machine, into the user's Kintsugi folder ($XDG_DATA_HOME/kintsugi/openmpi-ulfm).
# The source is the distribution's source package: fetched through an apt list of our own, so that the machine's
# configuration is not touched. Patches from patches/ are applied by apply.sh. A second run does nothing, unless NETWORK
# (network.sh) asks for other fast networks than the first one has built in.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
prefix="${XDG_DATA_HOME:-$HOME/.local/share}/kintsugi/openmpi-ulfm"
property() { sed -n "s/^$1=//p" "$here/../versions.properties"; }
version=$(property openmpi.version)
stamp=$("$here/stamp.sh")
built_in=$(cat "$prefix/kintsugi.network" 2>/dev/null || echo none)
choice=${NETWORK:-auto}
# Built anew because of other sources: with the same networks, whose folders only this file has.
[ -n "${NETWORK:-}" ] || [ "$built_in" = none ] || choice=$built_in
networks=$("$here/network.sh" --name "$choice")
mapfile -t network < <("$here/network.sh" "$choice")

fail() {
  echo "build.sh: $1" >&2
  echo "Set MPI_HOME to an Open MPI 5.0 or newer that was configured --with-ft=mpi, and nothing is built." >&2
  exit 1
}

mkdir -p "$(dirname "$prefix")"
exec 9>"$prefix.lock"
flock 9
if [ "$(cat "$prefix/kintsugi.stamp" 2>/dev/null)" = "$stamp" ] && { [ -z "${NETWORK:-}" ] || [ "$built_in" = "$networks" ]; }; then
  exit 0
fi

work=$(mktemp -d "$prefix.build.XXXXXX")
log="$prefix.build.log"
trap 'rm -rf "$work"' EXIT

echo "Open MPI $version with ULFM is built, once for this machine: 5 to 25 minutes (fast networks: $networks; log: $log)"

# 1. The source package.
command -v apt-get >/dev/null || fail "no apt-get here to fetch the source package with"
sources=(/etc/apt/sources.list /etc/apt/sources.list.d/*)
mirror=$(cat "${sources[@]}" 2>/dev/null | grep -v '^ *#' | grep -o 'https\?://[^ ]*/debian/\?\( \|$\)' | head -n 1 | tr -d ' ' || true)
[ -n "$mirror" ] || fail "the machine's apt sources name no Debian mirror"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keyring" ] || fail "no $keyring"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/source"
cat >"$work/kintsugi.sources" <<EOF
Types: deb-src
URIs: $mirror
Suites: $(property openmpi.debian.suite)
Components: main
Signed-By: $keyring
EOF
apt=(apt-get -q -o "Dir::Etc::sourcelist=$work/kintsugi.sources" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
{
  "${apt[@]}" update
  cd "$work/source"
  "${apt[@]}" --download-only source "openmpi=$(property openmpi.debian.version)"
} >"$log" 2>&1 || fail "the source package openmpi $(property openmpi.debian.version) cannot be had (see $log)"
tarball="$work/source/openmpi_$version.orig.tar.xz"
echo "$(property openmpi.sha256)  $tarball" | sha256sum --check --status || fail "$tarball has not the pinned checksum"
tar -xf "$tarball" -C "$work"

# 2. Our patches.
"$here/apply.sh" "$work/openmpi-$version" "$log" || fail "the patches do not apply to Open MPI $version (see $log)"
# The stamp is made of these checksums, not of the patches: their texts and their grouping may change without a new build.
"$here/apply.sh" --sums "$work/openmpi-$version" >"$work/patched.sha256"
cmp -s "$work/patched.sha256" "$here/patches/patched.sha256" || {
  cp "$work/patched.sha256" "$prefix.patched.sha256"
  fail "the patched sources are not those of patches/patched.sha256: if a patch was changed, replace that file by $prefix.patched.sha256"
}

# 3. Build. Everything that it needs it brings along; what is not named here is left to configure.
# (Which file depends on which header: only a second build would ask. It costs 40 s.)
mkdir "$work/build"
cd "$work/build"
step() {
  echo "  $1"
  shift
  "$@" >>"$log" 2>&1 || fail "that failed (see $log)"
}
step "configure" "$work/openmpi-$version/configure" --prefix="$prefix" --with-ft=mpi \
  --disable-mpi-fortran --disable-oshmem --disable-io-romio --disable-man-pages --disable-sphinx \
  --with-hwloc=internal --with-libevent=internal --with-pmix=internal --with-prrte=internal \
  "${network[@]}" --without-psm2 --without-cuda --without-rocm --without-lustre --disable-dependency-tracking CFLAGS="-O3 -g0"
step "make" make -j"$(nproc)"
# Beside the old one first: jobs may be running with that, and it is not lost if this fails.
step "make install" make install DESTDIR="$work/installed"
echo "$stamp" >"$work/installed$prefix/kintsugi.stamp"
echo "$networks" >"$work/installed$prefix/kintsugi.network"
# What kintsugi doctor --network has found.
[ ! -e "$prefix/kintsugi-network.properties" ] || cp -p "$prefix/kintsugi-network.properties" "$work/installed$prefix"
if [ -e "$prefix" ]; then
  mv "$prefix" "$work/old"
fi
mv "$work/installed$prefix" "$prefix"
echo "Open MPI $version with ULFM is in $prefix"
