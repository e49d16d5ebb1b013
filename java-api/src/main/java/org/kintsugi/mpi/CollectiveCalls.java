// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.util.Arrays;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/**
 * Every collective, described once: what is checked, which buffers and counts MPI gets, who takes part, and MPI's function in
 * each of three forms. {@link Collectives}, {@link NonblockingCollectives} and {@link CollectiveInits} have the public
 * methods; each of them names a form and passes its arguments on.
 */
abstract class CollectiveCalls extends CollectiveChecks {
  /** How a collective is executed. */
  enum Form {
    /**
     * MPI's function returns when it is done. There is no request. On a virtual thread, too, where a platform thread makes the
     * call ({@link VirtualThreads#run}): a nonblocking collective would not match the blocking one of another process.
     */
    BLOCKING,
    /** It is under way when MPI's function returns. */
    NONBLOCKING,
    /** It is set up only, to be started many times. */
    PERSISTENT
  }

  private static final long NO_HINTS = MPI.MPI_INFO_NULL;

  CollectiveCalls(long handle, Scope scope) {
    super(handle, scope);
  }

  static Transfer transfer(Form form, Buf send, Buf receive) {
    return form == Form.BLOCKING ? Transfer.ofBlocking(send, receive) : new Transfer(send, receive);
  }

  /**
   * After MPI's function of a collective in one of its forms.
   *
   * @param function that of the blocking form
   * @return the request; null if there is none, as MPI has done it all
   */
  final Request begun(Form form, int code, String function, Transfer transfer) {
    String called = code == MPI.MPI_SUCCESS ? function : nameOf(form, function);
    if (form == Form.NONBLOCKING) {
      return started(code, called, transfer);
    }
    if (form == Form.PERSISTENT) {
      return initialised(code, called, transfer);
    }
    if (isLeft(code)) {
      keep(transfer);
      check(code, called);
    }
    Throwable thrown = transfer.complete(code == MPI.MPI_SUCCESS, false, 0);
    check(code, called);
    Op.rethrow(thrown);
    return null;
  }

  /** MPI_Gather, MPI_Igather, MPI_Gather_init. */
  private static String nameOf(Form form, String function) {
    int verb = "MPI_".length();
    return form == Form.BLOCKING ? function : form == Form.PERSISTENT ? function + "_init"
        : "MPI_I" + Character.toLowerCase(function.charAt(verb)) + function.substring(verb + 1);
  }

  // With --check the launcher is told what is about to be called. A blocking collective waits there for those of the others.

  final void compare(Form form, String function) {
    if (CheckedComm.IS_ON) {
      CheckedComm.tell(this, nameOf(form, function), form == Form.BLOCKING, -1, null, 0, null);
    }
  }

  /** Where all have the same count and type. @param root -1: there is none. @param op null: there is none */
  final void compare(Form form, String function, int root, Op op, long count, Datatype type) {
    if (CheckedComm.IS_ON) {
      CheckedComm.tell(this, nameOf(form, function), form == Form.BLOCKING, root, op, count, type);
    }
  }

  /** Where each sends the root a part, or gets one from it, of its own length. */
  private void compareRooted(Form form, String function, int root, Buf shape, int[] counts, Buf whole, boolean gathers) {
    if (CheckedComm.IS_ON) {
      String wholes = isRooted(root) ? CheckedComm.parts(counts, whole.datatype()) : "";
      String own = isRooted(root) ? "" : CheckedComm.part(root, peers(), shape.count(), shape.datatype());
      String data = isRooted(root) ? CheckedComm.data(counts, whole.datatype()) : shape.count() + " x " + shape.datatype();
      CheckedComm.tell(this, nameOf(form, function), form == Form.BLOCKING, root, null, data, "", gathers ? own : wholes,
          gathers ? wholes : own);
    }
  }

  private boolean isRooted(int root) {
    return root == rank();
  }

  private void compareParts(Form form, String function, String data, String sends, String receives) {
    CheckedComm.tell(this, nameOf(form, function), form == Form.BLOCKING, -1, null, data, "", sends, receives);
  }

  // Questions, not switches: those would load a table class in the middle of somebody's first collective.

