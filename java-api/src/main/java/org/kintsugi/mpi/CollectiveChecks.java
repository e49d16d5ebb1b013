// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.kintsugi.mpi.CommHandle.require;
import static org.kintsugi.mpi.CommHandle.requireCount;

import java.util.Arrays;
import org.kintsugi.mpi.internal.lifetime.Rejections;

/**
 * Checks the arguments of collectives. Errors are found in Java, on the process that makes them,
 * before MPI is called.
 */
abstract class CollectiveChecks {
  /** The buffer of a process that takes no part. */
  private static final Buf NOTHING = Buf.allocateBytes(0);

  private static final String OWN_BUFFER = "this process's buffer";
  private static final String ROOTS_BUFFER = "the root's buffer";

  final CommHandle comm;

  CollectiveChecks(CommHandle comm) {
    this.comm = comm;
  }

  /**
   * Requires that two buffers fit each other. {@code whole} holds {@code parts} times the elements
   * of {@code part}, and their datatypes have the same signature. If both are the same memory, the
   * operation is in place.
   *
   * @return the elements of a part, of its own datatype
   */
  static long requireParts(Buf part, Buf whole, int parts) {
    return requireParts(part, "send", whole, "receive", parts);
  }

  private static long requireParts(Buf part, String partArgument, Buf whole, String wholeArgument, int parts) {
    require(part, partArgument);
    require(whole, wholeArgument);
    if (Buf.areSame(part, whole)) {
      return requireWholeParts(whole, parts);
    }
    long needed = countIn(whole, part, part.count()) * parts;
    if (whole.count() < needed) { // checked here first, because making the text would cost more than the reduction
      requireCount(whole, needed, wholeArgument, parts + " x " + part.count() + " elements");
    }
    requireApart(part, part.count(), whole, needed);
    return part.count();
  }

  /**
   * Checks the buffers of a collective between two groups. The length of the other group's parts is
   * not known here, so {@code whole} is divided into equal parts.
   *
   * @return the elements of {@code send}
   */
  final long requireBetweenGroups(Buf send, Buf whole) {
    require(send, "send");
    require(whole, "receive");
    refuseInPlaceBetweenGroups(send, whole);
    requireApart(send, send.count(), whole, whole.count());
    return send.count();
  }

  /**
   * Refuses operations in place on an intercommunicator. There the sent and the received data are
   * independent.
   */
  final void refuseInPlaceBetweenGroups(Buf send, Buf receive) {
    if (comm.isBetweenGroups() && Buf.areSame(send, receive) && send.hasData()) {
      throw Rejections.argument("send and receive are the same buffer: on an intercommunicator nothing works in place");
    }
  }

  /**
   * Checks the buffers of a reduction. MPI takes one datatype for both, so their elements must have
   * the same layout.
   *
   * @return the elements
   */
  static long requireReduction(Buf send, Buf receive) {
    requireSameLayout(require(send, "send"), require(receive, "receive"));
    return requireParts(send, receive, 1);
  }

  /** As {@link #requireReduction}, for one whose result is scattered. @return the elements of a part of it */
  static long requireScatteredReduction(Buf send, Buf receive, int parts) {
    requireSameLayout(require(send, "send"), require(receive, "receive"));
    return requireParts(receive, "receive", send, "send", parts);
  }

  private static void requireSameLayout(Buf send, Buf receive) {
    if (!send.datatype().isLaidOutAs(receive.datatype())) {
      throw Rejections.argument("datatypes differ: send buffer of " + send.datatype() + ", receive buffer of "
          + receive.datatype() + "; MPI takes one datatype for both buffers of a reduction");
    }
  }

  /**
   * How many elements of one buffer have the signature of {@code elements} of the other.
   *
   * @throws IllegalArgumentException if no number of elements matches
   */
  static long countIn(Buf buf, Buf other, long elements) {
    long count = buf.datatype().countFor(elements, other.datatype());
    if (count < 0) {
      throw Rejections.argument("type signatures differ: " + elements + " elements of " + other.datatype()
          + " on one side are no whole number of elements of " + buf.datatype() + " on the other");
    }
    return count;
  }

  /** As {@link #countIn}, if either buffer may be missing. The count is meaningless then. */
  static long countBeside(Buf buf, Buf other, long elements) {
    return buf == null || other == null ? elements : countIn(buf, other, elements);
  }

  /** A process must send itself as much as it receives from itself. */
  private static void requireSameSignature(Buf send, long sent, String sentAs, Buf receive, long received, String receivedAs) {
    if (receive.datatype().countFor(sent, send.datatype()) != received) {
      throw Rejections.argument("type signatures differ: this process sends " + sent + " elements of " + send.datatype()
          + " (" + sentAs + ") to itself, and receives " + received + " of " + receive.datatype() + " (" + receivedAs + ")");
    }
  }

