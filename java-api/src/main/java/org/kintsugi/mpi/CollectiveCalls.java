// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.kintsugi.mpi.CommHandle.count;
import static org.kintsugi.mpi.CommHandle.require;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.calls.PartsExchange;
import org.kintsugi.mpi.internal.calls.Reduction;
import org.kintsugi.mpi.internal.calls.RootedExchange;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Ints;
import org.kintsugi.mpi.internal.memory.Scratch;

/**
 * Describes the collectives on buffers, each once for its three forms: the checks, the buffers and
 * counts for MPI, the participants, and MPI's functions. {@link NeighbourCalls} has those among
 * neighbours on a grid, {@link NumberCalls} those of one number. {@link Comm} has the public
 * methods; each of these names a form and forwards its arguments.
 */
final class CollectiveCalls extends CollectiveForms implements CollectiveOperations {
  CollectiveCalls(CommHandle comm) {
    super(comm);
  }

  // Conditionals, not switches: a switch over an enum would load a table class in the middle of a program's first collective.

  @Override
  public Request barrier(CallForm form) {
    long handle = comm.handle();
    REPORTS.call(comm, form, "MPI_Barrier", -1, null, 0, null);
    Transfer transfer = transfer(form, null, null);
    int code = form == CallForm.BLOCKING ? MPI.MPI_Barrier(handle)
        : form == CallForm.NONBLOCKING ? MPI.MPI_Ibarrier(handle, Scratch.address())
            : MPI.MPI_Barrier_init(handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Barrier", transfer);
  }

  @Override
  public Request bcast(CallForm form, Buf buf, int root) {
    long handle = comm.handle();
    int count = count(require(buf, "buf"));
    comm.checkRoot(root);
    long type = CommHandle.type(buf);
    REPORTS.call(comm, form, "MPI_Bcast", root, null, buf.count(), buf.datatype());
    if (count == 0 && form == CallForm.NONBLOCKING && comm.isBetweenGroups()) {
      return emptyBetweenGroups(form, RootedExchange.SCATTER, "MPI_Bcast", root, handle);
    }
    Transfer transfer = transfer(form, null, buf).receiving(isRoot(root) || isIdle(root) ? 0 : buf.count());
    long at = transfer.receiveAddress();
    int code = form == CallForm.BLOCKING ? MPI.MPI_Bcast(at, count, type, root, handle)
        : form == CallForm.NONBLOCKING ? MPI.MPI_Ibcast(at, count, type, root, handle, Scratch.address())
            : MPI.MPI_Bcast_init(at, count, type, root, handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Bcast", transfer);
  }

  @Override
  public Request reduce(CallForm form, Buf send, Buf receive, Op op, int root) {
    long handle = comm.handle();
    Buf shape = requireReduce(send, receive, root);
    if (LargeCounts.isLarge(shape.count())) {
      return reduceInPieces(form, send, receive, op, root, shape.count());
    }
    int count = shape.hasData() ? (int) shape.count() : 0;
    long operation = operation(op, shape);
    long type = reducedType(op, reduced(op, shape));
    REPORTS.call(comm, form, "MPI_Reduce", root, op, count, shape.datatype());
    if (count == 0 && form != CallForm.BLOCKING && comm.isBetweenGroups()) {
      return emptyBetweenGroups(form, RootedExchange.GATHER, "MPI_Reduce", root, handle);
    }
    Transfer transfer = reducing(form, part(send, root), atRoot(receive, root), count, op, "MPI_Reduce");
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == CallForm.BLOCKING ? MPI.MPI_Reduce(from, to, count, type, operation, root, handle)
        : form == CallForm.NONBLOCKING ? MPI.MPI_Ireduce(from, to, count, type, operation, root, handle, Scratch.address())
            : MPI.MPI_Reduce_init(from, to, count, type, operation, root, handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Reduce", transfer);
  }

  /**
   * Performs a collective that moves no data. Open MPI gives each nonblocking collective of an
   * intercommunicator the next sequence number. MPI_Ireduce and MPI_Ibcast of 5.0.7 return at a
   * count of 0 without taking one. The other group does take one, so later collectives would not
   * match. This method calls {@code counted} instead (a scatter, for instance), which always takes a
   * number.
   */
  private Request emptyBetweenGroups(CallForm form, RootedExchange counted, String function, int root, long handle) {
    Transfer transfer = transfer(form, null, null);
    long type = Datatype.BYTE.handle();
    int code = counted.call(form, transfer.sendAddress(), transfer.receiveAddress(), 0, type, 0, type, root, handle);
    return begun(form, code, function, transfer);
  }

  @Override
  public Request allReduce(CallForm form, Buf send, Buf receive, Op op) {
    return reduction(form, Reduction.ALL_REDUCE, send, receive, op);
  }

  @Override
  public Request scan(CallForm form, Buf send, Buf receive, Op op) {
    return reduction(form, Reduction.SCAN, send, receive, op);
  }

  @Override
  public Request exScan(CallForm form, Buf send, Buf receive, Op op) {
    return reduction(form, Reduction.EX_SCAN, send, receive, op);
  }

  @Override
  public Request reduceScatterBlock(CallForm form, Buf send, Buf receive, Op op) {
    return reduction(form, Reduction.SCATTER_BLOCK, send, receive, op);
  }

  private Request reduction(CallForm form, Reduction reduction, Buf send, Buf receive, Op op) {
    long handle = comm.handle();
    refuseBetweenGroups(form, reduction);
    refuseInPlaceBetweenGroups(send, receive);
    long elements = reduction == Reduction.SCATTER_BLOCK ? requireScatteredReduction(send, receive, comm.size())
        : requireReduction(send, receive);
    if (LargeCounts.isLarge(elements)) {
      return reductionInPieces(form, reduction, send, receive, op, elements);
    }
    int count = (int) elements;
    long operation = operation(op, send);
    long type = reducedType(op, send.datatype());
    REPORTS.call(comm, form, reduction.function, -1, op, count, send.datatype());
    boolean isFirst = reduction == Reduction.EX_SCAN && comm.rank() == 0; // there is no rank before it
    Transfer transfer = reducing(form, send, receive, isFirst ? 0 : count, op, reduction.function);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = reduction.call(form, from, to, count, type, operation, handle);
    return begun(form, code, reduction.function, transfer);
  }

  // For counts beyond an int: MPI defines its operations on predefined datatypes only, not on those of LargeCounts.

  private Request reduceInPieces(CallForm form, Buf send, Buf receive, Op op, int root, long count) {
    refuseInBackground(form, "MPI_Reduce", count);
    Buf result = atRoot(receive, root);
    for (long from = 0; from < count; from += LargeCounts.PIECE) {
      long length = Math.min(LargeCounts.PIECE, count - from);
      Buf piece = slice(send, from, length);
      reduce(form, piece, result == send ? piece : slice(result, from, length), op, root);
    }
    return null;
  }

  private Request reductionInPieces(CallForm form, Reduction reduction, Buf send, Buf receive, Op op, long count) {
    refuseInBackground(form, reduction.function, count);
    if (reduction == Reduction.SCATTER_BLOCK) {
      // a piece of each process's block is no slice of the send buffer
      throw Rejections.argument("reduceScatterBlock of " + count + " elements for each process: " + Integer.MAX_VALUE
          + " are the most; use reduce with each process as the root in turn");
    }
    for (long from = 0; from < count; from += LargeCounts.PIECE) {
      long length = Math.min(LargeCounts.PIECE, count - from);
      Buf piece = slice(send, from, length);
      reduction(form, reduction, piece, receive == send ? piece : slice(receive, from, length), op);
    }
    return null;
  }

  private static Buf slice(Buf buf, long from, long length) {
    return buf == null ? null : buf.slice(from, length);
  }

  /** Refuses large counts in the background: one request cannot represent several pieces. */
  private static void refuseInBackground(CallForm form, String function, long count) {
    if (form != CallForm.BLOCKING) {
      throw Rejections.argument(form.nameOf(function) + " of " + count + " elements: " + Integer.MAX_VALUE
          + " are the most in the background; start one for each of several slices, or use the blocking form");
    }
  }

  @Override
  public Request reduceScatter(CallForm form, Buf send, Buf receive, int[] counts, Op op) {
    long handle = comm.handle();
    requireReduceScatter(send, receive, counts);
    long operation = operation(op, send);
    long type = reducedType(op, send.datatype());
    REPORTS.reduceScatter(comm, form, counts, send.datatype(), op);
    Transfer transfer = reducing(form, send, receive, counts[comm.rank()], op, "MPI_Reduce_scatter");
    long arrays = transfer.owning(Ints.allocate(counts));
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == CallForm.BLOCKING ? MPI.MPI_Reduce_scatter(from, to, arrays, type, operation, handle)
        : form == CallForm.NONBLOCKING ? MPI.MPI_Ireduce_scatter(from, to, arrays, type, operation, handle, Scratch.address())
            : MPI.MPI_Reduce_scatter_init(from, to, arrays, type, operation, handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Reduce_scatter", transfer);
  }

  @Override
  public Request gather(CallForm form, Buf send, Buf receive, int root) {
    return rooted(form, RootedExchange.GATHER, send, receive, root);
  }

  @Override
  public Request scatter(CallForm form, Buf send, Buf receive, int root) {
    return rooted(form, RootedExchange.SCATTER, receive, send, root);
  }

  private Request rooted(CallForm form, RootedExchange exchange, Buf ownPart, Buf rootsWhole, int root) {
    long handle = comm.handle();
    long count = requireRooted(ownPart, rootsWhole, root);
    Buf part = part(ownPart, root);
    Buf whole = atRoot(rootsWhole, root);
    Datatype elements = datatype(part, whole);
    Datatype wholeElements = datatype(whole, part);
    long wholeCount = countBeside(whole, part, count);
    REPORTS.call(comm, form, exchange.function, root, null, count, elements);
    long type = LargeCounts.type(elements, count);
    long wholeType = LargeCounts.type(wholeElements, wholeCount);
    Transfer transfer = transfer(form, exchange, part, whole)
        .receiving(exchange == RootedExchange.GATHER ? wholeCount * comm.peers() : count);
    int code = exchange.call(form, transfer.sendAddress(), transfer.receiveAddress(), LargeCounts.count(elements, count), type,
        LargeCounts.count(wholeElements, wholeCount), wholeType, root, handle);
    return begun(form, code, exchange.function, transfer);
  }

  @Override
  public Request allGather(CallForm form, Buf send, Buf receive) {
    long handle = comm.handle();
    long count = comm.isBetweenGroups() ? requireBetweenGroups(send, receive) : requireParts(send, receive, comm.peers());
    return exchange(form, PartsExchange.ALL_GATHER, handle, send, count, receive, comm.peers(), send.datatype());
  }

  @Override
  public Request allToAll(CallForm form, Buf send, Buf receive) {
    long handle = comm.handle();
    if (comm.isBetweenGroups()) {
      requireBetweenGroups(send, receive);
    } else {
      requireParts(send, receive, 1);
    }
    long count = requireWholeParts(send, comm.peers());
    return exchange(form, PartsExchange.ALL_TO_ALL, handle, send, count, receive, comm.peers(), send.datatype());
  }

  @Override
  public Request gatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return rootedParts(form, RootedExchange.GATHER, send, receive, counts, displacements, root);
  }

  @Override
  public Request scatterV(CallForm form, Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return rootedParts(form, RootedExchange.SCATTER, receive, send, counts, displacements, root);
  }

  private Request rootedParts(CallForm form, RootedExchange exchange, Buf ownPart, Buf rootsWhole, int[] counts,
      int[] displacements,
      int root) {
    long handle = comm.handle();
    Buf shape = requireRootedParts(ownPart, rootsWhole, counts, displacements, root);
    boolean isForwarded = isForwarded(form);
    int count = isForwarded ? countOfBytes(shape, exchange.functionV) : count(shape);
    long type = isForwarded ? Datatype.BYTE.handle() : CommHandle.type(shape);
    LargeCounts.Unit unit = isRoot(root) ? unit(isForwarded, rootsWhole, counts, displacements, exchange.functionV) : null;
    REPORTS.rooted(comm, form, exchange, root, shape, counts, rootsWhole);
    Transfer transfer = transfer(form, exchange, part(ownPart, root), atRoot(rootsWhole, root));
    long arrays = transfer.owning(unit == null ? 0 : Ints.allocate(unit.of(counts), unit.of(displacements)));
    long places = unit == null ? 0 : arrays + Ints.bytes(counts);
    if (exchange == RootedExchange.GATHER && unit != null) {
      transfer.receivingParts(counts.length, arrays, unit.each());
    }
    int code =
        exchange.callV(form, transfer.sendAddress(), transfer.receiveAddress(), count, type, arrays, places,
            unit == null ? type : unit.type(), root, handle);
    return begun(form, code, exchange.functionV, transfer);
  }

  /** Whether one process of a group gathers the parts of the others, or scatters them, between two groups. */
  private boolean isForwarded(CallForm form) {
    return form == CallForm.BLOCKING && comm.isBetweenGroups();
  }

  private static LargeCounts.Unit unit(boolean isForwarded, Buf buf, int[] counts, int[] displacements, String function) {
    return isForwarded ? LargeCounts.bytes(buf.datatype(), LargeCounts.end(counts, displacements), function)
        : LargeCounts.unit(buf.datatype(), counts, displacements);
  }

  private static int countOfBytes(Buf part, String function) {
    return LargeCounts.bytes(part.datatype(), part.count(), function).each() * (int) part.count();
  }

  @Override
  public Request allGatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements) {
    long handle = comm.handle();
    requireGathering(send, receive, counts, displacements);
    boolean isForwarded = isForwarded(form);
    LargeCounts.Unit unit = unit(isForwarded, receive, counts, displacements, "MPI_Allgatherv");
    int count = isForwarded ? countOfBytes(send, "MPI_Allgatherv") : count(send);
    // A process without data may name any datatype, and Open MPI decides by its size (coll_tuned_decision_fixed.c).
    boolean isAnyType = count == 0 && !comm.isBetweenGroups();
    long type = isForwarded || isAnyType ? unit.type() : CommHandle.type(send);
    REPORTS.allGatherV(comm, form, send, receive, counts);
    Transfer transfer = transfer(form, send, receive);
    long arrays = transfer.owning(Ints.allocate(unit.of(counts), unit.of(displacements)));
    long places = arrays + Ints.bytes(counts);
    transfer.receivingParts(counts.length, arrays, unit.each());
    long otherType = unit.type();
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == CallForm.BLOCKING ? MPI.MPI_Allgatherv(from, count, type, to, arrays, places, otherType, handle)
        : form == CallForm.NONBLOCKING
            ? MPI.MPI_Iallgatherv(from, count, type, to, arrays, places, otherType, handle, Scratch.address())
            : MPI.MPI_Allgatherv_init(from, count, type, to, arrays, places, otherType, handle, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Allgatherv", transfer);
  }

  @Override
  public Request allToAllV(CallForm form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    long handle = comm.handle();
    boolean inPlace = requireExchange(send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
    LargeCounts.Unit unit = LargeCounts.unit(send.datatype(), sendCounts, sendDisplacements);
    LargeCounts.Unit otherUnit = LargeCounts.unit(receive.datatype(), receiveCounts, receiveDisplacements);
    REPORTS.allToAllV(comm, form, sendCounts, send.datatype(), receiveCounts, receive.datatype());
    // Open MPI's nonblocking exchange in place receives into a part while it still sends it, where one of two
    // partners has no data (5.0.7, nbc_ialltoallv.c). MPI gets a copy of what is sent instead.
    boolean mayBeInPlace = inPlace && form == CallForm.BLOCKING;
    Transfer transfer = mayBeInPlace ? transfer(form, send, receive) : transferOfParts(form, send, receive);
    long counts = transfer.owning(Ints.allocate(unit.of(sendCounts), unit.of(sendDisplacements), otherUnit.of(receiveCounts),
        otherUnit.of(receiveDisplacements)));
    long type = unit.type();
    long otherType = otherUnit.type();
    long places = counts + Ints.bytes(sendCounts);
    long otherCounts = places + Ints.bytes(sendDisplacements);
    long otherPlaces = otherCounts + Ints.bytes(receiveCounts);
    transfer.receivingParts(receiveCounts.length, otherCounts, otherUnit.each());
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code =
        form == CallForm.BLOCKING ? MPI.MPI_Alltoallv(from, counts, places, type, to, otherCounts, otherPlaces, otherType, handle)
            : form == CallForm.NONBLOCKING
                ? MPI.MPI_Ialltoallv(from, counts, places, type, to, otherCounts, otherPlaces, otherType, handle,
                    Scratch.address())
                : MPI.MPI_Alltoallv_init(from, counts, places, type, to, otherCounts, otherPlaces, otherType, handle, NO_HINTS,
                    Scratch.address());
    return begun(form, code, "MPI_Alltoallv", transfer);
  }

  @Override
  public Request allToAllW(CallForm form, Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    long handle = comm.handle();
    requireParts(send, sendParts, receive, receiveParts);
    REPORTS.allToAllW(comm, form, sendParts, receiveParts);
    // The parts may be anywhere in the buffers, also beyond their elements.
    Transfer transfer = Transfer.ofParts(form == CallForm.BLOCKING, send, sendParts, receive, receiveParts);
    long sent = transfer.owning(
        TypedParts.allocate(sendParts, transfer.arePartsPacked(), receiveParts, transfer.areReceivedPartsPacked()));
    long received = sent + sendParts.blockBytes();
    long counts = sendParts.counts(sent);
    long places = sendParts.displacements(sent);
    long types = sendParts.types(sent);
    long otherCounts = receiveParts.counts(received);
    long otherPlaces = receiveParts.displacements(received);
    long otherTypes = receiveParts.types(received);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == CallForm.BLOCKING
        ? MPI.MPI_Alltoallw(from, counts, places, types, to, otherCounts, otherPlaces, otherTypes, handle)
        : form == CallForm.NONBLOCKING
            ? MPI.MPI_Ialltoallw(from, counts, places, types, to, otherCounts, otherPlaces, otherTypes, handle, Scratch.address())
            : MPI.MPI_Alltoallw_init(from, counts, places, types, to, otherCounts, otherPlaces, otherTypes, handle, NO_HINTS,
                Scratch.address());
    return begun(form, code, "MPI_Alltoallw", transfer);
  }
}
