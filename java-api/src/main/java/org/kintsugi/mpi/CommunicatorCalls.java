// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.CommunicatorOperations;
import org.kintsugi.mpi.internal.calls.GroupMeeting;
import org.kintsugi.mpi.internal.calls.SpawnCommand;
import org.kintsugi.mpi.internal.check.CheckedComm;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.startup.LoadedMpi;
import org.kintsugi.runtime.internal.InRecovery;

/** Makes communicators by MPI's functions. */
@InRecovery
final class CommunicatorCalls implements CommunicatorOperations {
  static {
    // A recovery that admits processes makes an intercommunicator: its classes are loaded now, and not then.
    Class<?> facade = Intercomm.class;
    Class<?> handle = IntercommHandle.class;
    assert facade != null && handle != null;
  }

  private final Comm facade;
  private final CommHandle comm;

  /** For communicators from this one. */
  CommunicatorCalls(Comm facade) {
    this.facade = facade;
    comm = facade.state();
  }

  /** The communicator that all processes have just made; null for the null handle. */
  private Comm named(long handle) {
    Comm made = facade.adopt(handle);
    if (made != null) {
      comm.name(made.state());
    }
    return made;
  }

  /** As {@link #named}, if only some processes have called the function. */
  private Comm namedBySome(long handle, String what) {
    Comm made = facade.adopt(handle);
    if (made != null) {
      CheckedComm.nameOfSome(made.state(), comm, what);
    }
    return made;
  }

