// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.lang.ref.Reference;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Memory;
import org.kintsugi.mpi.internal.Scope;
import org.kintsugi.mpi.internal.Scratch;
import org.kintsugi.mpi.internal.Whereabouts;

/** Messages between two processes: MPI 4.1, chapter 3. */
abstract class PointToPoint extends CommHandle {
  /** What {@link ArrayReceive} has learned of each rank's large messages. */
  private static final byte AT_ONCE = 1;
  private static final byte NOT_AT_ONCE = 2;

  private byte[] largeMessages; // null: none has come

  PointToPoint(long handle, Scope scope) {
    super(handle, scope);
  }

  /**
   * Sends a buffer, standard mode: may be buffered by MPI or wait for the receiver. Blocking.
   * {@code MPI_Send}.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void send(Buf buf, int dest, int tag) {
    send(SendMode.STANDARD, buf, dest, tag);
  }

  /**
   * Starts a {@link #send}. {@code MPI_Isend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public Request iSend(Buf buf, int dest, int tag) {
    return startSend(SendMode.STANDARD, buf, dest, tag, null);
  }

  /**
   * As {@link #iSend(Buf, int, int)}, with the object of one that is over, as in C: a steady loop then takes no Java heap.
   *
   * @param buf what to send; must not be changed before the request completes
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @param spent what an earlier {@code iSend} or {@code iRecv} returned, and has completed; from now on it stands for this
   *     operation only. Null, or one that a rollback has made stale: a new one is made
   * @return the request, {@code spent} if it could be used
   * @throws IllegalStateException if {@code spent} is in flight
   */
  public Request iSend(Buf buf, int dest, int tag, Request spent) {
    return startSend(SendMode.STANDARD, buf, dest, tag, spent);
  }

  /**
   * Sets up a {@link #send} to be started many times. {@code MPI_Send_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public PersistentRequest sendInit(Buf buf, int dest, int tag) {
    return initSend(SendMode.STANDARD, buf, dest, tag);
  }

  /**
   * Sends a buffer, synchronous mode: ends when the receive has started. Blocking.
   * {@code MPI_Ssend}.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void sSend(Buf buf, int dest, int tag) {
    send(SendMode.SYNCHRONOUS, buf, dest, tag);
  }

  /**
   * Starts a {@link #sSend}. {@code MPI_Issend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public Request iSSend(Buf buf, int dest, int tag) {
    return startSend(SendMode.SYNCHRONOUS, buf, dest, tag, null);
  }

  /**
   * Sets up a {@link #sSend} to be started many times. {@code MPI_Ssend_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public PersistentRequest sSendInit(Buf buf, int dest, int tag) {
    return initSend(SendMode.SYNCHRONOUS, buf, dest, tag);
  }

  /**
   * Sends a buffer, buffered mode: copies into the buffer attached by {@link Mpi#attachBuffer}. Blocking.
   * {@code MPI_Bsend}.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void bSend(Buf buf, int dest, int tag) {
    send(SendMode.BUFFERED, buf, dest, tag);
  }

  /**
   * Starts a {@link #bSend}. {@code MPI_Ibsend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public Request iBSend(Buf buf, int dest, int tag) {
    return startSend(SendMode.BUFFERED, buf, dest, tag, null);
  }

  /**
   * Sets up a {@link #bSend} to be started many times. {@code MPI_Bsend_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public PersistentRequest bSendInit(Buf buf, int dest, int tag) {
    return initSend(SendMode.BUFFERED, buf, dest, tag);
  }

  /**
   * Sends a buffer, ready mode: the matching receive must have been posted. Blocking.
   * {@code MPI_Rsend}.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void rSend(Buf buf, int dest, int tag) {
    send(SendMode.READY, buf, dest, tag);
  }

  /**
   * Starts a {@link #rSend}. {@code MPI_Irsend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public Request iRSend(Buf buf, int dest, int tag) {
    return startSend(SendMode.READY, buf, dest, tag, null);
  }

  /**
   * Sets up a {@link #rSend} to be started many times. {@code MPI_Rsend_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative
   */
  public PersistentRequest rSendInit(Buf buf, int dest, int tag) {
    return initSend(SendMode.READY, buf, dest, tag);
  }

