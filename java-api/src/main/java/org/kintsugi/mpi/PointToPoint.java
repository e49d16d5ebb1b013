// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.lifetime.Scope;

/** Messages between two processes: MPI 4.1, chapter 3. */
abstract class PointToPoint extends CommOperations {
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
    messages().send(SendMode.STANDARD, buf, dest, tag);
  }

  /**
   * Starts a {@link #send}. {@code MPI_Isend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public Request iSend(Buf buf, int dest, int tag) {
    return messages().startSend(SendMode.STANDARD, buf, dest, tag, null);
  }

  /**
   * As {@link #iSend(Buf, int, int)}, reusing the object of a request that has ended. A loop then
   * allocates no Java objects.
   *
   * @param buf what to send; must not be changed before the request completes
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @param spent the request of an earlier {@code iSend} or {@code iRecv} that has completed; from
   *     now on it represents this operation. If it is null, or a rollback has made it stale, a new
   *     object is made
   * @return the request, {@code spent} if it could be used
   * @throws IllegalStateException if {@code spent} is in flight
   */
  public Request iSend(Buf buf, int dest, int tag, Request spent) {
    return messages().startSend(SendMode.STANDARD, buf, dest, tag, spent);
  }

  /**
   * Sets up a {@link #send} to be started many times. {@code MPI_Send_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public PersistentRequest sendInit(Buf buf, int dest, int tag) {
    return messages().initSend(SendMode.STANDARD, buf, dest, tag);
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
    messages().send(SendMode.SYNCHRONOUS, buf, dest, tag);
  }

  /**
   * Starts a {@link #sSend}. {@code MPI_Issend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public Request iSSend(Buf buf, int dest, int tag) {
    return messages().startSend(SendMode.SYNCHRONOUS, buf, dest, tag, null);
  }

  /**
   * Sets up a {@link #sSend} to be started many times. {@code MPI_Ssend_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public PersistentRequest sSendInit(Buf buf, int dest, int tag) {
    return messages().initSend(SendMode.SYNCHRONOUS, buf, dest, tag);
  }

  /**
   * Sends a buffer, buffered mode: copies it, and returns. {@code MPI_Bsend}.
   *
   * <p>The copy occupies memory of {@link Mpi#attachBuffer} until it has been sent. It is dropped
   * if the receiver fails before that.
   *
   * @param buf what to send; may be changed when this returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @throws MpiException of the class {@code MPI_ERR_BUFFER} if it does not fit the attached memory
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public void bSend(Buf buf, int dest, int tag) {
    messages().send(SendMode.BUFFERED, buf, dest, tag);
  }

  /**
   * Starts a {@link #bSend}. {@code MPI_Ibsend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request, which has completed: {@code buf} may be changed
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   * @throws MpiException of the class {@code MPI_ERR_BUFFER} if it does not fit the attached memory
   */
  public Request iBSend(Buf buf, int dest, int tag) {
    return messages().startSend(SendMode.BUFFERED, buf, dest, tag, null);
  }

  /**
   * Sets up a {@link #bSend} to be started many times, while this communicator is open. {@code MPI_Bsend_init}.
   *
   * @param buf what each start sends, with the contents that it has then; may be changed when the start returns
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public PersistentRequest bSendInit(Buf buf, int dest, int tag) {
    return messages().initSend(SendMode.BUFFERED, buf, dest, tag);
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
    messages().send(SendMode.READY, buf, dest, tag);
  }

  /**
   * Starts a {@link #rSend}. {@code MPI_Irsend}.
   *
   * @param buf what to send
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; {@code buf} must not be changed before it completes
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public Request iRSend(Buf buf, int dest, int tag) {
    return messages().startSend(SendMode.READY, buf, dest, tag, null);
  }

  /**
   * Sets up a {@link #rSend} to be started many times. {@code MPI_Rsend_init}.
   *
   * @param buf what each start sends, with the contents that it has then; must not be changed while it is under way
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if {@code dest} is out of range, or the tag is negative
   */
  public PersistentRequest rSendInit(Buf buf, int dest, int tag) {
    return messages().initSend(SendMode.READY, buf, dest, tag);
  }

  /**
   * Receives into a buffer. Blocking. {@code MPI_Recv}.
   *
   * @param buf where the message goes; a shorter message leaves the rest of the buffer unchanged, a
   *     longer one is a {@link TruncationException}
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @throws MpiFaultException if the sender has failed or the communicator is revoked
   */
  public void recv(Buf buf, int source, int tag) {
    recv(buf, source, tag, null);
  }

  /**
   * Receives into a buffer and returns the message's status.
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
    return messages().recv(buf, source, tag, status);
  }

  /**
   * Starts a receive. {@code MPI_Irecv}.
   *
   * @param buf where the message goes; it may be longer than the message
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the request; {@code buf} must not be touched before it completes
   * @throws IllegalArgumentException if {@code source} is out of range, or the tag is negative and
   *     not {@code ANY_TAG}
   */
  public Request iRecv(Buf buf, int source, int tag) {
    return messages().startReceive(buf, source, tag, null);
  }

  /**
   * As {@link #iRecv(Buf, int, int)}, reusing the object of a request that has ended. A loop then
   * allocates no Java objects.
   *
   * @param buf where the message goes; it may be longer than the message, and must not be touched before the request completes
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param spent the request of an earlier {@code iSend} or {@code iRecv} that has completed; from
   *     now on it represents this operation. If it is null, or a rollback has made it stale, a new
   *     object is made
   * @return the request, {@code spent} if it could be used
   * @throws IllegalStateException if {@code spent} is in flight
   */
  public Request iRecv(Buf buf, int source, int tag, Request spent) {
    return messages().startReceive(buf, source, tag, spent);
  }

  /**
   * Sets up a receive to be started many times. {@code MPI_Recv_init}.
   *
   * @param buf where each message goes; must not be touched while a receive is under way
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the request; the caller closes it
   * @throws IllegalArgumentException if {@code source} is out of range, or the tag is negative and
   *     not {@code ANY_TAG}
   */
  public PersistentRequest recvInit(Buf buf, int source, int tag) {
    return messages().initReceive(buf, source, tag);
  }

  /**
   * Sends and receives at once, without the deadlock that two blocking calls would risk. {@code MPI_Sendrecv}.
   *
   * @param send the data for {@code dest}, with {@code sendTag}
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param sendTag the tag of the sent message, zero or greater
   * @param receive the buffer for the message from {@code source}; other memory than {@code send} (see {@link #sendRecvReplace})
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param receiveTag the tag of the received message, or {@link Comm#ANY_TAG}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag) {
    sendRecv(send, dest, sendTag, receive, source, receiveTag, null);
  }

  /**
   * As {@link #sendRecv(Buf, int, int, Buf, int, int)}, and returns the received message's status.
   *
   * @param send the data for {@code dest}
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param sendTag the tag of the sent message, zero or greater
   * @param receive the buffer for the received message; other memory than {@code send}
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param receiveTag the tag of the received message, or {@link Comm#ANY_TAG}
   * @param status filled if not null
   * @return {@code status}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status sendRecv(
      Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    return messages().sendRecv(send, dest, sendTag, receive, source, receiveTag, status);
  }

  /**
   * Sends a buffer and then receives into it. {@code MPI_Sendrecv_replace}.
   *
   * @param buf the data to send, which the received data replace; it has room for the longer
   *     message of the two
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param sendTag the tag of the sent message, zero or greater
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param receiveTag the tag of the received message, or {@link Comm#ANY_TAG}
   * @param status filled for the received message, if not null
   * @return {@code status}
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    return messages().sendRecvReplace(buf, dest, sendTag, source, receiveTag, status);
  }

  /**
   * Waits for a message and describes it, without receiving it. {@code MPI_Probe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return sender, tag and length of the message, which the next receive for them gets
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Status probe(int source, int tag) {
    return messages().probe(source, tag);
  }

  /**
   * Whether a message is there; does not block. {@code MPI_Iprobe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param status filled if there is a message, and if not null
   * @return whether there is one that a receive with this source and tag would get
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public boolean iProbe(int source, int tag, Status status) {
    return messages().iProbe(source, tag, status);
  }

  /**
   * Waits for a message and reserves it: no other receive can match it any more.
   * {@code MPI_Mprobe}.
   *
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @return the message; it must be received
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public Message mProbe(int source, int tag) {
    return messages().mProbe(source, tag);
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
    return messages().imProbe(source, tag);
  }
}
