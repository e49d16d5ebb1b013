#!/usr/bin/env bash
# make demo: HPCCG loses a process and finishes with the same answer.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
need_flavour
program org.kintsugi.ci.demo.Demo "$flavour"
