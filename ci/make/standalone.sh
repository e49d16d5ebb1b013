#!/usr/bin/env bash
# make standalone: builds examples/standalone in a folder outside of the checkout, with Kintsugi's artifacts from the Maven repository
# REPO=FOLDER (without REPO they are published to a temporary one first). Runs it with an installation that was moved after it was
# installed; a rank is killed on the way.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
repository=${REPO:+$(realpath "$REPO")}
if [ -z "$repository" ]; then
  repository=$work/published
  # shellcheck disable=SC2046 # Two words.
  "${mvn[@]}" -q -DskipTests -Dmaven.javadoc.skip -Dmaven.source.skip -pl ".,$published" deploy $(into "$repository")
fi
ci/outside/standalone.sh "$work" "$repository" "$(native/openmpi/find.sh)"
