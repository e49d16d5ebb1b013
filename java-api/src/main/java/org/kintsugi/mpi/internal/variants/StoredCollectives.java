// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import java.util.function.LongUnaryOperator;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.TypedParts;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.NumberOperations;
import org.kintsugi.mpi.internal.calls.RecordedCollective;
import org.kintsugi.mpi.internal.calls.Recorder;

/**
 * Collectives of a communicator with a {@link Recorder}. Each stores this process's contribution.
 * During a replay it copies the stored contribution back into its buffer, and MPI performs the
 * operation. The request of an operation that is only stored has ended when it is started. A
 * persistent request does the whole operation at every start.
 */
public final class StoredCollectives implements CollectiveOperations, NumberOperations {
  private final CommState comm;
  private final Recorder recorder;
  private final CollectiveOperations mpi;
  private final NumberOperations numbers;

  /** Stores collectives, before the objects that perform them by MPI. */
  public StoredCollectives(CommState comm, Recorder recorder, CollectiveOperations mpi, NumberOperations numbers) {
    this.comm = comm;
    this.recorder = recorder;
    this.mpi = mpi;
    this.numbers = numbers;
  }

  /** An operation that MPI performs. */
  private interface Performed {
    Request in(CallForm form);
  }

  /**
   * Performs a collective.
   *
   * @param contribution this process's contribution; null: none
   */
  private Request perform(CallForm form, RecordedCollective collective, int root, Buf contribution, Performed operation) {
    if (form == CallForm.PERSISTENT) {
      return StoredMessages.deferred(comm, recorder, collective.method + "Init",
          () -> perform(CallForm.BLOCKING, collective, root, contribution, operation));
    }
    if (recorder.contribute(collective, root, contribution)) {
      return operation.in(form);
    }
    return form == CallForm.NONBLOCKING ? StoredMessages.completed(comm) : null;
  }

  private Buf ofRoot(Buf buf, int root) {
    return root == comm.rank() ? buf : null;
  }

  @Override
  public void requireObjects(String method) {
    throw new UnsupportedOperationException(method + " on a persistent communicator: it stores buffers, and an object has "
        + "another length each time. Exchange objects on the communicator that it was made from");
  }

  @Override
  public Request barrier(CallForm form) {
    if (form == CallForm.NONBLOCKING) {
      throw new UnsupportedOperationException("iBarrier on a persistent communicator: use barrier(), which closes a round");
    }
    if (form == CallForm.PERSISTENT) {
      return StoredMessages.deferred(comm, recorder, "barrierInit", recorder::endRound);
    }
    recorder.endRound();
    return null;
  }

  @Override
  public Request bcast(CallForm form, Buf buf, int root) {
    return perform(form, RecordedCollective.BCAST, root, ofRoot(buf, root), how -> mpi.bcast(how, buf, root));
  }

  @Override
  public Request reduce(CallForm form, Buf send, Buf receive, Op op, int root) {
    return perform(form, RecordedCollective.REDUCE, root, send, how -> mpi.reduce(how, send, receive, op, root));
  }

  @Override
  public Request allReduce(CallForm form, Buf send, Buf receive, Op op) {
    return perform(form, RecordedCollective.ALL_REDUCE, Recorder.NO_ROOT, send, how -> mpi.allReduce(how, send, receive, op));
  }

  @Override
  public Request scan(CallForm form, Buf send, Buf receive, Op op) {
    return perform(form, RecordedCollective.SCAN, Recorder.NO_ROOT, send, how -> mpi.scan(how, send, receive, op));
  }

  @Override
  public Request exScan(CallForm form, Buf send, Buf receive, Op op) {
    return perform(form, RecordedCollective.EX_SCAN, Recorder.NO_ROOT, send, how -> mpi.exScan(how, send, receive, op));
  }

  @Override
  public Request reduceScatterBlock(CallForm form, Buf send, Buf receive, Op op) {
    return perform(form, RecordedCollective.REDUCE_SCATTER_BLOCK, Recorder.NO_ROOT, send,
        how -> mpi.reduceScatterBlock(how, send, receive, op));
  }

