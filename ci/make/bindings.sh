#!/usr/bin/env bash
# make bindings: writes bindings/src/gen/java, what the presets make of the headers of the Open MPI that is found and of native/.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
# Without the natives: their C++ does not fit headers that have changed.
quietly "${mvn[@]}" -q -Djavacpp.skip -pl bindings -am -Dtest=GeneratedBindingsTest -Dkintsugi.bindings.write=true \
  -Dsurefire.failIfNoSpecifiedTests=false test
git status --short bindings/src/gen
