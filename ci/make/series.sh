#!/usr/bin/env bash
# series.sh NAME: one of the series, whose options are variables; make help names them. RECORD=yes: see bench.sh.
# shellcheck source=checkout.sh
. "$(dirname "$0")/checkout.sh"
need_flavour
engines=${ENGINES:-memory xor file memory,xor:2,file:4}
seed=${SEED:-1}
jvm=()
for option in ${JVM:-}; do
  jvm+=("--jvm=$option")
done
soak=org.kintsugi.ci.soak

soak() {
  local workload apps=() others=() code=0 jobs=() all
  # Several threads in MPI: not on the fork, which has none.
  [ "$flavour" = reinit ] && all="hpccg subcomms intercomms long_messages stopped features growing" ||
    all="hpccg subcomms intercomms long_messages stopped threads features growing"
  for workload in ${WORKLOADS-$all}; do
    case $workload in
    hpccg | lulesh | comd | amg | minife | minivite) apps+=("$workload") ;;
    *) others+=("$workload") ;;
    esac
  done
  [ $((${#apps[@]} + ${#others[@]})) -gt 0 ] || fail "WORKLOADS= is empty: no job is run"
  # Processes of this host, too, reach each other over that network (docs/networks.md).
  local options=("--runs=${RUNS:-100}" "--seed=$seed" "--store=$engines" ${ROUTE:+"--route=$ROUTE"})
  if [ ${#apps[@]} -gt 0 ]; then
    program $soak.RandomKills "${options[@]}" "${jvm[@]}" "${apps[@]}" || code=1
  fi
  jobs=(${DEATHS:+"--deaths=$DEATHS"} ${SPARES:+"--spares=$SPARES"})
  if [ ${#others[@]} -gt 0 ]; then
    program $soak.WorkloadKills "${options[@]}" "${jobs[@]}" "${others[@]}" || code=1
  fi
  return $code
}

calls() {
  local calls=${CALLS:-15000} n at kills=()
  local job=(--flavour "$flavour" --stall 60 --stall-ends)
  local main=(-cp "$(classpath)" org.kintsugi.ci.calls.RandomCalls --seed "$seed")
  for n in ${RANKS:-1 2 3 4 5 6 7}; do
    bin/jmpirun -n "$n" "${job[@]}" "${main[@]}" --calls "$calls"
  done
  for at in 1 2 3 4; do
    kills+=(--kill "process:$((at % 4))@$((calls * at / 40))")
  done
  bin/jmpirun -n 4 --spares 2 "${job[@]}" "${kills[@]}" "${main[@]}" --calls $((calls / 7)) --deaths
}

# shellcheck disable=SC2086 # Words.
case $1 in
soak) soak ;;
calls) calls ;;
long-job)
  program $soak.LongJob "--deaths=${DEATHS:-300}" "--gap=${GAP:-2000-4000}" "--spares=${SPARES:-1}" "--seed=$seed" "${jvm[@]}"
  ;;
saves) program $soak.SaveKills "--jobs=${JOBS:-50}" "--kills=${KILLS:-2}" "--seed=$seed" "--nodes=${NODES:-one}" $engines ;;
stages) program $soak.StageKills "--step=${STEP:-1}" "--nodes=${NODES:-one}" $engines ;;
nodes)
  program -XX:-UsePerfData org.kintsugi.ci.cluster.NodeLossSeries "--flavour=$flavour" "--crashes=${CRASHES:-10}" "--silent=${SILENT:-5}"
  ;;
returning-nodes)
  spares=${SPARES:-0}
  [ "$spares" != 0 ] || spares=
  program -XX:-UsePerfData org.kintsugi.ci.cluster.ReturningNodeSeries "--losses=${LOSSES:-10}" ${SLOTS:+"--slots=$SLOTS"} \
    ${spares:+"--spares=$spares"}
  ;;
app-nodes) program -XX:-UsePerfData $soak.AppNodeLosses "--flavour=$flavour" ${WORKLOADS:-} ;;
mutants)
  program org.kintsugi.ci.mutants.Mutants "--failures=${DEATHS:-5}" "--seed=$seed" ${ITEMS:+"--item=$ITEMS"} ${WORKLOADS:-}
  ;;
*) fail "series.sh: $1: no such series" ;;
esac
