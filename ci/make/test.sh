#!/usr/bin/env bash
# test.sh all|quick|bare: runs tests, and ends with a summary of all modules.
#   all    all tests, those in which processes fail included; LONG=1: series too, and on the fork also what runs on ULFM only
#   quick  the tests without ranks, and one with ranks of each area
#   bare   after all: repeats the tests that looked for the fork, FTI or SCR, as on a machine without them
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
reports=
case $1 in
all)
  rm -rf {.,*}/target/surefire-reports* {.,*}/target/{optional-tests,class-times}-*
  options=("${beside[@]}")
  [ -z "${LONG:-}" ] || options+=('-Dkintsugi.test.reinit.groups=flavours | files' -Dkintsugi.test.excluded=)
  ;;
quick)
  rm -rf {.,*}/target/surefire-reports*
  # Of each area with ranks the test that shows most in a few seconds.
  ranks=(MessagesTest#sendAndReceiveAtOnce CollectivesTest#variantsWithDifferentLengths RevokeShrinkAgreeTest#revokeShrinkAndAgree
    KillMatrixTest#twoDieAtOnce JvmVariantsTest#recoversOnANewerJdk CheckpointTest#everyTypeOfArrayComesBack
    PersistentCommTest#aHistoryIsReplayedInOrder JobInputTest)
  # The tests without ranks, by their packages.
  units=()
  for area in runtime mpi redundancy checkpoint persist reinit launch test examples; do
    units+=("org/kintsugi/$area/**/*Test")
  done
  # newer.absent: once, and not on a newer Java as well (java-api/pom.xml).
  options=(-q -Dnewer.absent=true -Dkintsugi.test.reinit.groups=none -Dsurefire.failIfNoSpecifiedTests=false
    "-Dtest=$(IFS=,; echo "${units[*]},${ranks[*]}")")
  ;;
bare)
  reports=-bare
  rm -rf {.,*}/target/surefire-reports*-bare {.,*}/target/class-times-*
  export KINTSUGI_OPTIONAL_NATIVES=none
  options=(-Dkintsugi.reports=-bare -Dkintsugi.test.optional.only=true -Dnewer.absent=true -Dkintsugi.unconcerned.skip=true)
  ;;
*) fail "test.sh: $1: expected all, quick or bare" ;;
esac
code=0
"${mvn[@]}" "${options[@]}" test || code=$?
# From its source, so that there is a summary even if the build has failed.
java ci/tools/src/main/java/org/kintsugi/ci/summary/TestSummary.java "$checkout" $code $reports || code=1
exit $code
