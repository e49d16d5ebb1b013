// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import static org.kintsugi.mpi.CommHandle.count;
import static org.kintsugi.mpi.CommHandle.require;
import static org.kintsugi.mpi.CommHandle.type;
import static org.kintsugi.mpi.internal.calls.CommState.checkReceiveTag;
import static org.kintsugi.mpi.internal.calls.CommState.checkSendTag;

import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.SendMode;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.mpi.internal.variants.VirtualThreadMessages;

/**
 * Sends and receives a communicator's messages: checks, stages buffers, and calls MPI's functions. {@link Comm} has the
 * public methods.
 */
final class MessageCalls implements MessageOperations, VirtualThreadMessages.Arguments {
  /** How each rank's large messages have arrived so far, for {@link ArrayReceive}. */
  private static final byte AT_ONCE = 1;
  private static final byte NOT_AT_ONCE = 2;

  private final CommHandle comm;
  private byte[] largeMessages; // null: no large message has arrived yet

  MessageCalls(CommHandle comm) {
    this.comm = comm;
  }

  @Override
  public void send(SendMode mode, Buf buf, int dest, int tag) {
    long handle = comm.handle();
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.checkDestination(dest);
    checkSendTag(tag);
    if (mode == SendMode.BUFFERED) {
      sendBuffered(buf, dest, tag, mode.blocking);
      return;
    }
    long address = Transfer.stageIn(buf);
    comm.ended(mode.send(address, count, type, dest, tag, handle), mode.blocking, buf, address, null, 0, 0);
  }

  private void sendBuffered(Buf buf, int dest, int tag, String function) {
    buf.pin();
    try {
      BufferedSends.send(comm, buf, dest, tag, function);
    } finally {
      buf.unpin();
    }
  }

