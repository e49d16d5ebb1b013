#!/usr/bin/env bash
# make install: into PREFIX, a folder that needs nothing of this checkout and may be moved.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
[ -n "${PREFIX:-}" ] || fail "PREFIX= is missing: the folder to install into, as in make install PREFIX=/opt/kintsugi"
dist/install.sh "$PREFIX"
