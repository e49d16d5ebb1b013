#!/usr/bin/env bash
# A cluster on one machine: every node is a network namespace with a host name, a /dev/shm and a TMPDIR of its own, joined by
# a bridge that lives in a namespace too, so that nothing outside is touched and clusters with different names never meet.
# Needs root.
#
#   cluster.sh up NAME NODES       make it: nodes n0 to n(NODES-1), addresses 10.77.0.1 and up; prints its folder
#   cluster.sh exec NAME NODE CMD  run a command on a node (in the foreground; stdin and stdout as they are)
#   cluster.sh crash NAME NODE     kill every process of the node as one blow, the launcher's daemon first
#   cluster.sh cut NAME NODE       take its link down: it falls silent, its processes go on
#   cluster.sh pause NAME NODE     the same, and its processes are stopped: a machine that is away as a whole
#                                  (all three print when that was: microseconds since 1970)
#   cluster.sh heal NAME NODE      let a node that was cut off or paused be as before
#   cluster.sh limit NAME RATE     let each node send at most so much (as tc has it: 10gbit); else it is what memory gives
#   cluster.sh left NAME NODE      print what is left on the node: processes, shared memory, temporary files
#   cluster.sh down NAME           end what still runs there and remove it; does nothing if it is not there
#   cluster.sh with NODES CMD      make one, run CMD with KINTSUGI_CLUSTER=NAME, remove it whatever happens
#
# NODE is a number. The folder holds `agent` (for --prtemca plm_ssh_agent) and `hosts` (a host file, one slot a node).
# Apart from /dev/shm and TMPDIR the nodes share all files, as nodes with a parallel file system do.
# Exit code 77, with a reason: namespaces are not permitted here.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "cluster.sh: $2" >&2
  exit "$1"
}

usage() { sed -n '6,16s/^# *//p' "$0" >&2; exit 2; }

# Not under TMPDIR: the processes that make, crash and remove a cluster may have different ones.
folder() { echo "/tmp/kintsugi-cluster-$1"; }
memory() { echo "/dev/shm/kintsugi-cluster-$1"; }
namespace() { echo "kintsugi-$1-$2"; }

check_permitted() {
  command -v ip >/dev/null || fail 77 "no ip command here (package iproute2)"
  [ "$(id -u)" -eq 0 ] || fail 77 "a simulated cluster needs root"
  local probe="kintsugi-probe-$$" why
  why=$( (ip netns add "$probe" && ip netns exec "$probe" unshare --uts mount --bind /dev/shm /dev/shm) 2>&1) || {
    ip netns del "$probe" 2>/dev/null || true
    fail 77 "network namespaces are not permitted here: $why"
  }
  why=$(ip -n "$probe" link add sw0 type bridge 2>&1) || {
    ip netns del "$probe"
    fail 77 "no bridge can be made here: $why"
  }
  ip netns del "$probe"
}

now() { echo "${EPOCHREALTIME/[.,]/}"; }
processes() { ip netns pids "$1" 2>/dev/null || true; }

signal_all() {
  local pid
  for pid in $(processes "$2"); do
    kill "-$1" "$pid" 2>/dev/null || true
  done
}

# Kills what runs in a namespace: the daemons first, all in one go, and again for what was just being forked. When the blow fell
# is in `killed`.
killed=
kill_all() {
  local round pids daemons others pid program
  for round in 1 2 3 4 5; do
    pids=$(processes "$1")
    [ -n "$pids" ] || return 0
    daemons=() others=()
    for pid in $pids; do
      read -r program 2>/dev/null <"/proc/$pid/comm" || continue
      case "$program" in
        prted | orted) daemons+=("$pid") ;;
        *) others+=("$pid") ;;
      esac
    done
    [ "$round" -ne 1 ] || killed=$(now)
    kill -KILL "${daemons[@]}" "${others[@]}" 2>/dev/null || true
    [ "$round" -eq 1 ] || sleep 0.05
  done
}

