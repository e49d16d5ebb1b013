// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.CartComm;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.SplitType;

/** What makes communicators from one, and agrees among its processes; {@link Comm} has the public methods. */
public interface CommunicatorOperations {
  Comm dup();

  Comm dup(Info info);

  Comm split(int color, int key);

  Comm split(SplitType type, int key, Info info);

  Comm create(Group group);

  Comm create(Group group, int tag);

  CartComm cart(int[] dims, boolean[] periodic, boolean reorder);

  Intercomm spawn(String command, String[] arguments, int processes, Info info, int root);

  Intercomm intercomm(int localLeader, Comm peer, int remoteLeader, int tag);

  /** Of an intercommunicator only. */
  Comm merge(boolean high);

  Comm shrink();

  int agree(int value);
}