  private void send(SendMode mode, Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkDestination(dest);
    checkSendTag(tag);
    if (VirtualThreads.isCurrent()) {
      startSend(mode, buf, dest, tag, null).waitFor();
      return;
    }
    long address = Transfer.stageIn(buf);
    ended(mode.send(address, count, type, dest, tag, comm), mode.blocking, buf, address, null, 0);
    isSent(buf, dest, tag);
  }

  // With --check the launcher is told of the messages.

  private void isSent(Buf buf, int dest, int tag) {
    if (CheckedComm.IS_ON) {
      CheckedMessages.isSent(this, buf.datatype(), dest, tag);
    }
  }

  /** Null where it is not told. */
  private CheckedMessages.Awaited await(Buf buf) {
    return CheckedComm.IS_ON ? CheckedMessages.await(this, buf.datatype()) : null;
  }

  private static void isReceived(CheckedMessages.Awaited awaited, long mpiStatus) {
    if (CheckedComm.IS_ON && awaited != null) {
      awaited.isReceived(mpiStatus);
    }
  }

  /** After a blocking call, whose buffers may be null: gives them back, with what was received, and tells of an error. */
  final void ended(int code, String function, Buf send, long from, Buf receive, long to) {
    ended(code, function, send, from, receive, to, receive == null ? 0 : receive.bytes());
  }

  /** The same where so many bytes have been received. */
  final void ended(int code, String function, Buf send, long from, Buf receive, long to, long received) {
    if (isLeft(code)) {
      keep(Transfer.of(send, from, receive, to));
      check(code, function);
    }
    if (send != null) {
      Transfer.stageOut(send, from, 0);
    }
    if (receive != null) {
      Transfer.stageOut(receive, to, code == MPI.MPI_SUCCESS ? received : 0);
    }
    check(code, function);
    Reference.reachabilityFence(send);
    Reference.reachabilityFence(receive);
  }

  /** See {@link Rollbacks#isLeft}. */
  static boolean isLeft(int code) {
    return code != MPI.MPI_SUCCESS && Rollbacks.isLeft(code);
  }

  /** Keeps what a call that was left still works on, as if it were a request, until the rollback is over. */
  final void keep(Transfer transfer) {
    new Request(scope(), MPI.MPI_REQUEST_NULL, transfer, true);
  }

