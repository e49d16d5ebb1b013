#!/bin/sh
# Ends a job whose launcher was killed: what JobWatchdog.java starts beside every mpirun.
# Arguments: the job's folders. On standard input the process id of mpirun, then (or at once) "done" if nothing is left to do;
# the end of the input without that word is the launcher's death, whatever killed it.
# Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
set -u
session=$1
memory=$2
# Signals that end the launcher by its terminal or its process group must not end this process.
trap '' HUP INT QUIT TERM

# The job's processes on this host: they and all that they have started have its folder in their environment. (We have not.)
members() {
  LC_ALL=C grep -lzxF "KINTSUGI_JOB=$session" /proc/[0-9]*/environ 2>/dev/null | cut -d / -f 3
}

is_member() {
  LC_ALL=C grep -qzxF "KINTSUGI_JOB=$session" "/proc/$1/environ" 2>/dev/null
}

# Sends a signal to those that still are what they were when they were found: process ids are given anew.
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
  # It may be that none could be started.
  [ "$mpirun" != "done" ] || exit 0
  read -r word && [ "$word" = "done" ] && exit 0
fi

# mpirun first: it ends its processes on other hosts.
if [ -n "$mpirun" ]; then
  signal TERM "$mpirun"
else
  # It may be starting at this moment, and not have the mark yet.
  sleep 1
fi
tries=0
while [ "$tries" -lt 50 ] && [ -n "$mpirun" ] && is_member "$mpirun"; do
  sleep 0.1
  tries=$((tries + 1))
done
# Again and again, as there may be some that were being started meanwhile.
tries=0
left=$(members)
while [ "$tries" -lt 50 ] && [ -n "$left" ]; do
  # shellcheck disable=SC2086 # Process ids: to be split.
  signal KILL $left
  sleep 0.1
  tries=$((tries + 1))
  left=$(members)
done
rm -rf -- "$memory" "$session"
if [ -n "$mpirun" ]; then
  # Files of the Reinit++ fork, with ranks on several hosts; see ReinitFlags. Any user may make files there, and links to ours.
  for sessions in /dev/shm/ompi.*; do
    if [ ! -L "$sessions" ] && [ -O "$sessions" ]; then
      rm -rf -- "$sessions/pid.$mpirun"
    fi
  done
fi
