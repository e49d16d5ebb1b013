#!/usr/bin/env bash
# make validate-app: holds a result against the original's figures. APP, FILE.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
app=${APP:-hpccg}
[ -n "${FILE:-}" ] || fail "FILE= is missing: the result that make run APP=$app ARGS=\"... --json FILE\" has written"
program org.kintsugi.examples.reference.ValidateApp "$app" "$FILE"