  private Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkDestination(dest);
    checkSendTag(tag);
    Request.requireSpent(spent);
    Transfer transfer = Transfer.ofMessage(Request.transferOf(spent), buf, null);
    Request started = startedAgain(spent, mode.start(transfer.sendAddress(), count, type, dest, tag, comm, Scratch.address()),
        mode.nonblocking, transfer);
    isSent(buf, dest, tag);
    return started;
  }

  private PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkDestination(dest);
    checkSendTag(tag);
    Transfer transfer = new Transfer(buf, null);
    return initialised(mode.init(transfer.sendAddress(), count, type, dest, tag, comm, Scratch.address()),
        mode.persistent, transfer).isChecked(CheckedComm.IS_ON ? CheckedMessages.send(this, buf.datatype(), dest, tag) : null);
  }

  /** The request of a call that has left its handle in this thread's scratch block; gives the staging back if it failed. */
  final Request started(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new Request(scope(), Memory.getLong(Scratch.address()), transfer, true);
  }

  /** As {@link #started}, in place of the request that the transfer was taken from, if it was. */
  private Request startedAgain(Request spent, int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    long started = Memory.getLong(Scratch.address());
    return Request.transferOf(spent) == transfer ? spent.again(scope(), started) : new Request(scope(), started, transfer, true);
  }

  /** As {@link #started}, for an operation that is to be started later. */
  final PersistentRequest initialised(int code, String function, Transfer transfer) {
    requireStarted(code, function, transfer);
    return new PersistentRequest(scope(), Memory.getLong(Scratch.address()), transfer);
  }

  private void requireStarted(int code, String function, Transfer transfer) {
    if (code != MPI.MPI_SUCCESS) {
      transfer.release(); // a call that only starts something is never left in the middle
      check(code, function);
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
   * @param buf where the message goes; it may be longer than the message
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param status filled if not null
   * @return {@code status}
   * @throws TruncationException if the message is longer than the buffer
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status recv(Buf buf, int source, int tag, Status status) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkSource(source);
    checkReceiveTag(tag);
    if (VirtualThreads.isCurrent()) {
      return startReceive(buf, source, tag, null).waitFor(status);
    }
    if (source >= 0 && ArrayReceive.isFor(buf) && (largeMessages == null || largeMessages[source] != NOT_AT_ONCE)) {
      return receiveMatched(buf, source, tag, status);
    }
    CheckedMessages.Awaited awaited = await(buf);
    long address = Transfer.stageForReceive(buf);
    long mpiStatus = statusPlace(buf, status);
    int code = MPI.MPI_Recv(address, count, type, source, tag, comm, mpiStatus);
    ended(code, "MPI_Recv", null, 0, buf, address, received(code, buf, mpiStatus));
    isReceived(awaited, mpiStatus);
    return status == null ? null : status.fill(mpiStatus);
  }

  /** See {@link ArrayReceive}. */
  private Status receiveMatched(Buf buf, int source, int tag, Status status) {
    String function = "MPI_Recv";
    if (largeMessages == null) {
      largeMessages = new byte[peers()];
    }
    CheckedMessages.Awaited awaited = await(buf);
    boolean isStaged = largeMessages[source] != AT_ONCE;
    long block = isStaged ? Transfer.stageForReceive(buf) : 0; // before the message is taken: it is not lost if that fails
    long mpiStatus = ArrayReceive.status();
    int code = MPI.MPI_Mprobe(source, tag, handle(), ArrayReceive.place(), mpiStatus);
    if (code == MPI.MPI_SUCCESS) {
      boolean isLarge = Status.bytes(mpiStatus) >= ArrayReceive.LEAST_BYTES;
      int count = count(buf);
      long type = buf.datatype().handle();
      code = isStaged ? ArrayReceive.intoBlock(block, count, type) : ArrayReceive.intoArray(buf, count, type);
      if (isLarge) {
        largeMessages[source] = code == MPI.MPI_SUCCESS && ArrayReceive.wasAtOnce() ? AT_ONCE : NOT_AT_ONCE;
      }
    }
    if (isStaged) {
      ended(code, function, null, 0, buf, block, received(code, buf, mpiStatus));
    }
    check(code, function);
    isReceived(awaited, mpiStatus);
    return status == null ? null : status.fill(mpiStatus);
  }

  /** Where MPI is to write the status of a blocking receive: nowhere if nobody asks. */
  private static long statusPlace(Buf receive, Status wanted) {
    boolean isWanted = wanted != null || Transfer.isStagedInPart(receive) || CheckedComm.IS_ON;
    return isWanted ? Scratch.address() + Scratch.STATUS : MPI.MPI_STATUS_IGNORE;
  }

  /** How many bytes of a receive's staging block are new. */
  private static long received(int code, Buf receive, long mpiStatus) {
    return code == MPI.MPI_SUCCESS && Transfer.isStagedInPart(receive) ? Status.bytes(mpiStatus) : receive.bytes();
  }

  /**
   * Starts a receive. {@code MPI_Irecv}.
   *
   * @param buf where the message goes; it may be longer than the message
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the request; {@code buf} must not be touched before it completes
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative and not {@code ANY_TAG}
   */
  public Request iRecv(Buf buf, int source, int tag) {
    return startReceive(buf, source, tag, null);
  }

  /**
   * As {@link #iRecv(Buf, int, int)}, with the object of one that is over, as in C: a steady loop then takes no Java heap.
   *
   * @param buf where the message goes; it may be longer than the message, and must not be touched before the request completes
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param spent what an earlier {@code iSend} or {@code iRecv} returned, and has completed; from now on it stands for this
   *     operation only. Null, or one that a rollback has made stale: a new one is made
   * @return the request, {@code spent} if it could be used
   * @throws IllegalStateException if {@code spent} is in flight
   */
  public Request iRecv(Buf buf, int source, int tag, Request spent) {
    return startReceive(buf, source, tag, spent);
  }

  private Request startReceive(Buf buf, int source, int tag, Request spent) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkSource(source);
    checkReceiveTag(tag);
    Request.requireSpent(spent);
    Transfer transfer = Transfer.ofMessage(Request.transferOf(spent), null, buf);
    return startedAgain(spent, MPI.MPI_Irecv(transfer.receiveAddress(), count, type, source, tag, comm, Scratch.address()),
        "MPI_Irecv", transfer).awaits(await(buf));
  }

  /**
   * Sets up a receive to be started many times. {@code MPI_Recv_init}.
   *
   * @param buf where each message goes; must not be touched while a receive is under way
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if there is no such rank, or the tag is negative and not {@code ANY_TAG}
   */
  public PersistentRequest recvInit(Buf buf, int source, int tag) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkSource(source);
    checkReceiveTag(tag);
    Transfer transfer = Transfer.ofMessage(null, null, buf);
    return initialised(MPI.MPI_Recv_init(transfer.receiveAddress(), count, type, source, tag, comm, Scratch.address()),
        "MPI_Recv_init", transfer).isChecked(CheckedComm.IS_ON ? CheckedMessages.receive(this, buf.datatype()) : null);
  }

  /**
   * Sends and receives at once, without the deadlock that two blocking calls would risk. {@code MPI_Sendrecv}.
   *
   * @param send what to send to {@code dest} under {@code sendTag}
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param sendTag the tag of what is sent, zero or greater
   * @param receive where to receive from {@code source}; other memory than {@code send} (see {@link #sendRecvReplace})
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param receiveTag the tag of what is received, or {@link Comm#ANY_TAG}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag) {
    sendRecv(send, dest, sendTag, receive, source, receiveTag, null);
  }

  /**
   * As {@link #sendRecv(Buf, int, int, Buf, int, int)}, and tells what was received.
   *
   * @param send what is sent
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param sendTag the tag of what is sent, zero or greater
   * @param receive where the message goes; other memory than {@code send}
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param receiveTag the tag of what is received, or {@link Comm#ANY_TAG}
   * @param status filled if not null
   * @return {@code status}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status sendRecv(
      Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    long comm = handle();
    long sendType = require(send, "send").datatype().handle();
    long receiveType = require(receive, "receive").datatype().handle();
    int sendCount = count(send);
    int receiveCount = count(receive);
    checkDestination(dest);
    checkSendTag(sendTag);
    checkSource(source);
    checkReceiveTag(receiveTag);
    if (dest != Comm.PROC_NULL && source != Comm.PROC_NULL
        && (send.overlaps(sendCount, receive, receiveCount) || sendCount > 0 && Buf.areSame(send, receive))) {
      throw new IllegalArgumentException(
          "send and receive overlap in memory: give them memory of their own, or use sendRecvReplace "
              + "to receive into what was sent");
    }
    if (VirtualThreads.isCurrent()) {
      return exchange(send, dest, sendTag, receive, source, receiveTag, status);
    }
    CheckedMessages.Awaited awaited = await(receive);
    long from = Transfer.stageIn(send);
    long to = Transfer.stageForReceiveBehind(receive, send, from);
    long mpiStatus = statusPlace(receive, status);
    int code = MPI.MPI_Sendrecv(from, sendCount, sendType, dest, sendTag, to, receiveCount, receiveType, source,
        receiveTag, comm, mpiStatus);
    ended(code, "MPI_Sendrecv", send, from, receive, to, received(code, receive, mpiStatus));
    isSent(send, dest, sendTag);
    isReceived(awaited, mpiStatus);
    return status == null ? null : status.fill(mpiStatus);
  }

  /**
   * Sends a buffer and then receives into it. {@code MPI_Sendrecv_replace}.
   *
   * @param buf what is sent, and where what is received takes its place: as long as the longer of both
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param sendTag the tag of what is sent, zero or greater
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param receiveTag the tag of what is received, or {@link Comm#ANY_TAG}
   * @param status filled with what was received, if not null
   * @return {@code status}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    long comm = handle();
    long type = require(buf, "buf").datatype().handle();
    int count = count(buf);
    checkDestination(dest);
    checkSendTag(sendTag);
    checkSource(source);
    checkReceiveTag(receiveTag);
    if (VirtualThreads.isCurrent()) {
      try (Buf copy = Buf.ofBytes(buf.bytes())) {
        buf.copyTo(copy.address());
        return exchange(copy.as(buf.datatype(), count), dest, sendTag, buf, source, receiveTag, status);
      }
    }
    CheckedMessages.Awaited awaited = await(buf);
    long address = Transfer.stageIn(buf);
    long mpiStatus = status == null && !CheckedComm.IS_ON ? MPI.MPI_STATUS_IGNORE : Scratch.address() + Scratch.STATUS;
    int code = MPI.MPI_Sendrecv_replace(address, count, type, dest, sendTag, source, receiveTag, comm, mpiStatus);
    ended(code, "MPI_Sendrecv_replace", null, 0, buf, address);
    isSent(buf, dest, sendTag);
    isReceived(awaited, mpiStatus);
    return status == null ? null : status.fill(mpiStatus);
  }

  /** Both at once on a virtual thread. A send that fails leaves no receive behind, which would take somebody else's message. */
  private Status exchange(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    Request received = startReceive(receive, source, receiveTag, null);
    try {
      startSend(SendMode.STANDARD, send, dest, sendTag, null).waitFor();
    } catch (RuntimeException failed) {
      received.cancel();
      received.waitFor();
      throw failed;
    }
    return received.waitFor(status);
  }

  /**
   * Waits for a message and tells about it, without receiving it. {@code MPI_Probe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return sender, tag and length of the message, which the next receive for them gets
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status probe(int source, int tag) {
    long comm = handle();
    checkSource(source);
    checkReceiveTag(tag);
    if (VirtualThreads.isCurrent()) {
      Status found = new Status();
      VirtualThreads.await(() -> isThere(source, tag, found));
      return found;
    }
    long mpiStatus = Scratch.address() + Scratch.STATUS;
    check(MPI.MPI_Probe(source, tag, comm, mpiStatus), "MPI_Probe");
    return new Status().fill(mpiStatus);
  }

  /**
   * Whether a message is there; does not block. {@code MPI_Iprobe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param status filled if one is, if not null
   * @return whether there is one that a receive with this source and tag would get
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public boolean iProbe(int source, int tag, Status status) {
    return isThere(source, tag, status);
  }

  private boolean isThere(int source, int tag, Status status) {
    long comm = handleToLook();
    checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Iprobe(source, tag, comm, scratch + Scratch.FLAG, scratch + Scratch.STATUS), "MPI_Iprobe");
    boolean found = Memory.getInt(scratch + Scratch.FLAG) != 0;
    if (found) {
      Whereabouts.step(comm);
    }
    if (found && status != null) {
      status.fill(scratch + Scratch.STATUS);
    }
    return found;
  }

  /**
   * Waits for a message and takes it out of the matching, so that no other thread can receive it. {@code MPI_Mprobe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the message; it must be received
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Message mProbe(int source, int tag) {
    long comm = handle();
    checkSource(source);
    checkReceiveTag(tag);
    if (VirtualThreads.isCurrent()) {
      return VirtualThreads.awaitFound(() -> take(source, tag));
    }
    long scratch = Scratch.address();
    check(MPI.MPI_Mprobe(source, tag, comm, scratch, scratch + Scratch.STATUS), "MPI_Mprobe");
    return new Message(this, Memory.getLong(scratch), new Status().fill(scratch + Scratch.STATUS));
  }

  /**
   * As {@link #mProbe}, without blocking. {@code MPI_Improbe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the message, or null if there is none
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Message imProbe(int source, int tag) {
    return take(source, tag);
  }

  private Message take(int source, int tag) {
    long comm = handleToLook();
    checkSource(source);
    checkReceiveTag(tag);
    long scratch = Scratch.address();
    check(MPI.MPI_Improbe(source, tag, comm, scratch + Scratch.FLAG, scratch, scratch + Scratch.STATUS), "MPI_Improbe");
    if (Memory.getInt(scratch + Scratch.FLAG) == 0) {
      return null;
    }
    Whereabouts.step(comm);
    return new Message(this, Memory.getLong(scratch), new Status().fill(scratch + Scratch.STATUS));
  }
}
