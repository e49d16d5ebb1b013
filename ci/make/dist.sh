#!/usr/bin/env bash
# make dist: an installation as a tarball, in target/.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
dist/install.sh "$work/kintsugi" >/dev/null
mkdir -p target
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf target/kintsugi.tar.gz kintsugi
ls -sh target/kintsugi.tar.gz
