#!/usr/bin/env bash
# A real Slurm on one machine: slurmctld, munged, and a slurmd on each of several nodes. A node is a network, UTS, PID and mount
# namespace with a host name, a /tmp and a /dev/shm of its own; all other files are shared, as on a parallel file system. The
# controller's host, ctl, is where jobs are submitted; the nodes are n1 to nNODES. Clusters with different names never meet.
# Needs root, and Debian's packages slurmctld, slurmd, slurm-client and munge.
#
#   slurm.sh up NAME NODES CPUS      make it: CPUS processors of each node, as Slurm counts them; prints its folder
#   slurm.sh exec NAME CMD           run a command on ctl (sbatch, squeue; in the foreground; stdin and stdout as they are)
#   slurm.sh crash NAME NODE         kill every process of the node as one blow: slurmd, the step, and the ranks
#   slurm.sh cut NAME NODE           take its link down: it falls silent, its processes go on
#                                    (both print when that was: microseconds since 1970)
#   slurm.sh boot NAME NODE          start a node that has crashed, or heal one that was cut off
#   slurm.sh left NAME NODE          print what is left on the node: processes of jobs, shared memory, temporary files
#   slurm.sh down NAME               end what still runs there and remove it; does nothing if it is not there
#
# NODE is a number from 1. The folder is shared by all nodes, and is the place for job scripts and their output.
# Exit code 77, with a reason: it cannot be had here.
set -euo pipefail

fail() {
  echo "slurm.sh: $2" >&2
  exit "$1"
}

usage() { sed -n '7,15s/^# *//p' "$0" >&2; exit 2; }

# Under /var/tmp, as a node has a /tmp of its own.
folder() { echo "/var/tmp/kintsugi-slurm-$1"; }
memory() { echo "/dev/shm/kintsugi-slurm-$1"; }
namespace() { echo "kintsugi-slurm-$1-$2"; }
now() { echo "${EPOCHREALTIME/[.,]/}"; }
processes() { ip netns pids "$1" 2>/dev/null || true; }

check_permitted() {
  [ "$(id -u)" -eq 0 ] || fail 77 "a Slurm with nodes of its own needs root"
  local one why probe="kintsugi-probe-$$"
  for one in ip unshare nsenter slurmctld slurmd munged sbatch; do
    PATH=$PATH:/usr/sbin command -v "$one" >/dev/null ||
      fail 77 "no $one here (packages iproute2, slurmctld, slurmd, slurm-client, munge)"
  done
  why=$( (ip netns add "$probe" && ip netns exec "$probe" unshare --uts --pid --fork mount --bind /dev/shm /dev/shm) 2>&1) || {
    ip netns del "$probe" 2>/dev/null || true
    fail 77 "namespaces are not permitted here: $why"
  }
  ip netns del "$probe"
}

add_host() { # NAME HOST NUMBER: a network namespace on the switch
  local host switch
  host=$(namespace "$1" "$2") switch=$(namespace "$1" switch)
  ip netns add "$host"
  ip netns exec "$host" sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6' 2>/dev/null || true
  ip -n "$switch" link add "port$2" type veth peer name eth0 netns "$host"
  ip -n "$switch" link set "port$2" master sw0 up
  ip -n "$host" link set lo up
  ip -n "$host" addr add "10.88.0.$3/24" dev eth0
  ip -n "$host" link set eth0 up
  echo "10.88.0.$3 $2" >>"$(folder "$1")/etc/hosts"
}

