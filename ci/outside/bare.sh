#!/usr/bin/env bash
# bare.sh DISTRIBUTION FOLDER [TARBALL]: runs the five commands of docs/index.md on a bare machine.
# The commands are read from the page. The machine is a fresh Debian in FOLDER with only the packages
# that the page names; once these are installed it has no network. TARBALL: Open MPI's source;
# without it the script downloads the package that make setup builds from. Needs root and
# debootstrap; takes 10 to 15 minutes.
set -euo pipefail

checkout=$(cd "$(dirname "$0")/../.." && pwd)
distribution=$1
root=$2/root
tarball=${3:-}
suite=bookworm
property() { sed -n "s/^$1=//p" "$checkout/native/versions.properties"; }
fail() {
  echo "bare: $1" >&2
  exit 1
}
command -v debootstrap >/dev/null || fail "no debootstrap: apt-get install debootstrap"
[ "$(id -u)" -eq 0 ] || fail "only root can make another root folder"
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -v '^ *#' | grep -o 'https\?://[^ ]*/debian/\?\( \|$\)' |
  head -n 1 | tr -d ' ' || true)
# (Mirror and source package are found as in build.sh, which cannot share code with this: its text is part of its builds' stamp.)
[ -n "$mirror" ] || fail "the machine's apt sources name no Debian mirror"

mapfile -t commands < <(sed -n '/^## From nothing/,/^## /s/^    //p' "$checkout/docs/index.md")
[ "${#commands[@]}" -eq 5 ] || fail "docs/index.md has ${#commands[@]} commands under that heading, and 5 are expected"

mounted=()
away() {
  for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do
    # Where this was ended from outside, one of its processes may still be about to end in there.
    umount "${mounted[i]}" 2>/dev/null || umount --lazy "${mounted[i]}"
  done
}
trap away EXIT
bind() {
  mkdir -p "$root$1"
  mount --bind "$1" "$root$1"
  mounted+=("$root$1")
}

echo "bare: a Debian $suite in $root"
debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$2/debootstrap.log" 2>&1 || fail "debootstrap failed: $2/debootstrap.log"
bind /proc
bind /sys
bind /dev
bind /dev/shm
echo "bare: ${commands[0]}"
chroot "$root" env DEBIAN_FRONTEND=noninteractive sh -c "${commands[0]}" >"$2/packages.log" 2>&1 || fail "that failed: $2/packages.log"

if [ -z "$tarball" ]; then
  # Beside the root folder's own lists, which the page's reader has not.
  mkdir -p "$2/lists/partial" "$2/cache/archives/partial"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $(property openmpi.debian.suite) main" >"$2/sources.list"
  apt=(apt-get -q -o "Dir::Etc::sourcelist=$2/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::Lists=$2/lists"
    -o "Dir::Cache=$2/cache" -o APT::Sandbox::User=root)
  { "${apt[@]}" update && cd "$2" && "${apt[@]}" --download-only source "openmpi=$(property openmpi.debian.version)"; } >"$2/source.log" 2>&1 ||
    fail "the source of Open MPI cannot be had: $2/source.log"
  tarball=$2/openmpi_$(property openmpi.version).orig.tar.xz
fi
cp "$distribution" "$root/root/kintsugi.tar.gz"
cp "$tarball" "$root/root/openmpi-$(property openmpi.version).tar.gz"

begin=$SECONDS
{
  echo "set -e; cd; export HOME=/root"
  for command in "${commands[@]:1}"; do
    printf 'echo "bare: %s"\n%s\n' "$command" "$command"
  done
} >"$root/root/commands.sh"
# Another network than this machine's, with a loopback device alone.
unshare --net sh -c "ip link set lo up && exec chroot '$root' bash /root/commands.sh" 2>&1 | tee "$2/commands.log"
grep -q '^recovered from the loss of rank' "$2/commands.log" || fail "no recovery in the output"
# After the last command only the program may print: MPI's own messages would alarm a new user.
! sed -n '/^bare: kintsugi\/bin\/kintsugi run/,$p' "$2/commands.log" | grep -v '^bare: \|^HPCCG on \|^kintsugi: rank(s) \[2\] died\|^recovered from \|^ *$' ||
  fail "the last command printed more than its program"
echo "bare: from the tarball to a recovery in $((SECONDS - begin)) s"
