#!/usr/bin/env bash
# make growth: recoveries in C and Java by their steps, JOBS of each size and language (JOBS=0: as measured before), their fits, and
# simulations up to LARGEST processes. Writes docs/figures/growth.json and docs/images/growth.svg.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
need_flavour
# shellcheck disable=SC2086 # Words.
program org.kintsugi.ci.growth.Growth "$checkout" "${JOBS:-6}" "${LARGEST:-1000000}" "${SIZES:-2,4,8,16,32,48,64}" ${JVM:-}