configure() { # NAME NODES CPUS
  local dir i
  dir=$(folder "$1")
  cat >"$dir/etc/slurm.conf" <<END
ClusterName=$1
SlurmctldHost=ctl(10.88.0.100)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/etc/munge.sock
StateSaveLocation=$dir/etc/state
SlurmdSpoolDir=$dir/etc/spool.%n
SlurmctldPidFile=$dir/etc/slurmctld.pid
SlurmdPidFile=$dir/etc/slurmd.%n.pid
SlurmctldLogFile=$dir/etc/slurmctld.log
SlurmdLogFile=$dir/etc/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmctldTimeout=10
SlurmdTimeout=10
KillWait=2
InactiveLimit=0
JobRequeue=1
JobCompType=jobcomp/filetxt
JobCompLoc=$dir/etc/jobs.log
END
  for ((i = 1; i <= $2; i++)); do
    echo "NodeName=n$i NodeAddr=10.88.0.$i CPUS=$3"
  done >>"$dir/etc/slurm.conf"
  echo "PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:4 MaxTime=INFINITE State=UP" >>"$dir/etc/slurm.conf"
  : >"$dir/etc/cgroup.conf"
}

start_munge() {
  local dir=$1
  (umask 077 && dd if=/dev/urandom of="$dir/etc/munge.key" bs=128 count=1 status=none)
  munged --force --socket="$dir/etc/munge.sock" --key-file="$dir/etc/munge.key" --pid-file="$dir/etc/munge.pid" \
    --log-file="$dir/etc/munge.log" --seed-file="$dir/etc/munge.seed" 2>>"$dir/etc/munge.out" ||
    fail 1 "munged does not start: $(cat "$dir/etc/munge.out" "$dir/etc/munge.log")"
}

# Runs a command on a host; the name of the shell that does it is the host's.
on_host() { # NAME HOST COMMAND...
  local dir host=$2
  dir=$(folder "$1")
  local net
  net=/run/netns/$(namespace "$1" "$host")
  shift 2
  # Not ip netns exec, which mounts another /sys, in which slurmd misses the cgroup file system.
  # shellcheck disable=SC2016 # the inner shell expands
  SLURM_CONF=$dir/etc/slurm.conf exec nsenter --net="$net" unshare --uts --mount sh -c '
    set -e
    hostname "$0"
    mount --bind "$1/etc/hosts" /etc/hosts
    shift
    exec "$@"' "$host" "$dir" "$@"
}

