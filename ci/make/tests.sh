#!/usr/bin/env bash
# tests.sh CLASS[,CLASS...] [OPTION...]: some classes of ci, as make reference, make refill and make slurm want them.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
tests=$1
shift
"${mvn[@]}" -pl ci -am "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false "$@" test
