#!/usr/bin/env bash
# make run: an example of examples/examples.properties. APP, N, SPARES, SPARE_NODES, KILL, MPIRUN (more options of jmpirun), ARGS.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
app=${APP:-hpccg}
main=$(sed -n "s/^$app=//p" examples/examples.properties)
[ -n "$main" ] || fail "APP=$app: no such example; there are: $(sed -n 's/^\([a-z]*\)=.*/\1/p' examples/examples.properties | xargs)" 1
options=(-n "${N:-4}" --spares "${SPARES:-0}" --spare-nodes "${SPARE_NODES:-0}" --flavour "$flavour")
for kill in ${KILL:-}; do
  options+=(--kill "$kill")
done
# Words, some in quotes, as on a command line.
arguments=()
eval "options+=(${MPIRUN:-}); arguments=(${ARGS:-})"
bin/jmpirun "${options[@]}" -cp "$(classpath)" "$main" "${arguments[@]}"
