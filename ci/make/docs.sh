#!/usr/bin/env bash
# make docs: the manual as a site, with Javadoc, in target/site; links that lead nowhere fail it.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
native/setup/packages.sh docs
dist/site.sh
