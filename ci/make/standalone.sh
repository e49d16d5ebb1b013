#!/usr/bin/env bash
# make standalone: a project outside of here, from what REPO=FOLDER has (else published first), run by a moved installation, with a
# process failure.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
repository=${REPO:+$(realpath "$REPO")}
if [ -z "$repository" ]; then
  repository=$work/published
  # shellcheck disable=SC2046 # Two words.
  "${mvn[@]}" -q -DskipTests -Dmaven.javadoc.skip -Dmaven.source.skip -pl ".,$published" deploy $(into "$repository")
fi
ci/outside/standalone.sh "$work" "$repository" "$(native/openmpi/find.sh)"
