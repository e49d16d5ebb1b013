#!/usr/bin/env bash
# make setup: installs missing packages, finds or builds Open MPI with ULFM. Prints nothing where all is there.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
native/setup/packages.sh
code=0
why=$(native/openmpi/find.sh 2>&1 >/dev/null) || code=$?
case $code in
0) ;;
1) # None is there.
  native/openmpi/build.sh
  native/openmpi/find.sh >/dev/null
  ;;
*) fail "$why" "$code" ;; # The one that a variable names cannot be used.
esac
