#!/usr/bin/env bash
# make pages: writes the pages that are made from data: known issues, figures, the list of decisions.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
program org.kintsugi.ci.pages.Pages "$checkout"
