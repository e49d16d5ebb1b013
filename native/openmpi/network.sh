#!/usr/bin/env bash
# network.sh CHOICE: prints the words by which Open MPI is configured for fast networks, one on each line.
# network.sh --name CHOICE: prints what that builds in, in one word (none; ucx; ucx,ofi=/opt/libfabric): build.sh and
# build-from-tarball.sh leave it in the file kintsugi.network of the Open MPI that they build.
#
# CHOICE is NETWORK of `make setup`, or --network of build-from-tarball.sh: auto (each library whose development files the compiler
# finds), none, or ucx and ofi (libfabric) with a comma between, each perhaps with the folder that it is installed in:
# ucx=/opt/ucx,ofi.
#
# What is built in are plugins, which a job loads only where it asks for them (jmpirun --network). libmpi itself depends on neither
# library: a job over TCP starts as it does without them, and no signal of the JVM is touched.
set -euo pipefail
fail() {
  echo "network: $1" >&2
  exit 1
}
[ "$1" != --name ] || { only_name=yes && shift; }
choice=$1

# Is the header of a library there: in the folder that it is installed in, or, where none is named, where the compiler looks?
has() { # HEADER FOLDER
  if [ -n "$2" ]; then
    [ -e "$2/include/$1" ]
  else
    # shellcheck disable=SC2086 # CC may have options.
    echo "#include <$1>" | ${CC:-cc} -E - >/dev/null 2>&1
  fi
}

declare -A header=([ucx]=uct/api/uct.h [ofi]=rdma/fabric.h) package=([ucx]=libucx-dev [ofi]=libfabric-dev)
declare -A wanted=()
case $choice in
none) ;;
auto) for library in ucx ofi; do ! has "${header[$library]}" "" || wanted[$library]=yes; done ;;
*)
  case ,$choice, in *,,*) fail "'$choice': expected auto, none, or ucx and ofi with a comma between" ;; esac
  IFS=, read -ra parts <<<"$choice"
  for part in "${parts[@]}"; do
    library=${part%%=*}
    case $library in ucx | ofi) ;; *) fail "$choice: expected auto, none, or ucx and ofi with a comma between" ;; esac
    folder=${part#"$library"}
    folder=${folder#=}
    case $folder in '' | /*) ;; *) fail "$part: expected an absolute path of the folder that it is installed in" ;; esac
    has "${header[$library]}" "$folder" || fail "$part: no ${header[$library]}${folder:+ in $folder/include}: install the library's \
development files (Debian: ${package[$library]}), or name the folder that it is installed in: $library=/opt/$library"
    wanted[$library]=${folder:-yes}
  done
  ;;
esac

names=() words=()
for library in ucx ofi; do
  case ${wanted[$library]:-no} in
  no) words+=("--without-$library") ;;
  yes) names+=("$library") && words+=("--with-$library") ;;
  *) names+=("$library=${wanted[$library]}") && words+=("--with-$library=${wanted[$library]}") ;;
  esac
done
[ ${#names[@]} -eq 0 ] || words+=("--enable-mca-dso=btl-ofi,btl-uct,mtl-ofi,pml-ucx,osc-ucx,common-ofi,common-ucx")
if [ "${only_name:-}" = yes ]; then
  IFS=,
  echo "${names[*]:-none}"
else
  printf '%s\n' "${words[@]}"
fi
