#!/usr/bin/env bash
# tests.sh CLASS[,CLASS...] [OPTION...]: some classes of ci, as make reference and make refill want them.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
tests=$1
shift
"${mvn[@]}" -pl ci -am "-Dtest=$tests" -Dsurefire.failIfNoSpecifiedTests=false "$@" test
