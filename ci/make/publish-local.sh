#!/usr/bin/env bash
# make publish-local: what programs depend on, with sources and Javadoc, into the local Maven repository; REPO=FOLDER: into that one.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
if [ -n "${REPO:-}" ]; then
  # shellcheck disable=SC2046 # Two words.
  "${mvn[@]}" -q -DskipTests -pl ".,$published" deploy $(into "$(realpath -m "$REPO")")
  echo "published: in $(realpath "$REPO")"
else
  "${mvn[@]}" -q -DskipTests -pl ".,$published" install
  echo "published: in the local Maven repository"
fi
