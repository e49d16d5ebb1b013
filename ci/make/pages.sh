#!/usr/bin/env bash
# make pages: writes the pages that are made from data: known issues, figures, the list of decisions.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
program org.kintsugi.ci.pages.Pages "$checkout"