  /** Requires that the sent and the received bytes do not overlap, if the two buffers are not the same memory. */
  private static void requireApart(Buf first, long elements, Buf second, long others) {
    if (first.overlaps(elements, second, others)) {
      throw Rejections.argument(
          "send and receive overlap in memory and are not the same: to work in place pass the whole "
              + "buffer as both (or use the form with one buffer); otherwise give them memory of their own");
    }
  }

  /**
   * As the other {@code requireApart}, for a buffer of parts. Memory between the parts is ignored.
   */
  private static void requireApart(Buf buf, long elements, Buf whole, int[] counts, int[] displacements) {
    if (buf.overlaps(elements, whole, whole.count())) {
      for (int i = 0; i < counts.length; i++) {
        requireApart(buf, elements, whole.slice(displacements[i], counts[i]), counts[i]);
      }
    }
  }

  /** @return the elements of each part */
  static long requireWholeParts(Buf buf, int parts) {
    if (buf.count() % parts != 0) {
      throw Rejections.argument(
          "buffer of " + buf.count() + " elements cannot be divided into " + parts + " equal parts");
    }
    return buf.count() / parts;
  }

  /**
   * Checks a buffer that only the root needs, with one part for each rank.
   *
   * @return the elements of a part
   */
  final long requireRooted(Buf part, Buf whole, int root) {
    comm.checkRoot(root);
    if (!isRoot(root)) {
      return part == null && isIdle(root) ? 0 : require(part, OWN_BUFFER).count();
    }
    require(whole, ROOTS_BUFFER);
    if (Buf.areSame(part, whole) || part(part, root) == null && comm.isBetweenGroups()) {
      return requireWholeParts(whole, comm.peers());
    }
    long needed = countIn(whole, require(part, OWN_BUFFER), part.count()) * comm.peers();
    requireCount(whole, needed, ROOTS_BUFFER, "this operation");
    requireApart(part, part.count(), whole, needed);
    return part.count();
  }

  /**
   * Checks the buffers of a reduction to a root.
   *
   * @return the one with the count and type
   */
  final Buf requireReduce(Buf send, Buf receive, int root) {
    comm.checkRoot(root);
    if (!isRoot(root)) {
      return send == null && isIdle(root) ? NOTHING : require(send, "send");
    }
    require(receive, "the root's buffer");
    if (part(send, root) == null && comm.isBetweenGroups()) {
      return receive;
    }
    requireReduction(send, receive);
    return send;
  }

  /**
   * Checks the buffers of a gather or scatter with different lengths.
   *
   * @return the one with this process's part
   */
  final Buf requireRootedParts(Buf part, Buf whole, int[] counts, int[] displacements, int root) {
    comm.checkRoot(root);
    if (isRoot(root)) {
      requireDivision(whole, ROOTS_BUFFER, counts, displacements);
    }
    if (part(part, root) == null && comm.isBetweenGroups() && (isRoot(root) || isIdle(root))) {
      return isRoot(root) ? whole : NOTHING;
    }
    require(part, OWN_BUFFER);
    if (isRoot(root) && !Buf.areSame(part, whole)) {
      requireSameSignature(part, part.count(), "its own buffer", whole, counts[root], "counts[" + root + "]");
      requireApart(part, part.count(), whole, counts, displacements);
    }
    return part;
  }

  /** On an intercommunicator: a process of the root's group that is not the root. */
  final boolean isIdle(int root) {
    return comm.isIdle(root);
  }

  /**
   * The datatype that MPI reduces. A process that takes no part names none, and MPI wants one for
   * which the operation is defined.
   */
  static Datatype reduced(Op op, Buf shape) {
    return shape != NOTHING ? shape.datatype() : op == Op.MINLOC || op == Op.MAXLOC ? Datatype.DOUBLE_INT : Datatype.INT;
  }

  /** The handle of an operation, on elements of a buffer. */
  static long operation(Op op, Buf shape) {
    return shape == NOTHING && op != null ? op.handle() : operation(op, shape.datatype());
  }

  static long operation(Op op, Datatype elements) {
    if (op == null) {
      throw new NullPointerException("op is null");
    }
    return op.handleFor(elements);
  }

  /** The element type that a buffer has, or the other if there is none. */
  static Datatype datatype(Buf buf, Buf other) {
    Buf shape = buf != null ? buf : other != null ? other : NOTHING;
    return shape.datatype();
  }

