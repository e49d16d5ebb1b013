#!/usr/bin/env bash
# site.sh: the manual as a site, in target/site, from docs/*.md, by MkDocs. It needs native/setup/packages.sh docs, and a build
# (make docs sees to both).
set -euo pipefail

checkout=$(cd "$(dirname "$0")/.." && pwd)
pages=$checkout/target/pages
site=$checkout/target/site
tools=$checkout/ci/tools/src/main/java/org/kintsugi/ci/site
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
rm -rf "$pages" "$site"
mkdir -p "$pages"

# Javadoc of what programs may use: the exported packages and the C API. Without modules, so that
# all are on one page.
sources=()
while read -r package; do
  for module in java-api runtime; do
    folder=$checkout/$module/src/main/java/${package//./\/}
    [ ! -d "$folder" ] || sources+=("$folder"/*.java)
  done
done < <(sed -n 's/^ *exports \(org\.kintsugi\.[a-z.]*\);$/\1/p' "$checkout"/{java-api,runtime}/src/main/java/module-info.java)
sources+=("$checkout"/test-kit/src/main/java/org/kintsugi/test/*.java "$checkout"/test-kit/src/main/java/org/kintsugi/test/cluster/*.java)
classes=
for module in runtime presets bindings java-api launcher test-kit; do
  classes+=$checkout/$module/target/classes:
done
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# -notimestamp: the same bytes from the same sources.
"${bin}javadoc" -quiet -notimestamp -Xdoclint:none -public -encoding UTF-8 -d "$pages/api" -windowtitle Kintsugi -doctitle "Kintsugi" \
  -header '<a href="../index.html" target="_top">Manual</a>' -cp "$classes$checkout/ci/target/lib/*" "${sources[@]}" >"$log" 2>&1 || {
  cat "$log" >&2
  exit 1
}

# MkDocs would make pages of its licences.
for licence in "$pages"/api/legal/*.md; do
  [ ! -f "$licence" ] || mv "$licence" "${licence%.md}.txt"
done

"${bin}java" "$tools/SitePages.java" "$checkout" "$pages"
mkdocs build --quiet --strict --config-file "$checkout/config/site/mkdocs.yml"
# For pages that are opened from the folder: the index of the search, and what searches (config/site/theme/main.html).
worker=("$site"/assets/javascripts/workers/search.*.js)
{
  printf 'var __search = {index: Promise.resolve('
  cat "$site/search/search_index.json"
  printf '), worker: URL.createObjectURL(new Blob([Uint8Array.from(atob("'
  base64 -w 0 "${worker[0]}"
  printf '"), c => c.charCodeAt(0))], {type: "text/javascript"}))}\n'
} >"$site/search/offline.js"
"${bin}java" "$tools/SiteLinks.java" "$site"
echo "docs: $site/index.html"
