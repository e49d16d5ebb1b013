#!/usr/bin/env bash
# Replaces ssh in a simulated cluster: agent.sh NAME FOLDER HOST COMMAND... starts the command on
# that node and returns 0 at once. It must not stay attached: the launcher takes the end of an attached
# client for a failed start, and that races with the loss of the connection when a node dies.
set -euo pipefail

name=$1
folder=$2
host=$3
shift 3
# As ssh does: none of the caller's environment goes along, the words are joined, and a shell on the other side takes them
# apart.
env -i HOME="$HOME" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  setsid "$(dirname "$0")/cluster.sh" exec "$name" "${host#n}" sh -c "$*" </dev/null >>"$folder/$host.log" 2>&1 &
