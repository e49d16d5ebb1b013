// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.check;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ULFM;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.ComparedComm;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.launcher.LauncherConnection;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.threads.CallingThread;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;
import org.kintsugi.runtime.internal.protocol.CommMember;

/**
 * A communicator whose calls the launcher compares ({@link JobConfig#CHECK}).
 *
 * <p>All its processes give it the same name without communicating: the name of the communicator
 * that it was made from, the number of the call that made it, and the process that has rank 0 in
 * it. If not all processes of that communicator make the call (shrink, createGroup), calls with the
 * same members are counted instead. The two groups of an intercommunicator exchange their names
 * when it is made. For the launcher the ranks of the second group follow those of the first.
 * Communicators and calls of Kintsugi itself are not reported.
 */
public final class CheckedComm implements ComparedComm {
  /** Whether calls are reported: a constant, so that the JVM's compilers remove the code if they are not. */
  public static final boolean IS_ON = JobConfig.CHECK.booleanValue();

  /** Reported by {@code Mpi.close}. */
  public static final String END = "MPI_Finalize";

  private static final String NONE = "";
  private static final int NO_ROOT = -1;
  /** The collectives without a root that have the same count and type in both groups of an intercommunicator. */
  private static final List<String> ALL_REDUCES = List.of("MPI_Allreduce", "MPI_Iallreduce", "MPI_Allreduce_init");
  /** Counts of more parts are not listed in messages. */
  private static final int MOST_COUNTS = 8;

  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private final String id;
  private final String kind;
  private final CheckedMessages messages = new CheckedMessages();
  /** All communicators that come from one world; the world first. */
  private final List<CheckedComm> family;
  private String given; // its name by the program; null: none
  /** The numbers of the first ranks of this process's own group, and of the other one, in an intercommunicator. */
  private final int own;
  private final int others;
  private final int size;
  private int rank;
  private long calls;
  /** For calls that only some processes make: their number, by their members and function. */
  private final Map<String, Integer> partial = new HashMap<>();
  private boolean hasToldLast;
  private boolean hasFailed;

  private CheckedComm(String id, String kind, int rank, int size, List<CheckedComm> family) {
    this(id, kind, rank, 0, 0, size, family);
  }

  private CheckedComm(String id, String kind, int rank, int own, int others, int size, List<CheckedComm> family) {
    this.id = id;
    this.kind = kind;
    this.rank = own + rank;
    this.own = own;
    this.others = others;
    this.size = size;
    this.family = family;
    synchronized (family) {
      family.add(this);
    }
    if (CallingThread.isOne()) { // otherwise a process that waits in one communicator may call in another one meanwhile
      CheckedComm home = family.get(0);
      LauncherConnection.sayMember(new CommMember(id, this.rank, size, home.kind, home.rank));
    }
  }

  /** {@code mpi.world()}; null in spawned processes, which have a different one. */
  public static CheckedComm ofJob(int rank, int size) {
    return IS_ON && !JobConfig.SPAWNED.booleanValue()
        ? new CheckedComm(CollectiveCall.JOB, "mpi.world()", rank, size, new ArrayList<>()) : null;
  }

  /** The world of a run in one of its epochs. */
  public static CheckedComm ofEpoch(int epoch, int rank, int size) {
    return IS_ON ? new CheckedComm("epoch " + epoch, "the run's world", rank, size, new ArrayList<>()) : null;
  }

  /** The name of a communicator; null: its calls are not compared. */
  static CheckedComm of(CommState comm) {
    return (CheckedComm) comm.compared();
  }

  /** Names a communicator that a collective of another one, with one group, has just made. */
  public static void name(CommState made, CommState from) {
    CheckedComm origin = ofCall(from);
    if (origin != null) {
      try (Group of = made.group(); Group all = from.group()) {
        origin.name(made, origin.call() + "/" + of.ranksIn(all)[0]);
      }
    }
  }

  /**
   * Names an intercommunicator that a collective of another one has just made.
   *
   * @param calls its collectives
   */
  public static void nameBetweenGroups(CommState made, CommState from, CollectiveOperations calls) {
    CheckedComm origin = ofCall(from);
    if (origin != null) {
      nameBoth(made, calls, origin.call() + "/" + origin.own, origin.family);
    }
  }

  /** Names a communicator of both groups of an intercommunicator. */
  public static void nameMerged(CommState made, CommState from) {
    CheckedComm origin = ofCall(from);
    if (origin != null) {
      origin.name(made, origin.call());
    }
  }

  /** The name of a communicator whose last call has been reported; otherwise null. */
  private static CheckedComm ofCall(CommState from) {
    CheckedComm origin = of(from);
    return origin == null || !origin.hasToldLast ? null : origin;
  }

  private String call() {
    return id + "." + calls;
  }

  private void name(CommState made, String as) {
    made.setCompared(new CheckedComm(as, "a communicator of " + made.size() + " ranks", made.rank(), made.size(), family));
  }