  final Request barrier(Form form) {
    long comm = handle();
    compare(form, "MPI_Barrier");
    Transfer transfer = transfer(form, null, null);
    int code = form == Form.BLOCKING ? MPI.MPI_Barrier(comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Ibarrier(comm, Scratch.address())
            : MPI.MPI_Barrier_init(comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Barrier", transfer);
  }

  final Request bcast(Form form, Buf buf, int root) {
    long comm = handle();
    int count = count(require(buf, "buf"));
    checkRoot(root);
    long type = buf.datatype().handle();
    compare(form, "MPI_Bcast", root, null, count, buf.datatype());
    Transfer transfer = transfer(form, null, buf);
    long at = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Bcast(at, count, type, root, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Ibcast(at, count, type, root, comm, Scratch.address())
            : MPI.MPI_Bcast_init(at, count, type, root, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Bcast", transfer);
  }

  final Request reduce(Form form, Buf send, Buf receive, Op op, int root) {
    long comm = handle();
    Buf shape = requireReduce(send, receive, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    long operation = operation(op, shape);
    compare(form, "MPI_Reduce", root, op, count, shape.datatype());
    Transfer transfer = transfer(form, part(send, root), atRoot(receive, root)).using(op);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Reduce(from, to, count, type, operation, root, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Ireduce(from, to, count, type, operation, root, comm, Scratch.address())
            : MPI.MPI_Reduce_init(from, to, count, type, operation, root, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Reduce", transfer);
  }

  final Request allReduce(Form form, Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireReduction(send, receive, 1);
    long type = send.datatype().handle();
    long operation = operation(op, send);
    compare(form, "MPI_Allreduce", -1, op, count, send.datatype());
    Transfer transfer = transfer(form, send, receive).using(op);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Allreduce(from, to, count, type, operation, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Iallreduce(from, to, count, type, operation, comm, Scratch.address())
            : MPI.MPI_Allreduce_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Allreduce", transfer);
  }

  final Request scan(Form form, Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireReduction(send, receive, 1);
    long type = send.datatype().handle();
    long operation = operation(op, send);
    compare(form, "MPI_Scan", -1, op, count, send.datatype());
    Transfer transfer = transfer(form, send, receive).using(op);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Scan(from, to, count, type, operation, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Iscan(from, to, count, type, operation, comm, Scratch.address())
            : MPI.MPI_Scan_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Scan", transfer);
  }

  final Request exScan(Form form, Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireReduction(send, receive, 1);
    long type = send.datatype().handle();
    long operation = operation(op, send);
    compare(form, "MPI_Exscan", -1, op, count, send.datatype());
    Transfer transfer = transfer(form, send, receive).using(op);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Exscan(from, to, count, type, operation, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Iexscan(from, to, count, type, operation, comm, Scratch.address())
            : MPI.MPI_Exscan_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Exscan", transfer);
  }

  final Request reduceScatterBlock(Form form, Buf send, Buf receive, Op op) {
    long comm = handle();
    int count = requireReduction(receive, send, size());
    long type = send.datatype().handle();
    long operation = operation(op, send);
    compare(form, "MPI_Reduce_scatter_block", -1, op, count, send.datatype());
    Transfer transfer = transfer(form, send, receive).using(op);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Reduce_scatter_block(from, to, count, type, operation, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Ireduce_scatter_block(from, to, count, type, operation, comm, Scratch.address())
            : MPI.MPI_Reduce_scatter_block_init(from, to, count, type, operation, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Reduce_scatter_block", transfer);
  }

  final Request reduceScatter(Form form, Buf send, Buf receive, int[] counts, Op op) {
    long comm = handle();
    requireReduceScatter(send, receive, counts);
    long type = send.datatype().handle();
    long operation = operation(op, send);
    if (CheckedComm.IS_ON) {
      CheckedComm.tell(this, nameOf(form, "MPI_Reduce_scatter"), form == Form.BLOCKING, -1, op,
          CheckedComm.data(counts, send.datatype()), CheckedComm.parts(counts, send.datatype()), "", "");
    }
    Transfer transfer = transfer(form, send, receive).using(op);
    long arrays = transfer.owning(intArrays(counts));
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Reduce_scatter(from, to, arrays, type, operation, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Ireduce_scatter(from, to, arrays, type, operation, comm, Scratch.address())
            : MPI.MPI_Reduce_scatter_init(from, to, arrays, type, operation, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Reduce_scatter", transfer);
  }

  final Request gather(Form form, Buf send, Buf receive, int root) {
    long comm = handle();
    int count = requireRooted(send, receive, root);
    Buf part = part(send, root);
    Buf whole = atRoot(receive, root);
    long type = type(part, whole);
    int wholeCount = countBeside(whole, part, count);
    long wholeType = type(whole, part);
    compare(form, "MPI_Gather", root, null, count, datatype(part, whole));
    Transfer transfer = transfer(form, part, whole);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Gather(from, count, type, to, wholeCount, wholeType, root, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Igather(from, count, type, to, wholeCount, wholeType, root, comm, Scratch.address())
            : MPI.MPI_Gather_init(from, count, type, to, wholeCount, wholeType, root, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Gather", transfer);
  }

  final Request scatter(Form form, Buf send, Buf receive, int root) {
    long comm = handle();
    int count = requireRooted(receive, send, root);
    Buf part = part(receive, root);
    Buf whole = atRoot(send, root);
    long type = type(part, whole);
    int wholeCount = countBeside(whole, part, count);
    long wholeType = type(whole, part);
    compare(form, "MPI_Scatter", root, null, count, datatype(part, whole));
    Transfer transfer = Transfer.scatter(form == Form.BLOCKING, whole, part);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Scatter(from, wholeCount, wholeType, to, count, type, root, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Iscatter(from, wholeCount, wholeType, to, count, type, root, comm, Scratch.address())
            : MPI.MPI_Scatter_init(from, wholeCount, wholeType, to, count, type, root, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Scatter", transfer);
  }

  final Request allGather(Form form, Buf send, Buf receive) {
    long comm = handle();
    int count = requireParts(send, receive, peers());
    long type = send.datatype().handle();
    int otherCount = count(countIn(receive, send, count));
    long otherType = receive.datatype().handle();
    compare(form, "MPI_Allgather", -1, null, count, send.datatype());
    Transfer transfer = transfer(form, send, receive);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Allgather(from, count, type, to, otherCount, otherType, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Iallgather(from, count, type, to, otherCount, otherType, comm, Scratch.address())
            : MPI.MPI_Allgather_init(from, count, type, to, otherCount, otherType, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Allgather", transfer);
  }

  final Request allToAll(Form form, Buf send, Buf receive) {
    long comm = handle();
    requireParts(send, receive, 1);
    int count = requireWholeParts(send, peers());
    long type = send.datatype().handle();
    int otherCount = count(countIn(receive, send, count));
    long otherType = receive.datatype().handle();
    compare(form, "MPI_Alltoall", -1, null, count, send.datatype());
    Transfer transfer = transfer(form, send, receive);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Alltoall(from, count, type, to, otherCount, otherType, comm)
        : form == Form.NONBLOCKING ? MPI.MPI_Ialltoall(from, count, type, to, otherCount, otherType, comm, Scratch.address())
            : MPI.MPI_Alltoall_init(from, count, type, to, otherCount, otherType, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Alltoall", transfer);
  }

  final Request gatherV(Form form, Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    long comm = handle();
    Buf shape = requireRootedParts(send, receive, counts, displacements, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    long wholeType = type(atRoot(receive, root), shape);
    compareRooted(form, "MPI_Gatherv", root, shape, counts, receive, true);
    Transfer transfer = transfer(form, part(send, root), atRoot(receive, root));
    long arrays = transfer.owning(intArrays(counts, displacements));
    long places = arrays + after(counts);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Gatherv(from, count, type, to, arrays, places, wholeType, root, comm)
        : form == Form.NONBLOCKING
            ? MPI.MPI_Igatherv(from, count, type, to, arrays, places, wholeType, root, comm, Scratch.address())
            : MPI.MPI_Gatherv_init(from, count, type, to, arrays, places, wholeType, root, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Gatherv", transfer);
  }

  final Request scatterV(Form form, Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    long comm = handle();
    Buf shape = requireRootedParts(receive, send, counts, displacements, root);
    int count = count(shape);
    long type = shape.datatype().handle();
    long wholeType = type(atRoot(send, root), shape);
    compareRooted(form, "MPI_Scatterv", root, shape, counts, send, false);
    Transfer transfer = Transfer.scatter(form == Form.BLOCKING, atRoot(send, root), part(receive, root));
    long arrays = transfer.owning(intArrays(counts, displacements));
    long places = arrays + after(counts);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Scatterv(from, arrays, places, wholeType, to, count, type, root, comm)
        : form == Form.NONBLOCKING
            ? MPI.MPI_Iscatterv(from, arrays, places, wholeType, to, count, type, root, comm, Scratch.address())
            : MPI.MPI_Scatterv_init(from, arrays, places, wholeType, to, count, type, root, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Scatterv", transfer);
  }

  final Request allGatherV(Form form, Buf send, Buf receive, int[] counts, int[] displacements) {
    long comm = handle();
    requireGathering(send, receive, counts, displacements);
    int count = count(send);
    long type = send.datatype().handle();
    long otherType = receive.datatype().handle();
    if (CheckedComm.IS_ON) {
      int[] same = new int[counts.length];
      Arrays.fill(same, Buf.areSame(send, receive) ? counts[rank()] : count);
      compareParts(form, "MPI_Allgatherv", CheckedComm.data(counts, receive.datatype()),
          CheckedComm.parts(same, send.datatype()), CheckedComm.parts(counts, receive.datatype()));
    }
    Transfer transfer = transfer(form, send, receive);
    long arrays = transfer.owning(intArrays(counts, displacements));
    long places = arrays + after(counts);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code = form == Form.BLOCKING ? MPI.MPI_Allgatherv(from, count, type, to, arrays, places, otherType, comm)
        : form == Form.NONBLOCKING
            ? MPI.MPI_Iallgatherv(from, count, type, to, arrays, places, otherType, comm, Scratch.address())
            : MPI.MPI_Allgatherv_init(from, count, type, to, arrays, places, otherType, comm, NO_HINTS, Scratch.address());
    return begun(form, code, "MPI_Allgatherv", transfer);
  }

  final Request allToAllV(Form form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    long comm = handle();
    requireExchange(send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements);
    long type = send.datatype().handle();
    long otherType = receive.datatype().handle();
    if (CheckedComm.IS_ON) {
      int[] sent = Buf.areSame(send, receive) ? receiveCounts : sendCounts;
      compareParts(form, "MPI_Alltoallv", CheckedComm.data(sent, send.datatype()), CheckedComm.parts(sent, send.datatype()),
          CheckedComm.parts(receiveCounts, receive.datatype()));
    }
    Transfer transfer = transfer(form, send, receive);
    long counts = transfer.owning(intArrays(sendCounts, sendDisplacements, receiveCounts, receiveDisplacements));
    long places = counts + after(sendCounts);
    long otherCounts = places + after(sendDisplacements);
    long otherPlaces = otherCounts + after(receiveCounts);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    int code =
        form == Form.BLOCKING ? MPI.MPI_Alltoallv(from, counts, places, type, to, otherCounts, otherPlaces, otherType, comm)
            : form == Form.NONBLOCKING
                ? MPI.MPI_Ialltoallv(from, counts, places, type, to, otherCounts, otherPlaces, otherType, comm, Scratch.address())
                : MPI.MPI_Alltoallv_init(from, counts, places, type, to, otherCounts, otherPlaces, otherType, comm, NO_HINTS,
                    Scratch.address());
    return begun(form, code, "MPI_Alltoallv", transfer);
  }

  final Request allToAllW(Form form, Buf send, Parts sendParts, Buf receive, Parts receiveParts) {
    long comm = handle();
    requireParts(send, sendParts, receive, receiveParts);
    if (CheckedComm.IS_ON) {
      compareParts(form, "MPI_Alltoallw", "parts", sendParts.signatures(), receiveParts.signatures());
    }
    Transfer transfer = transfer(form, send, receive);
    long sent = transfer.owning(Parts.allocate(sendParts, receiveParts));
    long received = sent + sendParts.blockBytes();
    long counts = sendParts.counts(sent);
    long places = sendParts.displacements(sent);
    long types = sendParts.types(sent);
    long otherCounts = receiveParts.counts(received);
    long otherPlaces = receiveParts.displacements(received);
    long otherTypes = receiveParts.types(received);
    long from = transfer.sendAddress();
    long to = transfer.receiveAddress();
    // No method sets one up.
    int code = form == Form.BLOCKING
        ? MPI.MPI_Alltoallw(from, counts, places, types, to, otherCounts, otherPlaces, otherTypes, comm)
        : MPI.MPI_Ialltoallw(from, counts, places, types, to, otherCounts, otherPlaces, otherTypes, comm, Scratch.address());
    return begun(form, code, "MPI_Alltoallw", transfer);
  }
}
