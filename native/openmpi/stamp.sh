#!/usr/bin/env bash
# Prints what a build of ours is made of, as one checksum: the versions, the patched sources, and the steps of the build.
set -euo pipefail
cd "$(dirname "$0")"
stamp=$({
  cat ../versions.properties patches/patched.sha256
  sed -n '/^# 3\. Build/,$p' build.sh
} | sha256sum | cut -d' ' -f1)
# Builds of these same sources had another stamp until November 2026, when the patches were regrouped. They need no rebuild.
if [ "$stamp" = 6e81ae5b8aae5e19306caacff20e64e67b74117c4832399241be89153a15a305 ]; then
  stamp=702eb469ebebe8f4724abd0c1bf4db7c753a924e9a3a77699254aef25cbc5095
fi
echo "$stamp"
