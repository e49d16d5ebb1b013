// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;

/** Messages between two processes: MPI 4.1, chapter 3. */
abstract class PointToPoint extends CommHandle {
  PointToPoint(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Sends a buffer, standard mode: may be buffered by MPI or wait for the receiver. Blocking.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void send(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    long address = Transfer.stageIn(buf);
    try {
      check(MPI.MPI_Send(address, count(buf), type, dest, tag, comm), "MPI_Send");
    } finally {
      Transfer.stageOut(buf, address, false);
    }
    Reference.reachabilityFence(buf);
  }

  /**
   * Starts a send, standard mode: may be buffered by MPI or wait for the receiver. {@code MPI_Isend}.
   *
   * @return the request; {@code buf} must not be changed before it completes
   */
  public Request iSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Isend(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Isend", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Sets up a send to be started many times. {@code MPI_Send_init}. @return the request; the caller closes it */
  public PersistentRequest sendInit(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Send_init(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Send_init", transfer);
    return new PersistentRequest(scope(), Memory.getLong(scratch), transfer);
  }

  /**
   * Sends a buffer, synchronous mode: ends when the receive has started. Blocking.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void sSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    long address = Transfer.stageIn(buf);
    try {
      check(MPI.MPI_Ssend(address, count(buf), type, dest, tag, comm), "MPI_Ssend");
    } finally {
      Transfer.stageOut(buf, address, false);
    }
    Reference.reachabilityFence(buf);
  }

  /**
   * Starts a send, synchronous mode: ends when the receive has started. {@code MPI_Issend}.
   *
   * @return the request; {@code buf} must not be changed before it completes
   */
  public Request iSSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Issend(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Issend", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Sets up a send to be started many times. {@code MPI_Ssend_init}. @return the request; the caller closes it */
  public PersistentRequest sSendInit(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Ssend_init(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Ssend_init", transfer);
    return new PersistentRequest(scope(), Memory.getLong(scratch), transfer);
  }

  /**
   * Sends a buffer, buffered mode: copies into the buffer attached by {@link Mpi#attachBuffer}. Blocking.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void bSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    long address = Transfer.stageIn(buf);
    try {
      check(MPI.MPI_Bsend(address, count(buf), type, dest, tag, comm), "MPI_Bsend");
    } finally {
      Transfer.stageOut(buf, address, false);
    }
    Reference.reachabilityFence(buf);
  }

  /**
   * Starts a send, buffered mode: copies into the buffer attached by {@link Mpi#attachBuffer}. {@code MPI_Ibsend}.
   *
   * @return the request; {@code buf} must not be changed before it completes
   */
  public Request iBSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Ibsend(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Ibsend", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Sets up a send to be started many times. {@code MPI_Bsend_init}. @return the request; the caller closes it */
  public PersistentRequest bSendInit(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Bsend_init(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Bsend_init", transfer);
    return new PersistentRequest(scope(), Memory.getLong(scratch), transfer);
  }

  /**
   * Sends a buffer, ready mode: the matching receive must have been posted. Blocking.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void rSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    long address = Transfer.stageIn(buf);
    try {
      check(MPI.MPI_Rsend(address, count(buf), type, dest, tag, comm), "MPI_Rsend");
    } finally {
      Transfer.stageOut(buf, address, false);
    }
    Reference.reachabilityFence(buf);
  }

  /**
   * Starts a send, ready mode: the matching receive must have been posted. {@code MPI_Irsend}.
   *
   * @return the request; {@code buf} must not be changed before it completes
   */
  public Request iRSend(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Irsend(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Irsend", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Sets up a send to be started many times. {@code MPI_Rsend_init}. @return the request; the caller closes it */
  public PersistentRequest rSendInit(Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    long scratch = Scratch.address();
    started(MPI.MPI_Rsend_init(transfer.sendAddress(), count(buf), type, dest, tag, comm, scratch), "MPI_Rsend_init", transfer);
    return new PersistentRequest(scope(), Memory.getLong(scratch), transfer);
  }

  /** After a call that would have started something: gives the staging back if it did not. */
  final void started(int code, String function, Transfer transfer) {
    if (code != MPI.MPI_SUCCESS) {
      transfer.release();
      throw scope().failure(code, function);
    }
  }

  /**
   * Receives into a buffer. Blocking. {@code MPI_Recv}.
   *
   * @param buf where to; a shorter message leaves its end alone, a longer one is a {@link TruncationException}
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @throws MpiFaultException if the sender has failed or the communicator is revoked
   */
  public void recv(Buf buf, int source, int tag) {
    recv(buf, source, tag, null);
  }

  /**
   * Receives into a buffer and tells what was received.
   *
   * @param status filled if not null
   * @return {@code status}
   */
  public Status recv(Buf buf, int source, int tag, Status status) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkSource(source);
    checkReceiveTag(tag);
    long address = Transfer.stageIn(buf);
    boolean received = false;
    long mpiStatus = status == null ? MPI.MPI_STATUS_IGNORE : Scratch.address();
    try {
      check(MPI.MPI_Recv(address, count(buf), type, source, tag, comm, mpiStatus), "MPI_Recv");
      received = true;
    } finally {
      Transfer.stageOut(buf, address, received);
    }
    Reference.reachabilityFence(buf);
    return status == null ? null : status.fill(mpiStatus);
  }

  /** Starts a receive. {@code MPI_Irecv}. @return the request; {@code buf} must not be touched before it completes */
  public Request iRecv(Buf buf, int source, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkSource(source);
    checkReceiveTag(tag);
    Transfer transfer = new Transfer(null, buf);
    long scratch = Scratch.address();
    started(
        MPI.MPI_Irecv(transfer.receiveAddress(), count(buf), type, source, tag, comm, scratch), "MPI_Irecv", transfer);
    return new Request(scope(), Memory.getLong(scratch), transfer, true);
  }

  /** Sets up a receive to be started many times. {@code MPI_Recv_init}. @return the request; the caller closes it */
  public PersistentRequest recvInit(Buf buf, int source, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    checkSource(source);
    checkReceiveTag(tag);
    Transfer transfer = new Transfer(null, buf);
    long scratch = Scratch.address();
    started(MPI.MPI_Recv_init(transfer.receiveAddress(), count(buf), type, source, tag, comm, scratch),
        "MPI_Recv_init", transfer);
    return new PersistentRequest(scope(), Memory.getLong(scratch), transfer);
  }

  /**
   * Sends and receives at once, without the deadlock that two blocking calls would risk. {@code MPI_Sendrecv}.
   *
   * @param send what to send to {@code dest} under {@code sendTag}
   * @param receive where to receive from {@code source}; other memory than {@code send}
   */
  public void sendrecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag) {
    long comm = handle();
    long sendType = require(send, "send").datatype().handle();
    long receiveType = require(receive, "receive").datatype().handle();
    checkDestination(dest);
    checkSendTag(sendTag);
    checkSource(source);
    checkReceiveTag(receiveTag);
    long from = Transfer.stageIn(send);
    long to = Transfer.stageIn(receive);
    boolean received = false;
    try {
      check(MPI.MPI_Sendrecv(from, count(send), sendType, dest, sendTag, to, count(receive), receiveType, source,
          receiveTag, comm, MPI.MPI_STATUS_IGNORE), "MPI_Sendrecv");
      received = true;
    } finally {
      Transfer.stageOut(send, from, false);
      Transfer.stageOut(receive, to, received);
    }
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /** Waits for a message and tells about it, without receiving it. {@code MPI_Probe}. */
  public Status probe(int source, int tag) {
    long comm = handle();
    checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Probe(source, tag, comm, scratch), "MPI_Probe");
    return new Status().fill(scratch);
  }

  /** Whether a message is there; does not block. {@code MPI_Iprobe}. @param status filled if one is, if not null */
  public boolean iProbe(int source, int tag, Status status) {
    long comm = handle();
    checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Iprobe(source, tag, comm, scratch, scratch + 8), "MPI_Iprobe");
    boolean found = Memory.getInt(scratch) != 0;
    if (found && status != null) {
      status.fill(scratch + 8);
    }
    return found;
  }

  /**
   * Waits for a message and takes it out of the matching, so that no other thread can receive it. {@code MPI_Mprobe}.
   *
   * @return the message; it must be received
   */
  public Message mProbe(int source, int tag) {
    long comm = handle();
    checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Mprobe(source, tag, comm, scratch, scratch + 8), "MPI_Mprobe");
    return new Message(this, Memory.getLong(scratch), new Status().fill(scratch + 8));
  }

  /** As {@link #mProbe}, without blocking. {@code MPI_Improbe}. @return the message, or null if there is none */
  public Message imProbe(int source, int tag) {
    long comm = handle();
    checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Improbe(source, tag, comm, scratch, scratch + 8, scratch + 16), "MPI_Improbe");
    return Memory.getInt(scratch) == 0
        ? null : new Message(this, Memory.getLong(scratch + 8), new Status().fill(scratch + 16));
  }
}
