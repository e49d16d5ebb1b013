#!/usr/bin/env bash
# make setup: installs missing packages, finds or builds Open MPI with ULFM. Prints nothing where all is there.
# NETWORK=auto|none|ucx,ofi: has the Open MPI that it builds know these fast networks, and builds it once more if it does not.
# build.sh sources it: then Maven knows what was found, and does not look again.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
native/setup/packages.sh
if [ -n "${NETWORK:-}" ]; then
  [ -z "${MPI_HOME:-}" ] || fail "NETWORK=$NETWORK: MPI_HOME=$MPI_HOME names an Open MPI, and none is built: unset one of the two"
  native/openmpi/build.sh
fi
code=0
native/openmpi/find.sh ulfm reinit >"$work/mpis" 2>"$work/why" || code=$?
case $code in
0) ;;
1) # None with ULFM is there.
  native/openmpi/build.sh
  native/openmpi/find.sh ulfm reinit >"$work/mpis"
  ;;
*) fail "$(cat "$work/why")" "$code" ;; # The one that a variable names cannot be used.
esac
mapfile -t mpis <"$work/mpis"
mvn+=("-Dmpi.home=${mpis[0]}" "-Dreinit.home=${mpis[1]}")
