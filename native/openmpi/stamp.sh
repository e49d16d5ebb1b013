#!/usr/bin/env bash
# Prints what a build of ours is made of: versions, build script and patches, as one checksum.
set -euo pipefail
cd "$(dirname "$0")"
shopt -s nullglob
cat ../versions.properties build.sh patches/*.patch | sha256sum | cut -d' ' -f1
