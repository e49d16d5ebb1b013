// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scratch;
import org.kintsugi.mpi.internal.WatchLine;
import org.kintsugi.mpi.internal.Whereabouts;
import org.kintsugi.runtime.CollectiveCall;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.WatchLines;

/**
 * A communicator as the launcher knows it, which compares what its processes are about to call ({@link MpiConfig#CHECK}).
 *
 * <p>All processes of a communicator have the same name for it without having to talk about it: that of the communicator it was
 * made from, the number of the call that has made it, and who has rank 0 in it. What Kintsugi makes and calls for itself is not
 * told. Nor are communicators that are made where not all of another one call (shrink, createGroup), and intercommunicators.
 */
final class CheckedComm {
  /** Whether anything is told: a constant, so that nothing is left of it where not. */
  static final boolean IS_ON = MpiConfig.CHECK.booleanValue();

  private static final String NONE = "";
  /** Of more parts no message lists the counts. */
  private static final int MOST_COUNTS = 8;

  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final String id;
  private final String kind;
  private final CheckedMessages messages = new CheckedMessages();
  /** All that come of one world; the world first. */
  private final List<CheckedComm> family;
  private String given; // its name by the program; null: none
  private int rank;
  private long calls;
  private boolean hasToldLast;
  private boolean hasFailed;

  private CheckedComm(String id, String kind, int rank, List<CheckedComm> family) {
    this.id = id;
    this.kind = kind;
    this.rank = rank;
    this.family = family;
    synchronized (family) {
      family.add(this);
    }
  }

  /** {@code mpi.world()}; null for that of processes that were spawned, which is another one. */
  static CheckedComm ofJob(int rank) {
    return IS_ON && !MpiConfig.SPAWNED.booleanValue() ? new CheckedComm(WatchLines.JOB, "mpi.world()", rank, new ArrayList<>())
        : null;
  }

  /** The world of a run in one of its epochs. */
  static CheckedComm ofEpoch(int epoch, int rank) {
    return IS_ON ? new CheckedComm("epoch " + epoch, "the run's world", rank, new ArrayList<>()) : null;
  }

  /**
   * Gives a communicator its name that a collective of another one has made just now.
   *
   * @param made may be null
   */
  static void name(Comm made, Comm from) {
    CheckedComm origin = from.checked();
    if (made == null || origin == null || !origin.hasToldLast) {
      return;
    }
    try (Group of = made.group(); Group all = from.group()) {
      made.isChecked(new CheckedComm(origin.id + "." + origin.calls + "/" + of.ranksIn(all)[0],
          "a communicator of " + made.size() + " ranks", made.rank(), origin.family));
    }
  }

  /**
   * Tells that a collective is about to be called, unless Kintsugi calls it for itself.
   *
   * @param waits until all of the communicator have told the same, or a failure is known
   * @param root -1: there is none
   * @param op null: there is none
   * @param type of the elements on which all must agree; null: they need not
   */
  static void tell(CommHandle on, String function, boolean waits, int root, Op op, long count, Datatype type) {
    tell(on, function, waits, root, op, type == null ? NONE : count + " x " + type, type == null ? NONE : type.signature(count),
        NONE, NONE);
  }

  /**
   * The same where parts have their own lengths.
   *
   * @param data what a message says of them
   * @param signature on which all must agree; empty: on none
   * @param sends signatures of the parts that it sends, see {@link #parts}; empty: of none
   * @param receives the same of what it expects
   */
  static void tell(CommHandle on, String function, boolean waits, int root, Op op, String data, String signature, String sends,
      String receives) {
    CheckedComm comm = on.checked();
    if (comm == null) {
      return;
    }
    Whereabouts.Site site = Whereabouts.site(false);
    comm.hasToldLast = site != null;
    if (site != null) {
      comm.tell((Comm) on, function, waits, site, root == -1 ? NONE : String.valueOf(root), op == null ? NONE : op.toString(),
          data, signature, sends, receives);
    }
  }

