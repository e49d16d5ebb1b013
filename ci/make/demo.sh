#!/usr/bin/env bash
# make demo: HPCCG loses a process and finishes with the same answer.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
need_flavour
program org.kintsugi.ci.demo.Demo "$flavour"
