#!/usr/bin/env bash
# make jars: all jars, with sources and Javadoc, made twice, which must give the same bytes. JavaCPP writes the C++ of the bindings
# in another order each time: the jars of the natives are left out of the comparison.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
sums() {
  find . -path './*/target/*.jar' -maxdepth 3 ! -name 'kintsugi-bindings-*-linux-*.jar' -exec sha256sum {} + | sort
}
"${mvn[@]}" -q -DskipTests clean package
sums >"$work/first"
"${mvn[@]}" -q -DskipTests clean package
sums | diff "$work/first" - >&2 || fail "jars: built twice, these differ" 1
ls -1 ./*/target/*.jar
echo "jars: built twice, the same bytes (compared: $(wc -l <"$work/first"), without the bindings' natives)"
