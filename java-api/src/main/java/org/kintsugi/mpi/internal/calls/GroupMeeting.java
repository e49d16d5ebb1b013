// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * {@code MPI_Intercomm_create}, in which only the leaders have the peer communicator.
 *
 * <p>Each leader first broadcasts to its group whether its arguments are valid: if they are not,
 * MPI's function would return on the leader, and never on the others. Open MPI up to 5.0.10 refuses
 * an intercommunicator as the peer, which MPI allows (open-mpi/ompi#13444). Only the check of
 * arguments fails: the messages between the leaders work on both kinds. So the check is switched
 * off for that call.
 *
 * <p>A leader that has missed a failure in its group does not wait in MPI's function for good: each
 * process is notified of the failure of a member of its group, and all collectives on the group then
 * fail. The other group has no failed process, so it may wait for the leader that has returned; the
 * processes that get the exception have to revoke the group and the peer, as after any collective.
 */
public final class GroupMeeting {
  private static final String FUNCTION = "MPI_Intercomm_create";

  private static int uncheckedCalls; // the number of calls under way without checks
  private static int checkedBefore; // what to restore after the last of them

  private GroupMeeting() {}

  /** @return the handle of the intercommunicator */
  public static long meet(CommState group, int leader, CommState peer, int remoteLeader, int tag) {
    long comm = group.handle();
    boolean leads = group.rawRank() == leader;
    long peerHandle = MPI.MPI_COMM_NULL;
    RuntimeException refused = null;
    if (leads) {
      try {
        peerHandle = requirePeer(peer, remoteLeader, tag);
      } catch (RuntimeException cannot) {
        refused = cannot;
      }
    }
    tellGroup(group, comm, leader, leads, refused);
    boolean isUnchecked = leads && peer.isBetweenGroups();
    long scratch = Scratch.address();
    int code;
    if (isUnchecked) {
      leaveUnchecked();
    }
    try {
      code = MPI.MPI_Intercomm_create(comm, leader, peerHandle, remoteLeader, tag, scratch);
    } finally {
      if (isUnchecked) {
        checkAgain();
      }
    }
    group.check(code, FUNCTION);
    return Memory.getLong(scratch);
  }

  private static long requirePeer(CommState peer, int remoteLeader, int tag) {
    if (peer == null) {
      throw new NullPointerException("peer is null, and this process is the leader of its group");
    }
    long handle = peer.handle();
    if (remoteLeader < 0 || remoteLeader >= peer.peers()) {
      throw Rejections.argument("remoteLeader " + remoteLeader + " is no rank of peer: 0 to " + (peer.peers() - 1));
    }
    if (!peer.isBetweenGroups() && remoteLeader == peer.rawRank()) {
      throw Rejections.argument("remoteLeader " + remoteLeader + " is this process, the leader of its own group");
    }
    CommState.checkSendTag(tag);
    return handle;
  }

  /** Throws the leader's refusal on all processes of its group. */
  private static void tellGroup(CommState group, long comm, int leader, boolean leads, RuntimeException refused) {
    long word = Scratch.address();
    Memory.putInt(word, refused == null ? 1 : 0);
    int code = MPI.MPI_Bcast(word, 1, Datatype.INT.handle(), leader, comm);
    if (refused != null) {
      throw refused;
    }
    // A leader that has detected a failure continues: MPI's function reports it to the other group.
    if (!leads || CommState.isLeft(code)) {
      group.check(code, FUNCTION);
      if (Memory.getInt(word) == 0) {
        throw Rejections.argument("the leader, rank " + leader + ", cannot use the peer, remoteLeader or tag that it was given");
      }
    }
  }

  private static synchronized void leaveUnchecked() {
    if (uncheckedCalls++ == 0) {
      checkedBefore = Kintsugi.kintsugi_check_arguments(0);
    }
  }

  private static synchronized void checkAgain() {
    if (--uncheckedCalls == 0 && checkedBefore > 0) {
      int ignored = Kintsugi.kintsugi_check_arguments(1);
      assert ignored == 0;
    }
  }
}