up() {
  local name=$1 nodes=$2 dir switch node i
  [[ "$name" =~ ^[A-Za-z0-9_]+$ ]] || fail 2 "up $name: a name is made of letters, digits and _"
  [[ "$nodes" =~ ^[1-9][0-9]?$ ]] || fail 2 "up $name $nodes: expected 1 to 99 nodes"
  check_permitted
  dir=$(folder "$name")
  # Both can be guessed, and everybody may write beside them: what is there already, a link too, may be another user's, and
  # root would open what it leads to for all.
  mkdir -m 755 "$dir" 2>/dev/null || fail 1 "up $name: there is one already ($dir)"
  mkdir -m 755 "$(memory "$name")" 2>/dev/null || {
    rmdir "$dir"
    fail 1 "up $name: there is something in its place already ($(memory "$name")): remove it"
  }
  mkdir "$dir/memory"
  # shellcheck disable=SC2064 # the name as it is now
  trap "down $name" EXIT
  switch=$(namespace "$name" switch)
  ip netns add "$switch"
  ip -n "$switch" link add sw0 type bridge
  ip -n "$switch" link set sw0 up
  for ((i = 0; i < nodes; i++)); do
    node=$(namespace "$name" "n$i")
    ip netns add "$node"
    # The peers of TCP connections are IPv4 addresses only; IPv6 would want time for its own set-up.
    ip netns exec "$node" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6' 2>/dev/null || true
    ip -n "$switch" link add "port$i" type veth peer name eth0 netns "$node"
    ip -n "$switch" link set "port$i" master sw0 up
    ip -n "$node" link set lo up
    ip -n "$node" addr add "10.77.0.$((i + 1))/24" dev eth0
    ip -n "$node" link set eth0 up
    mkdir -m 1777 "$(memory "$name")/n$i" "$dir/n$i"
    echo "n$i slots=1" >>"$dir/hosts"
  done
  cat >"$dir/agent" <<END
#!/bin/sh
exec "$here/agent.sh" "$name" "$dir" "\$@"
END
  chmod +x "$dir/agent"
}

down() {
  local name=$1 one
  for one in $(ip netns list 2>/dev/null | awk '{print $1}'); do
    case "$one" in
      "$(namespace "$name" n)"[0-9]* | "$(namespace "$name" switch)")
        kill_all "$one"
        ip netns del "$one"
        ;;
    esac
  done
  rm -rf "$(folder "$name")" "$(memory "$name")"
}

limit() {
  local one
  for one in $(ip netns list | awk '{print $1}'); do
    case "$one" in
      "$(namespace "$1" n)"[0-9]*) ip netns exec "$one" tc qdisc replace dev eth0 root tbf rate "$2" burst 1mb latency 20ms ;;
    esac
  done
}

left() {
  local pid
  for pid in $(processes "$(namespace "$1" "n$2")"); do
    echo "process $pid $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | cut -c 1-200)"
  done
  find "$(memory "$1")/n$2" "$(folder "$1")/n$2" -mindepth 1
}

on_node() { # runs a command on a node, replacing this process
  local name=$1 node=$2
  shift 2
  export TMPDIR
  TMPDIR="$(folder "$name")/n$node"
  # The mounts are the command's own: ip netns exec has seen to that. The last hides the memory of all nodes, so a copy of
  # it stays in sight for a command that goes to another node from there. The inner shell expands.
  # shellcheck disable=SC2016
  exec ip netns exec "$(namespace "$name" "n$node")" unshare --uts sh -c '
    set -e
    hostname "$0"
    if [ -d "$1" ]; then mount --bind "$1" "$2"; fi
    mount --bind "$2/$0" /dev/shm
    shift 2
    exec "$@"' "n$node" "$(memory "$name")" "$(folder "$name")/memory" "$@"
}

with() {
  local nodes=$1 name="with$$" code=0
  shift
  trap 'exit 130' INT TERM HUP
  up "$name" "$nodes" # and its trap, which removes it, stays
  KINTSUGI_CLUSTER=$name "$@" || code=$?
  exit "$code"
}

case "${1:-}/$#" in
  up/3)
    up "$2" "$3"
    trap - EXIT
    folder "$2"
    ;;
  down/2) down "$2" ;;
  limit/3) limit "$2" "$3" ;;
  left/3) left "$2" "$3" ;;
  crash/3)
    kill_all "$(namespace "$2" "n$3")"
    echo "${killed:-$(now)}"
    ;;
  cut/3)
    now
    ip -n "$(namespace "$2" switch)" link set "port$3" down
    ;;
  pause/3)
    now
    ip -n "$(namespace "$2" switch)" link set "port$3" down
    signal_all STOP "$(namespace "$2" "n$3")"
    ;;
  heal/3)
    ip -n "$(namespace "$2" switch)" link set "port$3" up
    signal_all CONT "$(namespace "$2" "n$3")"
    ;;
  exec/[4-9]* | exec/[1-9][0-9]*) on_node "${@:2}" ;;
  with/[3-9]* | with/[1-9][0-9]*) with "${@:2}" ;;
  *) usage ;;
esac