boot() { # NAME NODE: starts its process 1, and by it slurmd
  local dir node=n$2 memory
  dir=$(folder "$1") memory=$(memory "$1")
  # As after a reboot: nothing of a job that was there before is left in its memory and its /tmp.
  rm -rf "$dir/nodes/$node" "${memory:?}/$node"
  mkdir -p "$dir/nodes/$node" "$dir/etc/spool.$node" "${memory:?}/$node"
  chmod 1777 "$dir/nodes/$node" "${memory:?}/$node"
  # slurmd leaves its sessions to process 1, as on a machine; bash reaps the processes that they leave.
  # shellcheck disable=SC2016
  (on_host "$1" "$node" unshare --mount --pid --fork --mount-proc bash -c '
    mount --bind "$1" /tmp
    mount --bind "$2" /dev/shm
    slurmd -N "$0"
    while :; do sleep 1000 & wait; done' "$node" "$dir/nodes/$node" "${memory:?}/$node") \
    </dev/null >>"$dir/etc/boot.$node.log" 2>&1 &
}

# The process that is number 1 in the PID namespace of a node. Its end is the end of all others there.
first_process() {
  local pid
  for pid in $(processes "$(namespace "$1" "n$2")"); do
    if [ "$(awk '/^NSpid:/ {print (NF > 2 && $NF == 1)}' "/proc/$pid/status" 2>/dev/null)" = 1 ]; then
      echo "$pid"
      return 0
    fi
  done
}

kill_all() { # NAMESPACE
  local round pids
  for round in 1 2 3 4 5; do
    pids=$(processes "$1")
    [ -n "$pids" ] || return 0
    # shellcheck disable=SC2086
    kill -KILL $pids 2>/dev/null || true
    [ "$round" -eq 1 ] || sleep 0.05
  done
}

crash() {
  local pid node
  node=$(namespace "$1" "n$2")
  pid=$(first_process "$1" "$2")
  now
  [ -z "$pid" ] || kill -KILL "$pid"
  kill_all "$node"
}

up() {
  local name=$1 nodes=$2 dir i
  [[ "$name" =~ ^[A-Za-z0-9_]+$ ]] || fail 2 "up $name: a name is made of letters, digits and _"
  [[ "$nodes" =~ ^[1-9][0-9]?$ ]] || fail 2 "up $name $nodes: expected 1 to 99 nodes"
  [[ "$3" =~ ^[1-9][0-9]?$ ]] || fail 2 "up $name $nodes $3: expected 1 to 99 processors of each node"
  check_permitted
  dir=$(folder "$name")
  mkdir -m 755 "$dir" 2>/dev/null || fail 1 "up $name: there is one already ($dir)"
  mkdir -m 755 "$(memory "$name")" 2>/dev/null || {
    rmdir "$dir"
    fail 1 "up $name: there is something in its place already ($(memory "$name")): remove it"
  }
  # shellcheck disable=SC2064 # the name as it is now
  trap "down $name" EXIT
  mkdir -p "$dir/etc/state"
  echo "127.0.0.1 localhost" >"$dir/etc/hosts"
  ip netns add "$(namespace "$name" switch)"
  ip -n "$(namespace "$name" switch)" link add sw0 type bridge
  ip -n "$(namespace "$name" switch)" link set sw0 up
  add_host "$name" ctl 100
  for ((i = 1; i <= nodes; i++)); do
    add_host "$name" "n$i" "$i"
  done
  configure "$name" "$nodes" "$3"
  start_munge "$dir"
  (on_host "$name" ctl slurmctld) >>"$dir/etc/boot.ctl.log" 2>&1
  for ((i = 1; i <= nodes; i++)); do
    boot "$name" "$i"
  done
  for ((i = 0; i < 300; i++)); do
    [ "$( (on_host "$name" ctl sinfo -h -t idle -o %D) 2>/dev/null || true)" = "$nodes" ] && return 0
    sleep 0.1
  done
  fail 1 "up $name: the nodes are not idle after 30 s: $( (on_host "$name" ctl sinfo -N -l) 2>&1); $(tail -n 3 "$dir"/etc/*.log)"
}

down() {
  local name=$1 one pid
  for one in $(ip netns list 2>/dev/null | awk '{print $1}'); do
    case "$one" in
      "$(namespace "$name" n)"[0-9]* | "$(namespace "$name" ctl)" | "$(namespace "$name" switch)")
        kill_all "$one"
        ip netns del "$one"
        ;;
    esac
  done
  pid=$(cat "$(folder "$name")/etc/munge.pid" 2>/dev/null || true)
  if [ -n "$pid" ] && [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = munged ]; then
    kill "$pid"
    while [ -d "/proc/$pid" ]; do sleep 0.05; done
  fi
  rm -rf "$(folder "$name")" "$(memory "$name")"
}

left() {
  local pid
  for pid in $(processes "$(namespace "$1" "n$2")"); do
    case "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)" in
      '' | *slurmd\ -N\ * | *unshare\ --mount\ * | bash\ -c* | sleep\ 1000*) ;;
      *) echo "process $pid $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | cut -c 1-200)" ;;
    esac
  done
  find "$(memory "$1")/n$2" "$(folder "$1")/nodes/n$2" -mindepth 1
}

case "${1:-}/$#" in
  up/4)
    up "${@:2}"
    trap - EXIT
    folder "$2"
    ;;
  exec/[3-9]* | exec/[1-9][0-9]*) on_host "$2" ctl "${@:3}" ;;
  crash/3) crash "$2" "$3" ;;
  cut/3)
    now
    ip -n "$(namespace "$2" switch)" link set "portn$3" down
    ;;
  boot/3)
    ip -n "$(namespace "$2" switch)" link set "portn$3" up
    [ -n "$(first_process "$2" "$3")" ] || boot "$2" "$3"
    ;;
  left/3) left "$2" "$3" ;;
  down/2) down "$2" ;;
  *) usage ;;
esac
