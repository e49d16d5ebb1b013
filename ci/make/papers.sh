#!/usr/bin/env bash
# make papers: the papers' experiments. SIZE=smoke|laptop|paper, EXPERIMENTS (all), OUT (target/experiments), ARGS (more options,
# such as --report).
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
mkdir -p "${OUT:=target/experiments}"
read -ra experiments <<<"${EXPERIMENTS:-$(cd examples/experiments && printf '%s ' *.json | sed 's/\.json / /g')}"
read -ra options <<<"${ARGS:-}"
program org.kintsugi.examples.experiments.ExperimentCommand --jmpirun "$checkout/bin/jmpirun" --class-path "$(classpath)" \
  --experiments "$checkout/examples/experiments" --twins "$checkout/native/target/cmake-ulfm/lib/libkintsugi_twins.so" \
  --size "${SIZE:-smoke}" --out "$OUT" "${options[@]}" "${experiments[@]}"
