#!/usr/bin/env bash
# make docs: the manual as a site, with Javadoc, in target/site; links that lead nowhere fail it.
# shellcheck source=common.sh
. "$(dirname "$0")/common.sh"
native/setup/packages.sh docs
dist/site.sh