  /**
   * Names a communicator that only some processes of another one have made.
   *
   * @param what the function that they have called
   */
  public static void nameOfSome(CommState made, CommState from, String what) {
    CheckedComm origin = of(from);
    if (origin == null || CallTrace.site(false) == null) {
      return;
    }
    try (Group of = made.group(); Group all = from.group()) {
      String members = what + Arrays.toString(of.ranksIn(all));
      origin.name(made, origin.id + "." + members + origin.partial.merge(members, 1, Integer::sum));
    }
  }

  /**
   * Names an intercommunicator that has just been made: collective over both groups, also for a group that has no name for
   * itself.
   *
   * @param from what this process's group made it from
   * @param calls its collectives
   */
  public static void nameIntercomm(CommState made, CommState from, CollectiveOperations calls) {
    CheckedComm origin = of(from);
    boolean isKnown = origin != null && CallTrace.site(false) != null;
    String members = "intercomm " + made.peers();
    nameBoth(made, calls, isKnown ? origin.id + "." + members + "." + origin.partial.merge(members, 1, Integer::sum) : NONE,
        isKnown ? origin.family : null);
  }

  /** The groups exchange their names; if these are the same, or one is missing, the intercommunicator gets none. */
  private static void nameBoth(CommState made, CollectiveOperations calls, String own, List<CheckedComm> family) {
    UUID name = own.isEmpty() ? new UUID(0, 0) : UUID.nameUUIDFromBytes(own.getBytes(StandardCharsets.UTF_8));
    long[] told = {name.getMostSignificantBits(), name.getLeastSignificantBits()};
    long[] heard = new long[told.length * made.peers()];
    calls.allGather(CallForm.BLOCKING, Buf.wrap(told), Buf.wrap(heard));
    UUID other = new UUID(heard[0], heard[1]);
    int order = name.compareTo(other);
    if (order == 0 || own.isEmpty() || other.equals(new UUID(0, 0))) {
      return;
    }
    int first = order < 0 ? made.size() : made.peers();
    int both = made.size() + made.peers();
    made.setCompared(new CheckedComm("inter " + (order < 0 ? name + " " + other : other + " " + name),
        "an intercommunicator (ranks 0 to " + (first - 1) + " here: one group, " + first + " to " + (both - 1) + ": the other)",
        made.rank(), order < 0 ? 0 : first, order < 0 ? first : 0, both, family));
  }

  /**
   * Reports a collective that is about to be called, unless Kintsugi calls it for itself.
   *
   * @param waits whether to wait until all ranks of the communicator have reported the same, or a
   *     failure is known
   * @param root -1: there is none
   * @param op null: there is none
   * @param type the type of the elements, if it must be the same on all ranks; null otherwise
   */
  public static void tell(CommState on, String function, boolean waits, int root, Op op, long count, Datatype type) {
    tell(on, function, waits, root, op, type == null ? NONE : count + " x " + type,
        type == null ? NONE : Access.bufs().signature(type, count),
        NONE, NONE);
  }

  /**
   * As {@link #tell}, where parts have their own lengths.
   *
   * @param data the parts, for messages
   * @param signature the signature, if it must be the same on all ranks; empty otherwise
   * @param sends signatures of the parts that it sends, see {@link #parts}; empty if they are not
   *     checked
   * @param receives signatures of the parts that it expects, likewise
   */
  public static void tell(CommState on, String function, boolean waits, int root, Op op, String data, String signature,
      String sends,
      String receives) {
    CheckedComm comm = of(on);
    if (comm == null) {
      return;
    }
    CallTrace.Site site = CallTrace.site(false);
    comm.hasToldLast = site != null;
    if (site == null) {
      return;
    }
    String operation = op == null ? NONE : op.toString();
    if (on.isBetweenGroups()) {
      boolean hasPart = root != Comm.PROC_NULL;
      boolean isSameInBoth = root != NO_ROOT || ALL_REDUCES.contains(function);
      comm.tell(on, function, waits, site, comm.role(root), operation, hasPart ? data : NONE,
          hasPart && isSameInBoth ? signature : NONE, comm.ofOthers(sends), comm.ofOthers(receives));
    } else {
      comm.tell(on, function, waits, site, root == NO_ROOT ? NONE : String.valueOf(root), operation, data, signature,
          sends,
          receives);
    }
  }

  /** The root of an intercommunicator's collective, as {@link CollectiveCall#root} has it. */
  private String role(int root) {
    if (root == NO_ROOT) {
      return NONE;
    }
    int last = own == 0 ? others - 1 : size - 1;
    return root == Intercomm.ROOT ? CollectiveCall.isRoot(rank) : root == Comm.PROC_NULL ? CollectiveCall.isBesideRoot(own, last)
        : String.valueOf(others + root);
  }

  /** The parts of an intercommunicator's collective are those of the other group's ranks. */
  private String ofOthers(String parts) {
    return parts.isEmpty() ? NONE : ",".repeat(others) + parts;
  }