  @Override
  public Comm dup() {
    long handle = comm.handle();
    comm.tell("MPI_Comm_dup", -1);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_dup(handle, scratch), "MPI_Comm_dup");
    return facade.withAttributes(named(Memory.getLong(scratch)));
  }

  @Override
  public Comm dup(Info info) {
    long handle = comm.handle();
    long hints = Info.handleOf(info);
    comm.tell("MPI_Comm_dup_with_info", -1);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_dup_with_info(handle, hints, scratch), "MPI_Comm_dup_with_info");
    return facade.withAttributes(named(Memory.getLong(scratch)));
  }

  @Override
  public Comm split(int color, int key) {
    long handle = comm.handle();
    if (color < 0 && color != Comm.UNDEFINED) {
      throw Rejections.argument("color " + color + " is negative and not Comm.UNDEFINED");
    }
    comm.tell("MPI_Comm_split", -1);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_split(handle, color, key, scratch), "MPI_Comm_split");
    return named(Memory.getLong(scratch));
  }

  @Override
  public Comm split(SplitType type, int key, Info info) {
    long handle = comm.handle();
    long hints = Info.handleOf(info);
    comm.tell("MPI_Comm_split_type", -1);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_split_type(handle, type == null ? Comm.UNDEFINED : type.value, key, hints, scratch),
        "MPI_Comm_split_type");
    return named(Memory.getLong(scratch));
  }

  @Override
  public Comm create(Group group) {
    long handle = comm.handle();
    long members = group.handle();
    comm.tell("MPI_Comm_create", -1);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_create(handle, members, scratch), "MPI_Comm_create");
    return named(Memory.getLong(scratch));
  }

  @Override
  public Comm create(Group group, int tag) {
    long handle = comm.handle();
    CommState.checkSendTag(tag);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_create_group(handle, group.handle(), tag, scratch), "MPI_Comm_create_group");
    return namedBySome(Memory.getLong(scratch), "group " + tag);
  }

  @Override
  public CartComm cart(int[] dims, boolean[] periodic, boolean reorder) {
    long handle = comm.handle();
    if (dims.length != periodic.length) {
      throw Rejections.argument(
          "dims has " + dims.length + " elements, periodic has " + periodic.length);
    }
    long cells = 1;
    int[] wraps = new int[dims.length];
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] <= 0) {
        throw Rejections.argument("dims[" + i + "] = " + dims[i] + " is not positive: see CartComm.dims");
      }
      cells *= dims[i];
      wraps[i] = periodic[i] ? 1 : 0;
    }
    if (cells > comm.size()) {
      throw Rejections.argument("a grid of " + cells + " processes does not fit a communicator of " + comm.size());
    }
    comm.tell("MPI_Cart_create", -1);
    long arrays = Ints.allocate(dims, wraps);
    try {
      long scratch = Scratch.address();
      comm.check(MPI.MPI_Cart_create(handle, dims.length, arrays, arrays + Ints.bytes(dims), reorder ? 1 : 0, scratch),
          "MPI_Cart_create");
      long cart = Memory.getLong(scratch);
      if (cart == MPI.MPI_COMM_NULL) {
        return null;
      }
      CartComm made = new CartComm(cart, comm.scope(), dims, periodic);
      comm.name(made.state());
      return made;
    } finally {
      Memory.free(arrays);
    }
  }

  @Override
  public Intercomm spawn(String command, String[] arguments, int processes, Info info, int root) {
    long handle = comm.handle();
    comm.checkRoot(root);
    if (root != comm.rank()) {
      return spawn(handle, 0, 0, 0, MPI.MPI_INFO_NULL, root);
    }
    long hints = Info.handleOf(info);
    if (processes <= 0) {
      throw Rejections.argument("processes " + processes + " is not positive");
    }
    try (SpawnCommand words = new SpawnCommand(command, arguments)) {
      return spawn(handle, words.program(), words.arguments(), processes, hints, root);
    }
  }

  private Intercomm spawn(long handle, long program, long argv, int processes, long hints, int root) {
    comm.tell("MPI_Comm_spawn", root);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Comm_spawn(program, argv, processes, hints, root, handle, scratch, MPI.MPI_ERRCODES_IGNORE),
        "MPI_Comm_spawn");
    return new Intercomm(Memory.getLong(scratch), comm.scope());
  }

  @Override
  public Intercomm intercomm(int localLeader, Comm peer, int remoteLeader, int tag) {
    comm.handle();
    comm.requireOneGroup("MPI_Intercomm_create");
    comm.checkSame(localLeader, "localLeader");
    CommHandle peers = peer == null ? null : peer.state();
    Intercomm made = new Intercomm(GroupMeeting.meet(comm, localLeader, peers, remoteLeader, tag), comm.scope());
    if (CheckedComm.IS_ON) {
      CheckedComm.nameIntercomm(made.state(), comm, new CollectiveCalls(made.state()));
    }
    return made;
  }

  @Override
  public Comm merge(boolean high) {
    long handle = comm.handle();
    comm.tell("MPI_Intercomm_merge", -1);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Intercomm_merge(handle, high ? 1 : 0, scratch), "MPI_Intercomm_merge");
    Comm made = new Comm(Memory.getLong(scratch), comm.scope(), false);
    CheckedComm.nameMerged(made.state(), comm);
    return made;
  }

  @Override
  public Comm shrink() {
    Mpi.requireFaultTolerance("shrink");
    letNewCommunicatorsIn();
    long scratch = Scratch.address();
    comm.check(ULFM.MPIX_Comm_shrink(comm.handle(), scratch), "MPIX_Comm_shrink");
    return namedBySome(Memory.getLong(scratch), "shrunk");
  }

  /**
   * Works around a queue in Open MPI (5.0.7, comm_cid.c) that blocks shrink. Open MPI makes
   * communicators in the order of their parents' numbers. If a failure interrupts a {@code dup} or
   * {@code split}, it does not remove the parent's number from the queue. Then making a
   * communicator from a parent with a higher number waits for ever, also in shrink. A duplicate of
   * MPI_COMM_SELF, whose number is the lowest and which needs no other process, takes that place
   * and leaves the queue empty. Patch ulfm/0004 removes the number; with it the duplicate would take
   * a tenth of a process's time in a recovery, for nothing.
   */
  private static void letNewCommunicatorsIn() {
    if (!LoadedMpi.isPatched()) {
      Mpi.current().self().dup().close();
    }
  }

  @Override
  public int agree(int value) {
    Mpi.requireFaultTolerance("agree");
    long scratch = Scratch.address();
    Memory.putInt(scratch, value);
    comm.check(ULFM.MPIX_Comm_agree(comm.handle(), scratch), "MPIX_Comm_agree");
    return Memory.getInt(scratch);
  }
}