  @Override
  public Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent) {
    long handle = comm.handle();
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.checkDestination(dest);
    checkSendTag(tag);
    Request.requireSpent(spent);
    if (mode == SendMode.BUFFERED) {
      sendBuffered(buf, dest, tag, mode.nonblocking);
      return new CompletedRequest(comm.scope(), null);
    }
    Transfer transfer = Transfer.ofMessage(Request.transferOf(spent), buf, null);
    return comm.startedAgain(spent, mode.start(transfer.sendAddress(), count, type, dest, tag, handle, Scratch.address()),
        mode.nonblocking, transfer);
  }

  @Override
  public PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag) {
    long handle = comm.handle();
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.checkDestination(dest);
    checkSendTag(tag);
    if (mode == SendMode.BUFFERED) {
      return initBuffered(buf, dest, tag, mode.persistent);
    }
    Transfer transfer = new Transfer(buf, null);
    return comm.initialised(mode.init(transfer.sendAddress(), count, type, dest, tag, handle, Scratch.address()),
        mode.persistent, transfer);
  }

  private PersistentRequest initBuffered(Buf buf, int dest, int tag, String function) {
    return new BufferedSends.Persistent(comm.scope(), buf, () -> BufferedSends.send(comm, buf, dest, tag, function));
  }

  @Override
  public Status recv(Buf buf, int source, int tag, Status status) {
    long handle = comm.handle();
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.checkSource(source);
    checkReceiveTag(tag);
    if (source >= 0 && ArrayReceive.isFor(buf) && (largeMessages == null || largeMessages[source] != NOT_AT_ONCE)) {
      return receiveMatched(buf, count, type, source, tag, handle, status);
    }
    long address = Transfer.stageForReceive(buf);
    long mpiStatus = statusPlace(buf, status);
    int code = MPI.MPI_Recv(address, count, type, source, tag, handle, mpiStatus);
    comm.ended(code, "MPI_Recv", null, 0, buf, address, received(code, buf, mpiStatus));
    return status == null ? null : status.fill(mpiStatus);
  }

  @Override
  public void recv(Message message, Buf buf) {
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.handle();
    message.requireLeft();
    long address = Transfer.stageForReceive(buf); // before the message is taken: if this fails, the message is not lost
    int code = MPI.MPI_Mrecv(address, count, type, message.take(), MPI.MPI_STATUS_IGNORE);
    comm.ended(code, "MPI_Mrecv", null, 0, buf, address, message.bytes());
  }

  @Override
  public Request startReceive(Message message, Buf buf) {
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.handle();
    message.requireLeft();
    Transfer transfer = Transfer.ofMessage(null, null, buf);
    return comm.started(MPI.MPI_Imrecv(transfer.receiveAddress(), count, type, message.take(), Scratch.address()),
        "MPI_Imrecv", transfer);
  }

  /** See {@link ArrayReceive}. */
  private Status receiveMatched(Buf buf, int count, long type, int source, int tag, long handle, Status status) {
    String function = "MPI_Recv";
    if (largeMessages == null) {
      largeMessages = new byte[comm.peers()];
    }
    boolean isStaged = largeMessages[source] != AT_ONCE;
    long block = isStaged ? Transfer.stageForReceive(buf) : 0; // before the probe: if this fails, no message is lost
    long mpiStatus = ArrayReceive.status();
    int code = MPI.MPI_Mprobe(source, tag, handle, ArrayReceive.place(), mpiStatus);
    if (code == MPI.MPI_SUCCESS) {
      boolean isLarge = Status.bytes(mpiStatus) >= ArrayReceive.LEAST_BYTES;
      code = isStaged ? ArrayReceive.intoBlock(block, count, type) : ArrayReceive.intoArray(buf, count, type);
      if (isLarge) {
        largeMessages[source] = code == MPI.MPI_SUCCESS && ArrayReceive.wasAtOnce() ? AT_ONCE : NOT_AT_ONCE;
      }
    }
    if (isStaged) {
      comm.ended(code, function, null, 0, buf, block, received(code, buf, mpiStatus));
    }
    comm.check(code, function);
    return status == null ? null : status.fill(mpiStatus);
  }

  /** The address for the status of a blocking receive; MPI's constant for none if the caller does not want it. */
  private static long statusPlace(Buf receive, Status wanted) {
    boolean isWanted = wanted != null || receive.isStaged();
    return isWanted ? Scratch.address() + Scratch.STATUS : MPI.MPI_STATUS_IGNORE;
  }

  /** The bytes of data that a message has brought into a staging block. */
  private static long received(int code, Buf receive, long mpiStatus) {
    return code == MPI.MPI_SUCCESS && receive.isStaged() ? Status.bytes(mpiStatus) : 0;
  }

  @Override
  public Request startReceive(Buf buf, int source, int tag, Request spent) {
    long handle = comm.handle();
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.checkSource(source);
    checkReceiveTag(tag);
    Request.requireSpent(spent);
    Transfer transfer = Transfer.ofMessage(Request.transferOf(spent), null, buf);
    return comm.startedAgain(spent, MPI.MPI_Irecv(transfer.receiveAddress(), count, type, source, tag, handle, Scratch.address()),
        "MPI_Irecv", transfer);
  }

  @Override
  public PersistentRequest initReceive(Buf buf, int source, int tag) {
    long handle = comm.handle();
    long type = type(require(buf, "buf"));
    int count = count(buf);
    comm.checkSource(source);
    checkReceiveTag(tag);
    Transfer transfer = Transfer.ofMessage(null, null, buf);
    return comm.initialised(MPI.MPI_Recv_init(transfer.receiveAddress(), count, type, source, tag, handle, Scratch.address()),
        "MPI_Recv_init", transfer);
  }

  @Override
  public Status sendRecv(
      Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    requireExchange(send, dest, sendTag, receive, source, receiveTag);
    long handle = comm.rawHandle();
    long sendType = type(send);
    long receiveType = type(receive);
    int sendCount = count(send);
    int receiveCount = count(receive);
    long from = Transfer.stageIn(send);
    long to = Transfer.stageForReceiveBehind(receive, send, from);
    long mpiStatus = statusPlace(receive, status);
    int code = MPI.MPI_Sendrecv(from, sendCount, sendType, dest, sendTag, to, receiveCount, receiveType, source,
        receiveTag, handle, mpiStatus);
    comm.ended(code, "MPI_Sendrecv", send, from, receive, to, received(code, receive, mpiStatus));
    return status == null ? null : status.fill(mpiStatus);
  }

  @Override
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    requireReplacement(buf, dest, sendTag, source, receiveTag);
    long handle = comm.rawHandle();
    long type = type(buf);
    int count = count(buf);
    long address = Transfer.stageIn(buf);
    long mpiStatus = statusPlace(buf, status);
    int code = MPI.MPI_Sendrecv_replace(address, count, type, dest, sendTag, source, receiveTag, handle, mpiStatus);
    comm.ended(code, "MPI_Sendrecv_replace", null, 0, buf, address, received(code, buf, mpiStatus));
    return status == null ? null : status.fill(mpiStatus);
  }

  @Override
  public void requireExchange(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag) {
    comm.handle();
    require(send, "send");
    require(receive, "receive");
    requirePeers(dest, sendTag, source, receiveTag);
    if (dest != Comm.PROC_NULL && source != Comm.PROC_NULL
        && (send.overlaps(send.count(), receive, receive.count()) || send.count() > 0 && Buf.areSame(send, receive))) {
      throw Rejections.argument(
          "send and receive overlap in memory: give them memory of their own, or use sendRecvReplace "
              + "to receive into what was sent");
    }
  }

  @Override
  public void requireReplacement(Buf buf, int dest, int sendTag, int source, int receiveTag) {
    comm.handle();
    require(buf, "buf");
    requirePeers(dest, sendTag, source, receiveTag);
  }

  private void requirePeers(int dest, int sendTag, int source, int receiveTag) {
    comm.checkDestination(dest);
    checkSendTag(sendTag);
    comm.checkSource(source);
    checkReceiveTag(receiveTag);
    CallTrace.alsoSends(dest, sendTag);
  }

  @Override
  public Status probe(int source, int tag) {
    long handle = comm.handle();
    comm.checkSource(source);
    checkReceiveTag(tag);
    long mpiStatus = Scratch.address() + Scratch.STATUS;
    comm.check(MPI.MPI_Probe(source, tag, handle, mpiStatus), "MPI_Probe");
    return new Status().fill(mpiStatus);
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    long handle = comm.handleToLook();
    comm.checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Iprobe(source, tag, handle, scratch + Scratch.FLAG, scratch + Scratch.STATUS), "MPI_Iprobe");
    boolean found = Memory.getInt(scratch + Scratch.FLAG) != 0;
    if (found) {
      CallTrace.step(handle);
    }
    if (found && status != null) {
      status.fill(scratch + Scratch.STATUS);
    }
    return found;
  }

  @Override
  public Message mProbe(int source, int tag) {
    long handle = comm.handle();
    comm.checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Mprobe(source, tag, handle, scratch, scratch + Scratch.STATUS), "MPI_Mprobe");
    return new Message(this, comm.scope(), Memory.getLong(scratch), new Status().fill(scratch + Scratch.STATUS));
  }

  @Override
  public Message imProbe(int source, int tag) {
    long handle = comm.handleToLook();
    comm.checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    comm.check(MPI.MPI_Improbe(source, tag, handle, scratch + Scratch.FLAG, scratch, scratch + Scratch.STATUS), "MPI_Improbe");
    if (Memory.getInt(scratch + Scratch.FLAG) == 0) {
      return null;
    }
    CallTrace.step(handle);
    return new Message(this, comm.scope(), Memory.getLong(scratch), new Status().fill(scratch + Scratch.STATUS));
  }
}
