#!/usr/bin/env bash
# make check: linters, words, warnings as errors, Javadoc.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
git ls-files -z '*.sh' bin/jmpirun .ci/run | xargs -0 shellcheck -x -P SCRIPTDIR
git ls-files -z '*.c' '*.h' | xargs -0 clang-format --dry-run -Werror
# Runs from its source: it needs nothing that is compiled.
java ci/tools/src/main/java/org/kintsugi/ci/style/PlainWords.java .
java ci/tools/src/main/java/org/kintsugi/ci/openmpi/PatchIndex.java .
java ci/tools/src/main/java/org/kintsugi/ci/site/RecipeBlocks.java .
# As checkstyle has it for Java.
git ls-files '*.c' '*.h' '*.sh' '*/CMakeLists.txt' Makefile bin .ci | xargs wc -l | awk '$1 > 500 && $2 != "total" {
  print $2 ": " $1 " lines, and 500 are the most"; found = 1 } END { exit found }'
# Warnings are errors, and dependencies that nothing uses (the profile). The one exception cannot be switched off in javac:
# RawMemory uses sun.misc.Unsafe, and says why.
quietly "${mvn[@]}" "${beside[@]}" -Pdependencies -DskipTests -Dkintsugi.werror=ON clean process-test-classes
grep -q 'BUILD SUCCESS' "$work/log"
if grep -E '^\[WARNING\] .*\.java:' "$work/log" | grep -v 'RawMemory.java:.*sun.misc.Unsafe is internal'; then
  exit 1
fi
"${mvn[@]}" -q "${beside[@]}" -fae -pl "$handwritten" formatter:validate checkstyle:check
# Javadoc: its jars. And all else that is published.
rm -rf target/published
# shellcheck disable=SC2046 # Two words.
"${mvn[@]}" -q "${beside[@]}" -Dkintsugi.werror=ON -pl ".,$published" -DskipTests deploy $(into "$checkout/target/published")
flavours=(ulfm)
! native/openmpi/find.sh reinit >/dev/null 2>&1 || flavours+=(reinit)
java ci/tools/src/main/java/org/kintsugi/ci/dist/PublishedArtifacts.java target/published "${flavours[@]}"
echo "check: all well"
