#!/usr/bin/env bash
# make format: lays out Java and C as make check wants it.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
"${mvn[@]}" -q -pl "$handwritten" formatter:format
git ls-files -z '*.c' '*.h' | xargs -0 clang-format -i
