#!/usr/bin/env bash
# make validate-app: compares the result in FILE with the figures of the original application APP.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
app=${APP:-hpccg}
[ -n "${FILE:-}" ] || fail "FILE= is missing: the result that make run APP=$app ARGS=\"... --json FILE\" has written"
program org.kintsugi.examples.reference.ValidateApp "$app" "$FILE"