  /** A buffer that is used at the root only. Null elsewhere, whatever was passed there. */
  final Buf atRoot(Buf buf, int root) {
    return isRoot(root) ? buf : null;
  }

  /**
   * A process's own part. Null at the root of an intercommunicator, whose group contributes no
   * part.
   */
  final Buf part(Buf buf, int root) {
    return isRoot(root) && comm.isBetweenGroups() ? null : buf;
  }

  /** Whether this process is the root. */
  final boolean isRoot(int root) {
    return comm.isRoot(root);
  }

  /** Requires that a buffer holds the parts that the arrays describe. */
  final void requireDivision(Buf buf, String argument, int[] counts, int[] displacements) {
    require(buf, argument);
    if (counts == null || displacements == null) {
      throw new NullPointerException(counts == null ? "counts is null" : "displacements is null");
    }
    if (counts.length != comm.peers() || displacements.length != comm.peers()) {
      throw Rejections.argument("counts and displacements have " + counts.length + " and "
          + displacements.length + " elements, and there are " + comm.peers() + " ranks");
    }
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0 || displacements[i] < 0 || (long) displacements[i] + counts[i] > buf.count()) {
        throw Rejections.argument("part " + i + " (count " + counts[i] + ", displacement "
            + displacements[i] + ") does not fit " + argument + " of " + buf.count() + " elements");
      }
    }
  }

  /** Requires two buffers, each with a part for each rank. */
  final void requireParts(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    requireParts(send, "send", sendParts);
    requireParts(receive, "receive", receiveParts);
    if (Buf.areSame(send, receive)) {
      throw Rejections.argument("send and receive are the same buffer, and allToAllW does not work in place");
    }
  }

  /** Requires a buffer to send, and one with a part from each rank. */
  final void requireGathering(Buf send, Buf receive, int[] counts, int[] displacements) {
    require(send, "send");
    refuseInPlaceBetweenGroups(send, receive);
    requireDivision(receive, "receive", counts, displacements);
    if (!Buf.areSame(send, receive)) {
      if (!comm.isBetweenGroups()) {
        requireSameSignature(send, send.count(), "send", receive, counts[comm.rank()], "counts[" + comm.rank() + "]");
      }
      requireApart(send, send.count(), receive, counts, displacements);
    }
  }

  /**
   * Two buffers, each with a part for each rank.
   *
   * @return whether the exchange works in place: the buffers are the same, and their parts, too
   */
  final boolean requireExchange(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    refuseInPlaceBetweenGroups(send, receive);
    requireDivision(send, "send", sendCounts, sendDisplacements);
    requireDivision(receive, "receive", receiveCounts, receiveDisplacements);
    boolean inPlace = Buf.areSame(send, receive) && Arrays.equals(sendCounts, receiveCounts)
        && Arrays.equals(sendDisplacements, receiveDisplacements);
    if (!comm.isBetweenGroups() && !inPlace) {
      int me = comm.rank();
      requireSameSignature(send, sendCounts[me], "sendCounts[" + me + "]", receive, receiveCounts[me],
          "receiveCounts[" + me + "]");
    }
    if (!inPlace && send.overlaps(send.count(), receive, receive.count())) {
      for (int i = 0; i < sendCounts.length; i++) {
        requireApart(send.slice(sendDisplacements[i], sendCounts[i]), sendCounts[i], receive, receiveCounts,
            receiveDisplacements);
      }
    }
    return inPlace;
  }

  private void requireParts(Buf buf, String argument, TypedParts parts) {
    require(buf, argument);
    if (parts == null) {
      throw new NullPointerException("the parts of " + argument + " are null");
    }
    if (parts.length() != comm.peers()) {
      throw Rejections.argument(
          "the parts of " + argument + " are " + parts.length() + ", and there are " + comm.peers() + " ranks");
    }
    parts.requireInside(buf, argument);
  }

  final void requireReduceScatter(Buf send, Buf receive, int[] counts) {
    refuseInPlaceBetweenGroups(send, receive);
    requireSameLayout(require(send, "send"), require(receive, "receive"));
    if (counts == null) {
      throw new NullPointerException("counts is null");
    }
    if (counts.length != comm.size()) {
      throw Rejections.argument("counts has " + counts.length + " elements, and there are " + comm.size() + " ranks");
    }
    long sum = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] < 0) {
        throw Rejections.argument("counts[" + i + "] = " + counts[i] + " is negative");
      }
      sum += counts[i];
    }
    requireCount(send, sum, "send", "the sum of counts");
    requireCount(receive, counts[comm.rank()], "receive", "counts[" + comm.rank() + "]");
    if (!Buf.areSame(send, receive)) {
      requireApart(send, sum, receive, counts[comm.rank()]);
    }
  }
}