  @Override
  public Request reduceScatter(CallForm form, Buf send, Buf receive, int[] counts, Op op) {
    return perform(form, RecordedCollective.REDUCE_SCATTER, Recorder.NO_ROOT, send,
        how -> mpi.reduceScatter(how, send, receive, counts, op));
  }

  @Override
  public Request gather(CallForm form, Buf send, Buf receive, int root) {
    return perform(form, RecordedCollective.GATHER, root, send, how -> mpi.gather(how, send, receive, root));
  }

  @Override
  public Request scatter(CallForm form, Buf send, Buf receive, int root) {
    return perform(form, RecordedCollective.SCATTER, root, ofRoot(send, root), how -> mpi.scatter(how, send, receive, root));
  }

  @Override
  public Request allGather(CallForm form, Buf send, Buf receive) {
    return perform(form, RecordedCollective.ALL_GATHER, Recorder.NO_ROOT, send, how -> mpi.allGather(how, send, receive));
  }

  @Override
  public Request allToAll(CallForm form, Buf send, Buf receive) {
    return perform(form, RecordedCollective.ALL_TO_ALL, Recorder.NO_ROOT, send, how -> mpi.allToAll(how, send, receive));
  }

  @Override
  public Request gatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return perform(form, RecordedCollective.GATHER_V, root, send,
        how -> mpi.gatherV(how, send, receive, counts, displacements, root));
  }

  @Override
  public Request scatterV(CallForm form, Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return perform(form, RecordedCollective.SCATTER_V, root, ofRoot(send, root),
        how -> mpi.scatterV(how, send, counts, displacements, receive, root));
  }

  @Override
  public Request allGatherV(CallForm form, Buf send, Buf receive, int[] counts, int[] displacements) {
    return perform(form, RecordedCollective.ALL_GATHER_V, Recorder.NO_ROOT, send,
        how -> mpi.allGatherV(how, send, receive, counts, displacements));
  }

  @Override
  public Request allToAllV(CallForm form, Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return perform(form, RecordedCollective.ALL_TO_ALL_V, Recorder.NO_ROOT, send,
        how -> mpi.allToAllV(how, send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements));
  }

  @Override
  public Request allToAllW(CallForm form, Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    return perform(form, RecordedCollective.ALL_TO_ALL_W, Recorder.NO_ROOT, send,
        how -> mpi.allToAllW(how, send, sendParts, receive, receiveParts));
  }

  /**
   * Performs a collective of a single number. If it is only stored, the contribution is the result.
   */
  private long ofNumber(RecordedCollective collective, int root, Datatype type, long bits, LongUnaryOperator operation) {
    boolean contributes = !collective.isOfTheRoot() || root == comm.rank();
    if (type == Datatype.INT) {
      int[] number = {(int) bits};
      boolean isPerformed = recorder.contribute(collective, root, contributes ? Buf.wrap(number) : null);
      return isPerformed ? operation.applyAsLong(number[0]) : number[0];
    }
    long[] number = {bits};
    boolean isPerformed = recorder.contribute(collective, root, contributes ? Buf.wrap(number).as(type, 1) : null);
    return isPerformed ? operation.applyAsLong(number[0]) : number[0];
  }

  @Override
  public long bcast(Datatype type, long bits, int root) {
    return ofNumber(RecordedCollective.BCAST, root, type, bits, number -> numbers.bcast(type, number, root));
  }

  @Override
  public long allReduce(Datatype type, long bits, Op op) {
    return ofNumber(RecordedCollective.ALL_REDUCE, Recorder.NO_ROOT, type, bits, number -> numbers.allReduce(type, number, op));
  }

  @Override
  public long scan(Datatype type, long bits, Op op) {
    return ofNumber(RecordedCollective.SCAN, Recorder.NO_ROOT, type, bits, number -> numbers.scan(type, number, op));
  }

  @Override
  public long exScan(Datatype type, long bits, Op op, long first) {
    return ofNumber(RecordedCollective.EX_SCAN, Recorder.NO_ROOT, type, bits, number -> numbers.exScan(type, number, op, first));
  }
}