  /**
   * Reports an operation of all processes that is not a collective of MPI. Such operations are a
   * save, and the end of a body.
   */
  public static void tellTogether(CommState on, String what, boolean waits) {
    CheckedComm comm = of(on);
    if (comm != null) {
      comm.tell(on, what, waits, CallTrace.site(true), NONE, NONE, NONE, NONE, NONE, NONE);
    }
  }

  /**
   * Reports the end of a world, and the messages on its communicators. After a failure the messages
   * are not reported.
   */
  public static void tellEnd(CommState world, String what) {
    tellTogether(world, what, what.equals(END));
    CheckedComm comm = of(world);
    if (comm != null && !comm.hasFailed) {
      synchronized (comm.family) {
        comm.family.forEach(each -> each.messages.tell(each));
      }
      LauncherConnection.sayMessagesEnd(world.rank(), world.size(), comm.id);
    }
  }

  String id() {
    return id;
  }

  String root() {
    return family.get(0).id;
  }

  /** Its name in messages. */
  public String name() {
    return given == null ? kind : "\"" + given + "\"";
  }

  /** This process's rank in it. */
  int rank() {
    return rank;
  }

  /** The number of a rank that it sends to or receives from. */
  int peer(int peer) {
    return others + peer;
  }

  @Override
  public void setName(String name) {
    given = name;
  }

  CheckedMessages messages() {
    return messages;
  }

  /** See {@link #fail()}. */
  public static void fail(CommState on) {
    CheckedComm comm = of(on);
    if (comm != null) {
      comm.fail();
    }
  }

  @Override
  public void fail() {
    if (!hasFailed) {
      hasFailed = true;
      LauncherConnection.sayFault(id);
    }
  }

  /** The parts, for messages. */
  static String partsText(int[] counts, Datatype type) {
    return counts.length <= MOST_COUNTS ? Arrays.toString(counts) + " x " + type : counts.length + " parts of " + type;
  }

  /** The signatures of the parts of a buffer, one for each rank. */
  static String parts(int[] counts, Datatype type) {
    return IntStream.of(counts).mapToObj(count -> Access.bufs().signature(type, count)).collect(Collectors.joining(","));
  }

  /** The signatures of the parts for {@code ranks} ranks, if only one rank has a part. */
  static String part(int rank, int ranks, long count, Datatype type) {
    return LongStream.range(0, ranks).mapToObj(i -> i == rank ? Access.bufs().signature(type, count) : NONE)
        .collect(Collectors.joining(","));
  }

  private void tell(CommState on, String function, boolean waits, CallTrace.Site site, String root, String op, String data,
      String signature, String sends, String receives) {
    calls++;
    if (hasFailed || on.rawHandle() == 0 || !on.scope().isUsable()) {
      return;
    }
    CollectiveCall call = new CollectiveCall(id, name(), rank, size, function,
        site.call(), site.line(), root, op, data, signature, sends, receives);
    if (!waits) {
      LauncherConnection.sayCall(call);
    } else if (size > 1) {
      CallTrace.awaits(function);
      try {
        await(on, LauncherConnection.askForCall(call), function.equals(END));
      } finally {
        CallTrace.awaits("");
      }
    }
  }

  /**
   * Waits for the launcher's answer. Meanwhile MPI must make progress: other ranks may wait for a
   * message of this process before they call. A probe makes progress only if it finds nothing (Open
   * MPI, pml_ob1_iprobe.c), so it probes for a message that no process sends.
   */
  private void await(CommState on, long number, boolean isEnd) {
    long scratch = Scratch.address();
    int nobodys = Mpi.current().tagUpperBound();
    while (!LauncherConnection.isReleased(number)) {
      LockSupport.parkNanos(LOOK_NANOS);
      if (LauncherConnection.isJobDifferent()) {
        if (isEnd) {
          return;
        }
        continue; // until the job is ended
      }
      int ignored = MPI.MPI_Iprobe(0, nobodys, MPI.MPI_COMM_SELF, scratch, MPI.MPI_STATUS_IGNORE);
      assert ignored >= MPI.MPI_SUCCESS;
      int code = MPI.MPI_Iprobe(MPI.MPI_ANY_SOURCE, MPI.MPI_ANY_TAG, on.rawHandle(), scratch, MPI.MPI_STATUS_IGNORE);
      if (code != MPI.MPI_SUCCESS || isRevoked(on, scratch)) {
        // The collective itself reports the failure.
        fail(on);
        return;
      }
    }
  }

  private static boolean isRevoked(CommState comm, long scratch) {
    if (Flavour.current() != Flavour.ULFM) {
      return false;
    }
    int code = ULFM.MPIX_Comm_is_revoked(comm.rawHandle(), scratch);
    return code != MPI.MPI_SUCCESS || Memory.getInt(scratch) != 0;
  }
}
