#!/usr/bin/env bash
# Sets up and compiles everything: Maven, CMake and the POM of the bindings know what is out of date. Prints nothing if all goes well, so that
# make run prints only the program's output.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
why=$(native/setup/newer-jdk.sh 2>&1 >/dev/null) || {
  [ $? -eq 1 ] || fail "$why" 1
  [ -d java-api/target ] || echo "$why: nothing is built for newer Javas in particular" >&2
}
[ -d ci/target/classes ] || echo "compiling C, bindings and Java" >&2
quietly "${mvn[@]}" -q "${beside[@]}" -DskipTests test-compile
