#!/usr/bin/env bash
# make bench: figures beside C. PART (all), ORIGINALS: the folder of the proxy applications. RECORD=yes: the values are
# added to docs/figures/values.jsonl, with this command.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
need_flavour
program org.kintsugi.ci.bench.Bench "$checkout" "$flavour" "${PART:-all}" "${ORIGINALS:-}"