  /** What all of a communicator do together beside MPI's collectives, as a method for the program: a save, the end of a body. */
  static void tellTogether(Comm on, String what, boolean waits) {
    CheckedComm comm = on.checked();
    if (comm != null) {
      comm.tell(on, what, waits, Whereabouts.site(true), NONE, NONE, NONE, NONE, NONE, NONE);
    }
  }

  /** A world's end, to which all come in good order: the same, and what messages there were. */
  static void tellEnd(Comm world, String what) {
    tellTogether(world, what, false);
    CheckedComm comm = world.checked();
    if (comm != null && !comm.hasFailed) {
      synchronized (comm.family) {
        comm.family.forEach(each -> each.messages.tell(each, each.rank));
      }
      WatchLine.sayMessagesEnd(world.rank(), world.size(), comm.id);
    }
  }

  String id() {
    return id;
  }

  String root() {
    return family.get(0).id;
  }

  /** What a message calls it. */
  String name() {
    return given == null ? kind : "\"" + given + "\"";
  }

  /** The program has given it a name. */
  void isCalled(String name) {
    given = name;
  }

  CheckedMessages messages() {
    return messages;
  }

  /** A failure is known on it: not all of it come any more. */
  static void fail(CommHandle on) {
    CheckedComm comm = on.checked();
    if (comm != null && !comm.hasFailed) {
      comm.hasFailed = true;
      WatchLine.sayFault(comm.id);
    }
  }

  /** What a message says of parts. */
  static String data(int[] counts, Datatype type) {
    return counts.length <= MOST_COUNTS ? Arrays.toString(counts) + " x " + type : counts.length + " parts of " + type;
  }

  /** The signatures of the parts of a buffer, one for each rank. */
  static String parts(int[] counts, Datatype type) {
    return IntStream.of(counts).mapToObj(count -> type.signature(count)).collect(Collectors.joining(","));
  }

  /** Of one part, for one of so many ranks. */
  static String part(int rank, int ranks, long count, Datatype type) {
    return LongStream.range(0, ranks).mapToObj(i -> i == rank ? type.signature(count) : NONE).collect(Collectors.joining(","));
  }

  private void tell(Comm on, String function, boolean waits, Whereabouts.Site site, String root, String op, String data,
      String signature, String sends, String receives) {
    calls++;
    if (hasFailed || on.rawHandle() == 0 || !on.scope().isUsable()) {
      return;
    }
    CollectiveCall call = new CollectiveCall(id, name(), on.rank(), on.size(), function,
        site.call(), site.line(), root, op, data, signature, sends, receives);
    if (!waits) {
      WatchLine.sayCall(call);
    } else if (on.size() > 1) {
      Whereabouts.awaits(function);
      try {
        await(on, WatchLine.askForCall(call));
      } finally {
        Whereabouts.awaits("");
      }
    }
  }

  /**
   * Meanwhile MPI has to make progress: others may wait for a message of this process before they come. A probe makes progress
   * only if it finds nothing (Open MPI, pml_ob1_iprobe.c), so that one is for a message that nobody sends.
   */
  private void await(Comm on, long number) {
    long scratch = Scratch.address();
    int nobodys = Mpi.current().tagUpperBound();
    while (!WatchLine.isLetGo(number)) {
      LockSupport.parkNanos(LOOK_NANOS);
      int ignored = MPI.MPI_Iprobe(0, nobodys, MPI.MPI_COMM_SELF, scratch, MPI.MPI_STATUS_IGNORE);
      assert ignored >= MPI.MPI_SUCCESS;
      int code = MPI.MPI_Iprobe(MPI.MPI_ANY_SOURCE, MPI.MPI_ANY_TAG, on.rawHandle(), scratch, MPI.MPI_STATUS_IGNORE);
      if (code != MPI.MPI_SUCCESS || isRevoked(on, scratch)) {
        // The collective itself says what it is.
        fail(on);
        return;
      }
    }
  }

  private static boolean isRevoked(Comm comm, long scratch) {
    if (Flavour.current() != Flavour.ULFM) {
      return false;
    }
    int code = ULFM.MPIX_Comm_is_revoked(comm.rawHandle(), scratch);
    return code != MPI.MPI_SUCCESS || Memory.getInt(scratch) != 0;
  }
}
