#!/usr/bin/env bash
# make bare: the five commands of the first page on a bare Debian of their own, without a network (15 minutes; root, debootstrap).
# TARBALL: Open MPI's source.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
# shellcheck disable=SC2086 # Nothing, or a file.
ci/outside/bare.sh target/kintsugi.tar.gz "$work" ${TARBALL:-}
