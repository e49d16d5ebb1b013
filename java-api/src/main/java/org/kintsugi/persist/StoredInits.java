// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.function.Supplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Comms;

/** Operations of a persistent communicator that are set up once: every start does the whole operation. */
abstract class StoredInits extends StoredNonblocking {
  StoredInits(Comm taken) {
    super(taken);
  }

  abstract boolean isTransparent();

  private PersistentRequest deferred(String name, Runnable operation) {
    if (isTransparent()) {
      throw new UnsupportedOperationException(
          name + " on a transparent persistent communicator: use the operation itself, or its nonblocking form");
    }
    handle();
    return Comms.get().deferred(this, operation);
  }

  @Override
  public PersistentRequest sendInit(Buf buf, int dest, int tag) {
    return deferred("sendInit", () -> send(buf, dest, tag));
  }

  @Override
  public PersistentRequest sSendInit(Buf buf, int dest, int tag) {
    return sendInit(buf, dest, tag);
  }

  @Override
  public PersistentRequest bSendInit(Buf buf, int dest, int tag) {
    return sendInit(buf, dest, tag);
  }

  @Override
  public PersistentRequest rSendInit(Buf buf, int dest, int tag) {
    return sendInit(buf, dest, tag);
  }

  /** A receive that tells afterwards what it was. */
  private final class Receive implements Runnable, Supplier<Status> {
    private final Buf buf;
    private final int source;
    private final int tag;
    private Status received;

    Receive(Buf buf, int source, int tag) {
      this.buf = buf;
      this.source = source;
      this.tag = tag;
    }

    @Override
    public void run() {
      received = recv(buf, source, tag, new Status());
    }

    @Override
    public Status get() {
      return received;
    }
  }

  @Override
  public PersistentRequest recvInit(Buf buf, int source, int tag) {
    return deferred("recvInit", new Receive(buf, source, tag));
  }

  @Override
  public PersistentRequest barrierInit() {
    return deferred("barrierInit", this::barrier);
  }

  @Override
  public PersistentRequest bcastInit(Buf buf, int root) {
    return deferred("bcastInit", () -> bcast(buf, root));
  }

  @Override
  public PersistentRequest reduceInit(Buf send, Buf receive, Op op, int root) {
    return deferred("reduceInit", () -> reduce(send, receive, op, root));
  }

  @Override
  public PersistentRequest allReduceInit(Buf send, Buf receive, Op op) {
    return deferred("allReduceInit", () -> allReduce(send, receive, op));
  }

  @Override
  public PersistentRequest scanInit(Buf send, Buf receive, Op op) {
    return deferred("scanInit", () -> scan(send, receive, op));
  }

  @Override
  public PersistentRequest exScanInit(Buf send, Buf receive, Op op) {
    return deferred("exScanInit", () -> exScan(send, receive, op));
  }

  @Override
  public PersistentRequest reduceScatterBlockInit(Buf send, Buf receive, Op op) {
    return deferred("reduceScatterBlockInit", () -> reduceScatterBlock(send, receive, op));
  }

  @Override
  public PersistentRequest reduceScatterInit(Buf send, Buf receive, int[] counts, Op op) {
    return deferred("reduceScatterInit", () -> reduceScatter(send, receive, counts, op));
  }

  @Override
  public PersistentRequest gatherInit(Buf send, Buf receive, int root) {
    return deferred("gatherInit", () -> gather(send, receive, root));
  }

  @Override
  public PersistentRequest scatterInit(Buf send, Buf receive, int root) {
    return deferred("scatterInit", () -> scatter(send, receive, root));
  }

  @Override
  public PersistentRequest allGatherInit(Buf send, Buf receive) {
    return deferred("allGatherInit", () -> allGather(send, receive));
  }

  @Override
  public PersistentRequest allToAllInit(Buf send, Buf receive) {
    return deferred("allToAllInit", () -> allToAll(send, receive));
  }

  @Override
  public PersistentRequest gatherVInit(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return deferred("gatherVInit", () -> gatherV(send, receive, counts, displacements, root));
  }

  @Override
  public PersistentRequest scatterVInit(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return deferred("scatterVInit", () -> scatterV(send, counts, displacements, receive, root));
  }

  @Override
  public PersistentRequest allGatherVInit(Buf send, Buf receive, int[] counts, int[] displacements) {
    return deferred("allGatherVInit", () -> allGatherV(send, receive, counts, displacements));
  }

  @Override
  public PersistentRequest allToAllVInit(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return deferred("allToAllVInit",
        () -> allToAllV(send, sendCounts, sendDisplacements, receive, receiveCounts, receiveDisplacements));
  }
}
