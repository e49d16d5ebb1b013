#!/bin/sh
# Ends a job whose launcher was killed. JobWatchdog.java starts this script beside every mpirun.
# Arguments: the job's folders. Standard input has the process id of mpirun, and "done" when nothing is
# left to do. If the input ends without that word, the launcher was killed.
# Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
set -u
session=$1
memory=$2
# Signals that end the launcher by its terminal or its process group must not end this process.
trap '' HUP INT QUIT TERM

# The job's processes on this host: they and all their children have its folder in their environment.
# (This process has not.)
members() {
  LC_ALL=C grep -lzxF "KINTSUGI_JOB=$session" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

is_member() {
  LC_ALL=C grep -qzxF "KINTSUGI_JOB=$session" "/proc/$1/environ" 2>/dev/null
}

# Sends a signal to processes that are still the same as when they were found: the kernel reuses ids.
signal() {
  name=$1
  shift
  for process; do
    if is_member "$process"; then
      kill -s "$name" "$process" 2>/dev/null
    fi
  done
}

mpirun=
if read -r mpirun; then
  # mpirun may have failed to start.
  [ "$mpirun" != "done" ] || exit 0
  read -r word && [ "$word" = "done" ] && exit 0
fi

# mpirun first: it ends its processes on other hosts.
if [ -n "$mpirun" ]; then
  signal TERM "$mpirun"
else
  # mpirun may be starting at this moment, and not have the mark yet.
  sleep 1
fi
tries=0
while [ "$tries" -lt 50 ] && [ -n "$mpirun" ] && is_member "$mpirun"; do
  sleep 0.1
  tries=$((tries + 1))
done
# Repeat this, as processes may have been started meanwhile.
tries=0
left=$(members)
while [ "$tries" -lt 50 ] && [ -n "$left" ]; do
  # shellcheck disable=SC2086 # Process ids: to be split.
  signal KILL $left
  sleep 0.1
  tries=$((tries + 1))
  left=$(members)
done
# A process that is being killed may still make a file.
tries=0
while ! rm -rf -- "$memory" "$session" 2>/dev/null && [ "$tries" -lt 50 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
if [ -n "$mpirun" ]; then
  # Files of the Reinit++ fork, with ranks on several hosts; see ReinitFlags. Any user may make files there, and links to ours.
  for sessions in /dev/shm/ompi.*; do
    if [ ! -L "$sessions" ] && [ -O "$sessions" ]; then
      rm -rf -- "$sessions/pid.$mpirun"
    fi
  done
fi
