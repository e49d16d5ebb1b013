#!/usr/bin/env bash
# make setup: installs missing packages, finds or builds Open MPI with ULFM. Prints nothing where all is there.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
native/setup/packages.sh
native/openmpi/find.sh >/dev/null 2>&1 || native/openmpi/build.sh
native/openmpi/find.sh >/dev/null
