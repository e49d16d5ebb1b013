// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.io.Serializable;
import java.util.List;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CallForm;
import org.kintsugi.mpi.internal.calls.CollectiveOperations;
import org.kintsugi.mpi.internal.calls.CommunicatorOperations;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.NumberOperations;
import org.kintsugi.mpi.internal.calls.SendMode;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.objects.ObjectCalls;
import org.kintsugi.mpi.internal.threads.CallingThread;

/**
 * A group of processes that can communicate with each other: {@code MPI_Comm}.
 *
 * <p>It has messages, collectives, and methods that make new communicators. Unless a method is
 * described as local, it is collective: every process of the communicator calls it. The caller
 * closes the communicators that a method returns.
 *
 * <p><b>Messages</b> go between two processes: MPI 4.1, chapter 3.
 *
 * <p><b>Collectives</b> are operations of all processes: MPI 4.1, chapter 6. Every process must call the same operation with
 * matching arguments. If a process fails, some callers may get the result and others a {@link MpiFaultException}. Passing the
 * same buffer as {@code send} and {@code receive}, or using the form with one buffer, works in place ({@code MPI_IN_PLACE}); so
 * does passing two views of the same memory. Buffers that overlap otherwise are refused. Collectives of one number return the
 * result, so no buffer is needed; all processes must call the method for the same type.
 *
 * <p><b>Nonblocking and persistent collectives</b> (chapters 6.12 and 6.13; names with {@code i} before and {@code Init} after)
 * have the parameters of the blocking methods of the same name. Every process must start them, and set them up, in the same
 * order. Buffers must not be touched before the request completes. Persistent ones are set up once and started many times; arrays
 * are read at every start.
 *
 * <p><b>Objects and strings</b> may be sent as well: serializable ones, for small data such as a
 * program's input. The type and its fields name the classes that are read, as for {@code
 * protectObject}.
 *
 * <p><b>After a failure</b>: {@link #revoke}, {@link #shrink}, {@link #agree(boolean)}, {@link
 * #failedGroup}, {@link #ackFailed()} and their like are ULFM's. They need a job started under
 * {@code mpirun --with-ft ulfm}; in another job MPI's functions would silently do nothing, so
 * these methods throw.
 */
public class Comm implements AutoCloseable {
  /** As a source: any sender. */
  public static final int ANY_SOURCE = MPI.MPI_ANY_SOURCE;

  /** As a tag of a receive: whatever the message carries. */
  public static final int ANY_TAG = MPI.MPI_ANY_TAG;

  /** As a source or destination: no process; the operation does nothing and succeeds. */
  public static final int PROC_NULL = MPI.MPI_PROC_NULL;

  /** As a color of {@link #split}: in none of the new communicators. */
  public static final int UNDEFINED = MPI.MPI_UNDEFINED;

  static {
    Access.Provided.provide(new CommInternals());
    Access.Provided.provide(new MessageInternals());
  }

  private final CommHandle state;
  private final CommunicatorOperations communicators;
  private MessageOperations messages;
  private CollectiveOperations collectives;
  private NumberOperations numbers;
  private final ObjectCalls objects;
  private Attributes attributes; // null: none

  /** Takes over a handle. */
  Comm(long handle, Scope scope, boolean predefined) {
    this(new CommHandle(handle, scope, predefined));
  }

  Comm(CommHandle state) {
    this.state = state;
    communicators = CallPaths.communicators(new CommunicatorCalls(this));
    messages = CallPaths.messages(state);
    collectives = CallPaths.collectives(new CollectiveCalls(state));
    numbers = CallPaths.numbers(new NumberCalls(state));
    objects = new ObjectCalls(this, state);
  }

  /** Its state, on which whatever carries out its calls works. */
  final CommHandle state() {
    return state;
  }

  final MessageOperations messages() {
    return messages;
  }

  final CommunicatorOperations communicators() {
    return communicators;
  }

  /** Refuses a method that exchanges objects, where collectives are stored instead of performed. */
  final void requireObjects(String method) {
    collectives.requireObjects(method);
  }

  /** From now on these objects perform the program's operations. */
  final void redirect(MessageOperations toMessages, CollectiveOperations toCollectives, NumberOperations toNumbers) {
    messages = toMessages;
    collectives = CallPaths.collectives(toCollectives);
    numbers = CallPaths.numbers(toNumbers);
  }

  /** A communicator like this one around a new handle; null for the null handle. */
  Comm adopt(long newHandle) {
    return newHandle == MPI.MPI_COMM_NULL ? null : new Comm(newHandle, state.scope(), false);
  }

  /** Gives a duplicate the attributes that are to be copied. @return the duplicate */
  final Comm withAttributes(Comm copy) {
    if (attributes != null) {
      copy.attributes = attributes.copied();
    }
    return copy;
  }

  /**
   * This process's rank in the communicator (in the local group of an intercommunicator). It stays the same when the communicator
   * is closed or its epoch has ended.
   *
   * @return from 0 on
   * @throws IllegalStateException inside the body of a Reinit run if the communicator is not of the
   *     run (as {@link Mpi#world}): a replacement has another rank there than the process that it
   *     replaces
   */
  public int rank() {
    return state.rank();
  }

  /**
   * How many processes the communicator has (the local group of an intercommunicator). It stays the same when the communicator is
   * closed or its epoch has ended.
   *
   * @return at least 1
   * @throws IllegalStateException inside the body of a Reinit run if the communicator is not of the run (as {@link Mpi#world}):
   *     its spares would be counted
   */
  public int size() {
    return state.size();
  }

  /**
   * The {@code MPI_Comm}, for the raw bindings. Communicators that are made from it there do not
   * belong to this object's scope, so a rollback does not revoke them.
   *
   * @return the handle, valid until the communicator is closed or its epoch ends
   * @throws IllegalStateException if it is closed or stale, inside the body of a Reinit run if it is not of the run (as {@link
   *     Mpi#world}), or on a thread that may not call MPI (see {@link ThreadLevel})
   */
  public long handle() {
    return state.handle();
  }

  // Communicators from this one

  /**
   * A second communicator of the same processes. {@code MPI_Comm_dup}.
   *
   * @return the caller closes it
   */
  public Comm dup() {
    return communicators.dup();
  }

  /**
   * As {@link #dup()}, with hints instead of this communicator's. {@code MPI_Comm_dup_with_info}.
   *
   * @param info the hints; stays the caller's. Null: none
   * @return the caller closes it
   */
  public Comm dup(Info info) {
    return communicators.dup(info);
  }

  /**
   * Divides the processes. {@code MPI_Comm_split}.
   *
   * @param color processes of the same color share a new communicator; {@link #UNDEFINED}: in none
   * @param key orders the ranks in the new communicator; equal keys keep the old order
   * @return the caller closes it; null for {@link #UNDEFINED}
   * @throws IllegalArgumentException if the color is negative and not {@code UNDEFINED}
   */
  public Comm split(int color, int key) {
    return communicators.split(color, key);
  }

  /**
   * Divides the processes by a property that they share. {@code MPI_Comm_split_type}.
   *
   * @param type the property; null: in none of the new communicators
   * @param key orders the ranks in the new communicator
   * @param info hints, or null; {@link SplitType#HW_GUIDED} needs {@code mpi_hw_resource_type}
   * @return the caller closes it; null where there is none
   */
  public Comm splitType(SplitType type, int key, Info info) {
    return communicators.split(type, key, info);
  }

  /**
   * Divides by node: {@link #splitType} with {@link SplitType#SHARED}.
   *
   * @param key orders the ranks in the new communicator; equal keys keep the old order
   * @return a communicator of the processes on this node; the caller closes it
   */
  public Comm splitShared(int key) {
    return splitType(SplitType.SHARED, key, null);
  }

  /**
   * The processes, as a group. Local. {@code MPI_Comm_group}.
   *
   * @return the caller closes it
   */
  public Group group() {
    return state.group();
  }

  /**
   * A communicator of a part of the processes; all call it. {@code MPI_Comm_create}.
   *
   * @param group a part of this communicator's processes; the same on all of them. It stays the caller's
   * @return null outside of the group
   */
  public Comm create(Group group) {
    return communicators.create(group);
  }

  /**
   * A communicator of a part of the processes; only those call it. {@code MPI_Comm_create_group}.
   *
   * @param group a part of this communicator's processes, this one included; the same on all of them
   * @param tag tells calls apart that are made at the same time on different threads; zero or greater
   * @return the caller closes it
   * @throws IllegalArgumentException if the tag is negative
   */
  public Comm createGroup(Group group, int tag) {
    return communicators.create(group, tag);
  }

  /**
   * A communicator whose ranks form a Cartesian grid. {@code MPI_Cart_create}.
   *
   * @param dims processes in each direction
   * @param periodic whether the grid wraps around in each direction
   * @param reorder whether ranks may change
   * @return the caller closes it; null for processes that the grid does not need
   * @throws IllegalArgumentException if the arrays differ in length, a direction has no process, or the grid needs more processes
   *     than there are
   */
  public CartComm cart(int[] dims, boolean[] periodic, boolean reorder) {
    return communicators.cart(Rejections.requireNonNull(dims, "dims"), Rejections.requireNonNull(periodic, "periodic"), reorder);
  }

  /**
   * Starts more processes. {@code MPI_Comm_spawn}.
   *
   * @param command the program; read at {@code root} only, like the other parameters
   * @param arguments its arguments
   * @param processes how many; fewer are an error
   * @param root the rank whose arguments count
   * @return the intercommunicator to them; the caller closes it
   * @throws IllegalArgumentException if the root is invalid, or {@code processes} is not positive
   */
  public Intercomm spawn(String command, String[] arguments, int processes, int root) {
    return spawn(command, arguments, processes, null, root);
  }

  /**
   * As {@link #spawn(String, String[], int, int)}, with hints.
   *
   * @param command the program; read at {@code root} only, like the other parameters
   * @param arguments its arguments
   * @param processes how many; fewer are an error
   * @param info where and how to start them ({@code host}, {@code wdir}, ...), or null; read at {@code root} only
   * @param root the rank whose arguments count
   * @return the intercommunicator to them; the caller closes it
   * @throws IllegalArgumentException if the root is invalid, or {@code processes} is not positive
   */
  public Intercomm spawn(String command, String[] arguments, int processes, Info info, int root) {
    return communicators.spawn(command, arguments, processes, info, root);
  }

  /**
   * Joins two groups of processes into an intercommunicator. {@code MPI_Intercomm_create}.
   *
   * <p>If a process fails, other processes may wait, in particular those of the other group. A
   * Reinit run ends that wait. Elsewhere each process that gets the exception must {@link
   * #revoke} this communicator, and a leader {@code peer} as well.
   *
   * @param localLeader a rank of this communicator
   * @param peer a communicator of either kind that both leaders have; read on the leaders only, null elsewhere if need be
   * @param remoteLeader the other group's leader, as a rank that can be sent to on {@code peer}; read on the leaders only
   * @param tag of the leaders' messages on {@code peer}; the same on both sides, and used by no other message meanwhile
   * @return the intercommunicator to the other group; the caller closes it
   * @throws IllegalArgumentException if the local leader or its arguments are invalid
   * @throws NullPointerException on a leader without {@code peer}
   */
  public Intercomm intercomm(int localLeader, Comm peer, int remoteLeader, int tag) {
    return communicators.intercomm(localLeader, peer, remoteLeader, tag);
  }

  // Messages

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
    messages.send(SendMode.STANDARD, buf, dest, tag);
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
    return messages.startSend(SendMode.STANDARD, buf, dest, tag, null);
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
    return messages.startSend(SendMode.STANDARD, buf, dest, tag, spent);
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
    return messages.initSend(SendMode.STANDARD, buf, dest, tag);
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
    messages.send(SendMode.SYNCHRONOUS, buf, dest, tag);
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
    return messages.startSend(SendMode.SYNCHRONOUS, buf, dest, tag, null);
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
    return messages.initSend(SendMode.SYNCHRONOUS, buf, dest, tag);
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
    messages.send(SendMode.BUFFERED, buf, dest, tag);
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
    return messages.startSend(SendMode.BUFFERED, buf, dest, tag, null);
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
    return messages.initSend(SendMode.BUFFERED, buf, dest, tag);
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
    messages.send(SendMode.READY, buf, dest, tag);
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
    return messages.startSend(SendMode.READY, buf, dest, tag, null);
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
    return messages.initSend(SendMode.READY, buf, dest, tag);
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
    return messages.recv(buf, source, tag, status);
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
    return messages.startReceive(buf, source, tag, null);
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
    return messages.startReceive(buf, source, tag, spent);
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
    return messages.initReceive(buf, source, tag);
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
    return messages.sendRecv(send, dest, sendTag, receive, source, receiveTag, status);
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
    return messages.sendRecvReplace(buf, dest, sendTag, source, receiveTag, status);
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
    return messages.probe(source, tag);
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
    return messages.iProbe(source, tag, status);
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
    return messages.mProbe(source, tag);
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
    return messages.imProbe(source, tag);
  }

  // Collectives

  /**
   * Waits until all processes have called it. {@code MPI_Barrier}.
   *
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void barrier() {
    collectives.barrier(CallForm.BLOCKING);
  }

  /**
   * Sends the root's buffer to all. {@code MPI_Bcast}.
   *
   * @param buf what the root sends and the others receive; the same count and datatype everywhere
   * @param root the sender's rank
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void bcast(Buf buf, int root) {
    collectives.bcast(CallForm.BLOCKING, buf, root);
  }

  /**
   * Combines every process's buffer element by element; the root gets the result. {@code MPI_Reduce}.
   *
   * @param send this process's contribution
   * @param receive where the root gets the result; may be null elsewhere
   * @param op the operation
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid,
   *     or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduce(Buf send, Buf receive, Op op, int root) {
    collectives.reduce(CallForm.BLOCKING, send, receive, op, root);
  }

  /**
   * {@link #reduce(Buf, Buf, Op, int)} in place: at the root, where {@code buf} is contribution and result.
   *
   * @param buf this process's contribution; at the root the result takes its place
   * @param op the operation
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the root is invalid, or the operation is for elements of
   *     another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduce(Buf buf, Op op, int root) {
    reduce(buf, buf, op, root);
  }

  /**
   * Combines every process's buffer element by element; all get the result. {@code MPI_Allreduce}.
   *
   * @param send this process's contribution
   * @param receive the result, of the same length and datatype
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allReduce(Buf send, Buf receive, Op op) {
    collectives.allReduce(CallForm.BLOCKING, send, receive, op);
  }

  /**
   * {@link #allReduce(Buf, Buf, Op)} in place: the result replaces the contribution.
   *
   * @param buf this process's contribution, which the result replaces
   * @param op the operation
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allReduce(Buf buf, Op op) {
    allReduce(buf, buf, op);
  }

  /**
   * Combines the buffers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param send this process's contribution
   * @param receive the result
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scan(Buf send, Buf receive, Op op) {
    collectives.scan(CallForm.BLOCKING, send, receive, op);
  }

  /**
   * {@link #scan(Buf, Buf, Op)} in place: the result replaces the contribution.
   *
   * @param buf this process's contribution, which the result replaces
   * @param op the operation
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scan(Buf buf, Op op) {
    scan(buf, buf, op);
  }

  /**
   * Combines the buffers of the ranks before this one; rank 0's result is undefined. {@code MPI_Exscan}.
   *
   * @param send this process's contribution
   * @param receive the result
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void exScan(Buf send, Buf receive, Op op) {
    collectives.exScan(CallForm.BLOCKING, send, receive, op);
  }

  /**
   * {@link #exScan(Buf, Buf, Op)} in place: the result replaces the contribution.
   *
   * @param buf this process's contribution, which the result replaces; undefined on rank 0
   * @param op the operation
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void exScan(Buf buf, Op op) {
    exScan(buf, buf, op);
  }

  /**
   * Combines every process's buffer, and rank i gets the i-th part of the result. {@code MPI_Reduce_scatter_block}.
   *
   * @param send as many parts as there are ranks
   * @param receive one part
   * @param op the operation
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatterBlock(Buf send, Buf receive, Op op) {
    collectives.reduceScatterBlock(CallForm.BLOCKING, send, receive, op);
  }

  /**
   * {@link #reduceScatterBlock(Buf, Buf, Op)} in place: the result takes the first part's place.
   *
   * @param buf as many parts as there are ranks; the result takes the place of the first
   * @param op the operation
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it, or the operation is for elements
   *     of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatterBlock(Buf buf, Op op) {
    reduceScatterBlock(buf, buf, op);
  }

  /**
   * Combines every process's buffer, and rank i gets {@code counts[i]} elements of the result. {@code MPI_Reduce_scatter}.
   *
   * @param send as many elements as all counts together
   * @param receive this process's part
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    collectives.reduceScatter(CallForm.BLOCKING, send, receive, counts, op);
  }

  /**
   * {@link #reduceScatter(Buf, Buf, int[], Op)} in place: the result replaces the buffer's
   * beginning.
   *
   * @param buf as many elements as all counts together; the result replaces its beginning
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void reduceScatter(Buf buf, int[] counts, Op op) {
    reduceScatter(buf, buf, counts, op);
  }

  /**
   * Gathers the buffers of all processes at the root, in the order of ranks. {@code MPI_Gather}.
   *
   * @param send this process's part
   * @param receive at the root: as many parts as there are ranks; may be null elsewhere
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gather(Buf send, Buf receive, int root) {
    collectives.gather(CallForm.BLOCKING, send, receive, root);
  }

  /**
   * {@link #gather(Buf, Buf, int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, with the root's own part in place; elsewhere the part
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gather(Buf buf, int root) {
    gather(buf, buf, root);
  }

  /**
   * Distributes the root's buffer in equal parts, in the order of ranks. {@code MPI_Scatter}.
   *
   * @param send at the root: as many parts as there are ranks; may be null elsewhere
   * @param receive this process's part
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatter(Buf send, Buf receive, int root) {
    collectives.scatter(CallForm.BLOCKING, send, receive, root);
  }

  /**
   * {@link #scatter(Buf, Buf, int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatter(Buf buf, int root) {
    scatter(buf, buf, root);
  }

  /**
   * Gathers the buffers of all processes at each of them, in the order of ranks.
   * {@code MPI_Allgather}.
   *
   * @param send this process's part
   * @param receive as many parts as there are ranks; between two groups see {@link Intercomm}
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGather(Buf send, Buf receive) {
    collectives.allGather(CallForm.BLOCKING, send, receive);
  }

  /**
   * {@link #allGather(Buf, Buf)} in place: this process's part is already at its place.
   *
   * @param buf as many parts as there are ranks, which already contains this process's own part
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGather(Buf buf) {
    allGather(buf, buf);
  }

  /**
   * Sends the i-th part of each process's buffer to rank i. {@code MPI_Alltoall}.
   *
   * @param send as many parts as there are ranks
   * @param receive as many parts as there are ranks; between two groups see {@link Intercomm}
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAll(Buf send, Buf receive) {
    collectives.allToAll(CallForm.BLOCKING, send, receive);
  }

  /**
   * {@link #allToAll(Buf, Buf)} in place: the received parts replace the sent ones.
   *
   * @param buf as many parts as there are ranks: part i goes to rank i, and is replaced by the part from rank i
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAll(Buf buf) {
    allToAll(buf, buf);
  }

  /**
   * As {@link #gather}, with parts of different lengths. {@code MPI_Gatherv}.
   *
   * @param send this process's part
   * @param receive at the root: room for all parts; may be null elsewhere
   * @param counts at the root: elements from each rank; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    collectives.gatherV(CallForm.BLOCKING, send, receive, counts, displacements, root);
  }

  /**
   * {@link #gatherV(Buf, Buf, int[], int[], int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, with the root's own part in place; elsewhere the part
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void gatherV(Buf buf, int[] counts, int[] displacements, int root) {
    gatherV(buf, buf, counts, displacements, root);
  }

  /**
   * As {@link #scatter}, with parts of different lengths. {@code MPI_Scatterv}.
   *
   * @param send at the root: all parts; may be null elsewhere
   * @param counts at the root: elements for each rank; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param receive this process's part
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    collectives.scatterV(CallForm.BLOCKING, send, counts, displacements, receive, root);
  }

  /**
   * {@link #scatterV(Buf, int[], int[], Buf, int)} in place. The root has the whole, others a part.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param root the sender's rank
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void scatterV(Buf buf, int[] counts, int[] displacements, int root) {
    scatterV(buf, counts, displacements, buf, root);
  }

  /**
   * As {@link #allGather}, with parts of different lengths. {@code MPI_Allgatherv}.
   *
   * @param send this process's part
   * @param receive room for all parts
   * @param counts elements from each rank
   * @param displacements where each part goes, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    collectives.allGatherV(CallForm.BLOCKING, send, receive, counts, displacements);
  }

  /**
   * {@link #allGatherV(Buf, Buf, int[], int[])} in place: this process's part is already at its
   * place.
   *
   * @param buf room for all parts, which already contains this process's own part
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allGatherV(Buf buf, int[] counts, int[] displacements) {
    allGatherV(buf, buf, counts, displacements);
  }

  /**
   * As {@link #allToAll}, with parts of different lengths. {@code MPI_Alltoallv}.
   *
   * @param send all parts to send
   * @param sendCounts elements for each rank
   * @param sendDisplacements where each part starts, in elements
   * @param receive room for all parts
   * @param receiveCounts elements from each rank
   * @param receiveDisplacements where each part goes, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    collectives.allToAllV(CallForm.BLOCKING, send, sendCounts, sendDisplacements, receive, receiveCounts,
        receiveDisplacements);
  }

  /**
   * {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])} in place: the received parts replace the sent ones.
   *
   * @param buf all parts; the part for a rank is replaced by the part from it
   * @param counts elements for and from each rank
   * @param displacements where each part starts, in elements
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAllV(Buf buf, int[] counts, int[] displacements) {
    allToAllV(buf, counts, displacements, buf, counts, displacements);
  }

  /**
   * As {@link #allToAllV}, with a datatype of its own for every part. {@code MPI_Alltoallw}.
   *
   * @param send all parts to send
   * @param sendParts what goes to each rank
   * @param receive room for all parts; other memory than {@code send}
   * @param receiveParts what comes from each rank
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void allToAllW(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    collectives.allToAllW(CallForm.BLOCKING, send, sendParts, receive, receiveParts);
  }

  // Collectives of one number

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int bcast(int value, int root) {
    return (int) numbers.bcast(Datatype.INT, value, root);
  }

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long bcast(long value, int root) {
    return numbers.bcast(Datatype.LONG, value, root);
  }

  /**
   * Sends the root's number to all. {@code MPI_Bcast}.
   *
   * @param value the number; what the other processes pass does not matter
   * @param root the sender's rank; {@link Intercomm#ROOT} and its like between two groups
   * @return the root's number, on every process
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double bcast(double value, int root) {
    return Double.longBitsToDouble(numbers.bcast(Datatype.DOUBLE, Double.doubleToRawLongBits(value), root));
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around: use
   *     {@code long} values for it
   * @param op the operation
   * @return the result, the same on every process
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int allReduce(int value, Op op) {
    return (int) numbers.allReduce(Datatype.INT, value, op);
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result, the same on every process
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long allReduce(long value, Op op) {
    return numbers.allReduce(Datatype.LONG, value, op);
  }

  /**
   * Combines one number of every process; all get the result. {@code MPI_Allreduce}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result, the same on every process
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double allReduce(double value, Op op) {
    return Double.longBitsToDouble(numbers.allReduce(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op));
  }

  /**
   * Combines the numbers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around: use
   *     {@code long} values for it
   * @param op the operation
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int scan(int value, Op op) {
    return (int) numbers.scan(Datatype.INT, value, op);
  }

  /**
   * Combines the numbers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long scan(long value, Op op) {
    return numbers.scan(Datatype.LONG, value, op);
  }

  /**
   * Combines the numbers of ranks 0 to this one, inclusive. {@code MPI_Scan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double scan(double value, Op op) {
    return Double.longBitsToDouble(numbers.scan(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op));
  }

  /**
   * Combines the numbers of the ranks before this one, as for the place where this rank's elements begin. {@code MPI_Exscan}.
   *
   * @param value this process's contribution; a sum that does not fit 32 bits wraps around: use
   *     {@code long} values for it
   * @param op the operation
   * @param first the result for rank 0, which has no ranks before it: 0 for a sum. It is not
   *     combined with other values
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public int exScan(int value, Op op, int first) {
    return (int) numbers.exScan(Datatype.INT, value, op, first);
  }

  /**
   * Combines the numbers of the ranks before this one, as for the place where this rank's elements begin. {@code MPI_Exscan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @param first the result for rank 0, which has no ranks before it: 0 for a sum. It is not
   *     combined with other values
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public long exScan(long value, Op op, long first) {
    return numbers.exScan(Datatype.LONG, value, op, first);
  }

  /**
   * Combines the numbers of the ranks before this one, as for the place where this rank's elements begin. {@code MPI_Exscan}.
   *
   * @param value this process's contribution
   * @param op the operation
   * @param first the result for rank 0, which has no ranks before it: 0 for a sum. It is not
   *     combined with other values
   * @return the result for this rank
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public double exScan(double value, Op op, double first) {
    return Double
        .longBitsToDouble(
            numbers.exScan(Datatype.DOUBLE, Double.doubleToRawLongBits(value), op, Double.doubleToRawLongBits(first)));
  }

  // Nonblocking collectives

  /**
   * Starts a {@link #barrier}. {@code MPI_Ibarrier}.
   *
   * @return the request, to be waited for or tested until it completes
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iBarrier() {
    return collectives.barrier(CallForm.NONBLOCKING);
  }

  /**
   * Starts a {@link #bcast(Buf, int)}. {@code MPI_Ibcast}.
   *
   * @param buf what the root sends and the others receive; the same number of elements everywhere;
   *     not to be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iBcast(Buf buf, int root) {
    return collectives.bcast(CallForm.NONBLOCKING, buf, root);
  }

  /**
   * Starts a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Ireduce}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive where the root gets the result; may be null elsewhere; not to be touched before the request completes
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid,
   *     or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduce(Buf send, Buf receive, Op op, int root) {
    return collectives.reduce(CallForm.NONBLOCKING, send, receive, op, root);
  }

  /**
   * Starts a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Ireduce}.
   *
   * @param buf this process's contribution; at the root the result takes its place; not to be touched before the request
   *     completes
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the root is invalid, or the operation is for elements of
   *     another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduce(Buf buf, Op op, int root) {
    return iReduce(buf, buf, op, root);
  }

  /**
   * Starts an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Iallreduce}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive the result, of the same length and layout; not to be touched before the request
   *     completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllReduce(Buf send, Buf receive, Op op) {
    return collectives.allReduce(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Iallreduce}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched before the
   *     request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllReduce(Buf buf, Op op) {
    return iAllReduce(buf, buf, op);
  }

  /**
   * Starts a {@link #scan(Buf, Buf, Op)}. {@code MPI_Iscan}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive the result of ranks 0 to this one; not to be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScan(Buf send, Buf receive, Op op) {
    return collectives.scan(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts a {@link #scan(Buf, Op)}, in place. {@code MPI_Iscan}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched before the
   *     request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScan(Buf buf, Op op) {
    return iScan(buf, buf, op);
  }

  /**
   * Starts an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Iexscan}.
   *
   * @param send this process's contribution; not to be changed before the request completes
   * @param receive the result of the ranks before this one; on rank 0 undefined; not to be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iExScan(Buf send, Buf receive, Op op) {
    return collectives.exScan(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts an {@link #exScan(Buf, Op)}, in place. {@code MPI_Iexscan}.
   *
   * @param buf this process's contribution, which the result replaces; undefined on rank 0; not to
   *     be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iExScan(Buf buf, Op op) {
    return iExScan(buf, buf, op);
  }

  /**
   * Starts a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Ireduce_scatter_block}.
   *
   * @param send as many parts as there are ranks; not to be changed before the request completes
   * @param receive one part: this rank's of the result; not to be touched before the request completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatterBlock(Buf send, Buf receive, Op op) {
    return collectives.reduceScatterBlock(CallForm.NONBLOCKING, send, receive, op);
  }

  /**
   * Starts a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Ireduce_scatter_block}.
   *
   * @param buf as many parts as there are ranks; the result takes the place of the first; not to be touched before the request
   *     completes
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it, or the operation is for elements
   *     of another type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatterBlock(Buf buf, Op op) {
    return iReduceScatterBlock(buf, buf, op);
  }

  /**
   * Starts a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Ireduce_scatter}.
   *
   * @param send as many elements as all counts together; not to be changed before the request completes
   * @param receive this rank's part of the result, {@code counts[rank]} elements; not to be touched before the request completes
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatter(Buf send, Buf receive, int[] counts, Op op) {
    return collectives.reduceScatter(CallForm.NONBLOCKING, send, receive, counts, op);
  }

  /**
   * Starts a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Ireduce_scatter}.
   *
   * @param buf as many elements as all counts together; the result replaces its beginning; not to
   *     be touched before the request completes
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iReduceScatter(Buf buf, int[] counts, Op op) {
    return iReduceScatter(buf, buf, counts, op);
  }

  /**
   * Starts a {@link #gather(Buf, Buf, int)}. {@code MPI_Igather}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive at the root: as many parts as there are ranks, in their order; may be null elsewhere; not to be touched
   *     before the request completes
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGather(Buf send, Buf receive, int root) {
    return collectives.gather(CallForm.NONBLOCKING, send, receive, root);
  }

  /**
   * Starts a {@link #gather(Buf, int)}, in place. {@code MPI_Igather}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched before the request completes
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGather(Buf buf, int root) {
    return iGather(buf, buf, root);
  }

  /**
   * Starts a {@link #scatter(Buf, Buf, int)}. {@code MPI_Iscatter}.
   *
   * @param send at the root: as many parts as there are ranks, in their order; may be null elsewhere; not to be changed before
   *     the request completes
   * @param receive this process's part; not to be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatter(Buf send, Buf receive, int root) {
    return collectives.scatter(CallForm.NONBLOCKING, send, receive, root);
  }

  /**
   * Starts a {@link #scatter(Buf, int)}, in place. {@code MPI_Iscatter}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatter(Buf buf, int root) {
    return iScatter(buf, buf, root);
  }

  /**
   * Starts an {@link #allGather(Buf, Buf)}. {@code MPI_Iallgather}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive as many parts as there are ranks, in their order; not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGather(Buf send, Buf receive) {
    return collectives.allGather(CallForm.NONBLOCKING, send, receive);
  }

  /**
   * Starts an {@link #allGather(Buf)}, in place. {@code MPI_Iallgather}.
   *
   * @param buf as many parts as there are ranks, which already contains this process's own part;
   *     not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGather(Buf buf) {
    return iAllGather(buf, buf);
  }

  /**
   * Starts an {@link #allToAll(Buf, Buf)}. {@code MPI_Ialltoall}.
   *
   * @param send as many parts as there are ranks: part i goes to rank i; not to be changed before the request completes
   * @param receive as many parts as there are ranks: part i comes from rank i; not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAll(Buf send, Buf receive) {
    return collectives.allToAll(CallForm.NONBLOCKING, send, receive);
  }

  /**
   * Starts an {@link #allToAll(Buf)}, in place. {@code MPI_Ialltoall}.
   *
   * @param buf as many parts as there are ranks: part i goes to rank i, and is replaced by the part
   *     from rank i; not to be touched before the request completes
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAll(Buf buf) {
    return iAllToAll(buf, buf);
  }

  /**
   * Starts a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Igatherv}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive at the root: room for all parts; may be null elsewhere; not to be touched before the request completes
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGatherV(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return collectives.gatherV(CallForm.NONBLOCKING, send, receive, counts, displacements, root);
  }

  /**
   * Starts a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Igatherv}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched before the request completes
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iGatherV(Buf buf, int[] counts, int[] displacements, int root) {
    return iGatherV(buf, buf, counts, displacements, root);
  }

  /**
   * Starts a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Iscatterv}.
   *
   * @param send at the root: all parts; may be null elsewhere; not to be changed before the request completes
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param receive this process's part; not to be touched before the request completes
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatterV(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return collectives.scatterV(CallForm.NONBLOCKING, send, counts, displacements, receive, root);
  }

  /**
   * Starts a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Iscatterv}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched before the request completes
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param root the sender's rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iScatterV(Buf buf, int[] counts, int[] displacements, int root) {
    return iScatterV(buf, counts, displacements, buf, root);
  }

  /**
   * Starts an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Iallgatherv}.
   *
   * @param send this process's part; not to be changed before the request completes
   * @param receive room for all parts; not to be touched before the request completes
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGatherV(Buf send, Buf receive, int[] counts, int[] displacements) {
    return collectives.allGatherV(CallForm.NONBLOCKING, send, receive, counts, displacements);
  }

  /**
   * Starts an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Iallgatherv}.
   *
   * @param buf room for all parts, which already contains this process's own part; not to be
   *     touched before the request completes
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllGatherV(Buf buf, int[] counts, int[] displacements) {
    return iAllGatherV(buf, buf, counts, displacements);
  }

  /**
   * Starts an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Ialltoallv}.
   *
   * @param send all parts to send; not to be changed before the request completes
   * @param sendCounts elements for each rank
   * @param sendDisplacements where each part starts, in elements
   * @param receive room for all parts; not to be touched before the request completes
   * @param receiveCounts elements from each rank
   * @param receiveDisplacements where each part goes, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAllV(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return collectives.allToAllV(CallForm.NONBLOCKING, send, sendCounts, sendDisplacements, receive, receiveCounts,
        receiveDisplacements);
  }

  /**
   * Starts an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Ialltoallv}.
   *
   * @param buf all parts; what comes from a rank takes the place of what goes there; not to be touched before the request
   *     completes
   * @param counts elements for and from each rank
   * @param displacements where each part starts, in elements
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAllV(Buf buf, int[] counts, int[] displacements) {
    return iAllToAllV(buf, counts, displacements, buf, counts, displacements);
  }

  /**
   * Starts an {@link #allToAllW(Buf, TypedParts, Buf, TypedParts)}. {@code MPI_Ialltoallw}.
   *
   * @param send all parts to send; not to be changed before the request completes
   * @param sendParts what goes to each rank
   * @param receive room for all parts; other memory than {@code send}; not to be touched before the request completes
   * @param receiveParts what comes from each rank
   * @return the request, to be waited for or tested until it completes
   * @throws IllegalArgumentException if the buffers do not fit each other
   * @throws MpiFaultException if a failure is known already; the request throws later ones
   */
  public Request iAllToAllW(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    return collectives.allToAllW(CallForm.NONBLOCKING, send, sendParts, receive, receiveParts);
  }

  // Persistent collectives

  /**
   * Sets up a {@link #barrier}. {@code MPI_Barrier_init}.
   *
   * @return the request, not started yet; the caller closes it
   */
  public PersistentRequest barrierInit() {
    return (PersistentRequest) collectives.barrier(CallForm.PERSISTENT);
  }

  /**
   * Sets up a {@link #bcast(Buf, int)}. {@code MPI_Bcast_init}.
   *
   * @param buf what the root sends and the others receive; the same number of elements everywhere;
   *     not to be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the root is invalid
   */
  public PersistentRequest bcastInit(Buf buf, int root) {
    return (PersistentRequest) collectives.bcast(CallForm.PERSISTENT, buf, root);
  }

  /**
   * Sets up a {@link #reduce(Buf, Buf, Op, int)}. {@code MPI_Reduce_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive where the root gets the result; may be null elsewhere; not to be touched while one is under way
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid,
   *     or the operation is for elements of another type
   */
  public PersistentRequest reduceInit(Buf send, Buf receive, Op op, int root) {
    return (PersistentRequest) collectives.reduce(CallForm.PERSISTENT, send, receive, op, root);
  }

  /**
   * Sets up a {@link #reduce(Buf, Op, int)}, in place. {@code MPI_Reduce_init}.
   *
   * @param buf this process's contribution; at the root the result takes its place; not to be touched while one is under way
   * @param op the operation
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the root is invalid, or the operation is for elements of
   *     another type
   */
  public PersistentRequest reduceInit(Buf buf, Op op, int root) {
    return reduceInit(buf, buf, op, root);
  }

  /**
   * Sets up an {@link #allReduce(Buf, Buf, Op)}. {@code MPI_Allreduce_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive the result, of the same length and layout; not to be touched while one is under
   *     way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest allReduceInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives.allReduce(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up an {@link #allReduce(Buf, Op)}, in place. {@code MPI_Allreduce_init}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched while one
   *     is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the operation is for elements of another type
   */
  public PersistentRequest allReduceInit(Buf buf, Op op) {
    return allReduceInit(buf, buf, op);
  }

  /**
   * Sets up a {@link #scan(Buf, Buf, Op)}. {@code MPI_Scan_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive the result of ranks 0 to this one; not to be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest scanInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives.scan(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up a {@link #scan(Buf, Op)}, in place. {@code MPI_Scan_init}.
   *
   * @param buf this process's contribution, which the result replaces; not to be touched while one
   *     is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the operation is for elements of another type
   */
  public PersistentRequest scanInit(Buf buf, Op op) {
    return scanInit(buf, buf, op);
  }

  /**
   * Sets up an {@link #exScan(Buf, Buf, Op)}. {@code MPI_Exscan_init}.
   *
   * @param send this process's contribution; its contents count at every start
   * @param receive the result of the ranks before this one; on rank 0 undefined; not to be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest exScanInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives.exScan(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up an {@link #exScan(Buf, Op)}, in place. {@code MPI_Exscan_init}.
   *
   * @param buf this process's contribution, which the result replaces; undefined on rank 0; not to
   *     be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the operation is for elements of another type
   */
  public PersistentRequest exScanInit(Buf buf, Op op) {
    return exScanInit(buf, buf, op);
  }

  /**
   * Sets up a {@link #reduceScatterBlock(Buf, Buf, Op)}. {@code MPI_Reduce_scatter_block_init}.
   *
   * @param send as many parts as there are ranks; its contents count at every start
   * @param receive one part: this rank's of the result; not to be touched while one is under way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the operation is for elements of another type
   */
  public PersistentRequest reduceScatterBlockInit(Buf send, Buf receive, Op op) {
    return (PersistentRequest) collectives.reduceScatterBlock(CallForm.PERSISTENT, send, receive, op);
  }

  /**
   * Sets up a {@link #reduceScatterBlock(Buf, Op)}, in place. {@code MPI_Reduce_scatter_block_init}.
   *
   * @param buf as many parts as there are ranks; the result takes the place of the first; not to be touched while one is under
   *     way
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it, or the operation is for elements
   *     of another type
   */
  public PersistentRequest reduceScatterBlockInit(Buf buf, Op op) {
    return reduceScatterBlockInit(buf, buf, op);
  }

  /**
   * Sets up a {@link #reduceScatter(Buf, Buf, int[], Op)}. {@code MPI_Reduce_scatter_init}.
   *
   * @param send as many elements as all counts together; its contents count at every start
   * @param receive this rank's part of the result, {@code counts[rank]} elements; not to be touched while one is under way
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   */
  public PersistentRequest reduceScatterInit(Buf send, Buf receive, int[] counts, Op op) {
    return (PersistentRequest) collectives.reduceScatter(CallForm.PERSISTENT, send, receive, counts, op);
  }

  /**
   * Sets up a {@link #reduceScatter(Buf, int[], Op)}, in place. {@code MPI_Reduce_scatter_init}.
   *
   * @param buf as many elements as all counts together; the result replaces its beginning; not to
   *     be touched while one is under way
   * @param counts elements for each rank, the same everywhere
   * @param op the operation
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other, or the operation is for elements of another
   *     type
   */
  public PersistentRequest reduceScatterInit(Buf buf, int[] counts, Op op) {
    return reduceScatterInit(buf, buf, counts, op);
  }

  /**
   * Sets up a {@link #gather(Buf, Buf, int)}. {@code MPI_Gather_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive at the root: as many parts as there are ranks, in their order; may be null elsewhere; not to be touched while
   *     one is under way
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   */
  public PersistentRequest gatherInit(Buf send, Buf receive, int root) {
    return (PersistentRequest) collectives.gather(CallForm.PERSISTENT, send, receive, root);
  }

  /**
   * Sets up a {@link #gather(Buf, int)}, in place. {@code MPI_Gather_init}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched while one is under way
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   */
  public PersistentRequest gatherInit(Buf buf, int root) {
    return gatherInit(buf, buf, root);
  }

  /**
   * Sets up a {@link #scatter(Buf, Buf, int)}. {@code MPI_Scatter_init}.
   *
   * @param send at the root: as many parts as there are ranks, in their order; may be null elsewhere; its contents count at
   *     every start
   * @param receive this process's part; not to be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other, or the root is invalid
   */
  public PersistentRequest scatterInit(Buf send, Buf receive, int root) {
    return (PersistentRequest) collectives.scatter(CallForm.PERSISTENT, send, receive, root);
  }

  /**
   * Sets up a {@link #scatter(Buf, int)}, in place. {@code MPI_Scatter_init}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided, or the root is invalid
   */
  public PersistentRequest scatterInit(Buf buf, int root) {
    return scatterInit(buf, buf, root);
  }

  /**
   * Sets up an {@link #allGather(Buf, Buf)}. {@code MPI_Allgather_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive as many parts as there are ranks, in their order; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other
   */
  public PersistentRequest allGatherInit(Buf send, Buf receive) {
    return (PersistentRequest) collectives.allGather(CallForm.PERSISTENT, send, receive);
  }

  /**
   * Sets up an {@link #allGather(Buf)}, in place. {@code MPI_Allgather_init}.
   *
   * @param buf as many parts as there are ranks, which already contains this process's own part;
   *     not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   */
  public PersistentRequest allGatherInit(Buf buf) {
    return allGatherInit(buf, buf);
  }

  /**
   * Sets up an {@link #allToAll(Buf, Buf)}. {@code MPI_Alltoall_init}.
   *
   * @param send as many parts as there are ranks: part i goes to rank i; its contents count at every start
   * @param receive as many parts as there are ranks: part i comes from rank i; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other
   */
  public PersistentRequest allToAllInit(Buf send, Buf receive) {
    return (PersistentRequest) collectives.allToAll(CallForm.PERSISTENT, send, receive);
  }

  /**
   * Sets up an {@link #allToAll(Buf)}, in place. {@code MPI_Alltoall_init}.
   *
   * @param buf as many parts as there are ranks: part i goes to rank i, and is replaced by the part
   *     from rank i; not to be touched while one is under way
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffer cannot be divided as the operation needs it
   */
  public PersistentRequest allToAllInit(Buf buf) {
    return allToAllInit(buf, buf);
  }

  /**
   * Sets up a {@link #gatherV(Buf, Buf, int[], int[], int)}. {@code MPI_Gatherv_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive at the root: room for all parts; may be null elsewhere; not to be touched while one is under way
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest gatherVInit(Buf send, Buf receive, int[] counts, int[] displacements, int root) {
    return (PersistentRequest) collectives.gatherV(CallForm.PERSISTENT, send, receive, counts, displacements, root);
  }

  /**
   * Sets up a {@link #gatherV(Buf, int[], int[], int)}, in place. {@code MPI_Gatherv_init}.
   *
   * @param buf at the root the whole, which already contains the root's own part; elsewhere the
   *     part; not to be touched while one is under way
   * @param counts at the root: elements from each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part goes, in elements; may be null elsewhere
   * @param root the receiver's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest gatherVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return gatherVInit(buf, buf, counts, displacements, root);
  }

  /**
   * Sets up a {@link #scatterV(Buf, int[], int[], Buf, int)}. {@code MPI_Scatterv_init}.
   *
   * @param send at the root: all parts; may be null elsewhere; its contents count at every start
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param receive this process's part; not to be touched while one is under way
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest scatterVInit(Buf send, int[] counts, int[] displacements, Buf receive, int root) {
    return (PersistentRequest) collectives.scatterV(CallForm.PERSISTENT, send, counts, displacements, receive, root);
  }

  /**
   * Sets up a {@link #scatterV(Buf, int[], int[], int)}, in place. {@code MPI_Scatterv_init}.
   *
   * @param buf at the root the whole, where the root's own part stays; elsewhere the part; not to
   *     be touched while one is under way
   * @param counts at the root: elements for each rank, of the whole's datatype; may be null elsewhere
   * @param displacements at the root: where each part starts, in elements; may be null elsewhere
   * @param root the sender's rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit, or the root is invalid
   */
  public PersistentRequest scatterVInit(Buf buf, int[] counts, int[] displacements, int root) {
    return scatterVInit(buf, counts, displacements, buf, root);
  }

  /**
   * Sets up an {@link #allGatherV(Buf, Buf, int[], int[])}. {@code MPI_Allgatherv_init}.
   *
   * @param send this process's part; its contents count at every start
   * @param receive room for all parts; not to be touched while one is under way
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allGatherVInit(Buf send, Buf receive, int[] counts, int[] displacements) {
    return (PersistentRequest) collectives.allGatherV(CallForm.PERSISTENT, send, receive, counts, displacements);
  }

  /**
   * Sets up an {@link #allGatherV(Buf, int[], int[])}, in place. {@code MPI_Allgatherv_init}.
   *
   * @param buf room for all parts, which already contains this process's own part; not to be
   *     touched while one is under way
   * @param counts elements from each rank, of the whole's datatype
   * @param displacements where each part goes, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allGatherVInit(Buf buf, int[] counts, int[] displacements) {
    return allGatherVInit(buf, buf, counts, displacements);
  }

  /**
   * Sets up an {@link #allToAllV(Buf, int[], int[], Buf, int[], int[])}. {@code MPI_Alltoallv_init}.
   *
   * @param send all parts to send; its contents count at every start
   * @param sendCounts elements for each rank
   * @param sendDisplacements where each part starts, in elements
   * @param receive room for all parts; not to be touched while one is under way
   * @param receiveCounts elements from each rank
   * @param receiveDisplacements where each part goes, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allToAllVInit(Buf send, int[] sendCounts, int[] sendDisplacements, Buf receive, int[] receiveCounts,
      int[] receiveDisplacements) {
    return (PersistentRequest) collectives.allToAllV(CallForm.PERSISTENT, send, sendCounts, sendDisplacements, receive,
        receiveCounts,
        receiveDisplacements);
  }

  /**
   * Sets up an {@link #allToAllV(Buf, int[], int[])}, in place. {@code MPI_Alltoallv_init}.
   *
   * @param buf all parts; the part for a rank is replaced by the part from it; not to be touched
   *     while one is under way
   * @param counts elements for and from each rank
   * @param displacements where each part starts, in elements
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers or counts do not fit each other
   */
  public PersistentRequest allToAllVInit(Buf buf, int[] counts, int[] displacements) {
    return allToAllVInit(buf, counts, displacements, buf, counts, displacements);
  }

  /**
   * Sets up an {@link #allToAllW(Buf, TypedParts, Buf, TypedParts)}. {@code MPI_Alltoallw_init}.
   *
   * @param send all parts to send; its contents count at every start
   * @param sendParts what goes to each rank
   * @param receive room for all parts; other memory than {@code send}; not to be touched while one is under way
   * @param receiveParts what comes from each rank
   * @return the request, not started yet; the caller closes it
   * @throws IllegalArgumentException if the buffers do not fit each other
   */
  public PersistentRequest allToAllWInit(Buf send, TypedParts sendParts, Buf receive, TypedParts receiveParts) {
    return (PersistentRequest) collectives.allToAllW(CallForm.PERSISTENT, send, sendParts, receive, receiveParts);
  }

  // Objects and strings

  /**
   * Sends the root's string to all: see {@link #bcastObject}.
   *
   * @param value the string, which may be null; what the other processes pass does not matter
   * @param root the sender's rank
   * @return the root's string, on every process
   * @throws IllegalArgumentException if the root is invalid
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public String bcast(String value, int root) {
    return bcastObject(String.class, value, root);
  }

  /**
   * Sends the root's object to all, serialized: two broadcasts. Collective, blocking. {@code MPI_Bcast}.
   *
   * @param <T> the type of the object
   * @param type the object is of it; with the types of its fields it names the classes that may be read
   * @param value the object, which may be null; what the other processes pass does not matter
   * @param root the sender's rank
   * @param others further classes that the object may hold, the same on all processes
   * @return the root's own object there, a copy on every other process
   * @throws IllegalArgumentException on all processes if the object cannot be serialized, takes more than 2 GiB, or holds a
   *     class that is not named; on one process if it cannot be read there; if the root is invalid
   * @throws UnsupportedOperationException between two groups, and on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> T bcastObject(Class<T> type, T value, int root, Class<?>... others) {
    return objects.bcast(type, value, root, others);
  }

  /**
   * Collects an object of every process at the root. Collective, blocking. {@code MPI_Gatherv}.
   *
   * @param <T> the type of the objects
   * @param type as for {@link #bcastObject}
   * @param value this process's object, which may be null
   * @param root the receiver's rank
   * @param others further classes that the objects may hold, the same on all processes
   * @return the objects by rank at the root, an unmodifiable list; null elsewhere
   * @throws IllegalArgumentException on all processes if an object cannot be serialized or holds a class that is not named, or
   *     if they take more than 2 GiB together; at the root if one cannot be read there; if the root is invalid
   * @throws UnsupportedOperationException between two groups, and on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> List<T> gatherObjects(Class<T> type, T value, int root, Class<?>... others) {
    return objects.gather(type, value, root, others);
  }

  /**
   * Collects an object of every process on every process. Collective, blocking. {@code MPI_Allgatherv}.
   *
   * @param <T> the type of the objects
   * @param type as for {@link #bcastObject}
   * @param value this process's object, which may be null
   * @param others further classes that the objects may hold, the same on all processes
   * @return the objects by rank, an unmodifiable list
   * @throws IllegalArgumentException on all processes if an object cannot be serialized or holds a class that is not named, or
   *     if they take more than 2 GiB together; on one process if one cannot be read there
   * @throws UnsupportedOperationException between two groups, and on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> List<T> allGatherObjects(Class<T> type, T value, Class<?>... others) {
    return objects.allGather(type, value, others);
  }

  /**
   * Sends an object, serialized, for {@link #recvObject}. Blocking. {@code MPI_Send}.
   *
   * <p>If the object cannot be sent, the receiver does not wait for it: it gets a message with the reason, and throws.
   *
   * @param <T> the type of the object
   * @param type as for {@link #bcastObject}
   * @param value the object, which may be null
   * @param dest the receiver's rank, or {@link Comm#PROC_NULL}
   * @param tag zero or greater
   * @param others further classes that the object may hold
   * @throws IllegalArgumentException if the object cannot be serialized, takes more than 2 GiB, or holds a class that is not
   *     named
   * @throws UnsupportedOperationException on a persistent communicator
   * @throws MpiFaultException if the receiver has failed or the communicator is revoked
   */
  public <T extends Serializable> void sendObject(Class<T> type, T value, int dest, int tag, Class<?>... others) {
    objects.send(type, value, dest, tag, others);
  }

  /**
   * Receives an object of {@link #sendObject}. Blocking. {@code MPI_Mprobe}, {@code MPI_Mrecv}.
   *
   * @param <T> the type of the object
   * @param type as for {@link #bcastObject}
   * @param source the sender's rank, {@link Comm#ANY_SOURCE} or {@link Comm#PROC_NULL}
   * @param tag the message's tag, or {@link Comm#ANY_TAG}
   * @param others further classes that the object may hold
   * @return the object; null from {@link Comm#PROC_NULL}
   * @throws IllegalArgumentException if the sender could not send it, or if it cannot be read here; the message is gone then
   * @throws UnsupportedOperationException on a persistent communicator
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public <T extends Serializable> T recvObject(Class<T> type, int source, int tag, Class<?>... others) {
    return objects.recv(type, source, tag, others);
  }

  // After a failure

  /**
   * Ends all communication on this communicator, here and, soon, on all other processes. Pending
   * and later operations fail with {@link RevokedException}. Not collective, does not block, and
   * may be called by several processes. {@code MPIX_Comm_revoke}.
   */
  public void revoke() {
    state.revoke();
  }

  /**
   * Whether it is known here to be revoked. Local. {@code MPIX_Comm_is_revoked}.
   *
   * @return false as well if another process has revoked it, but this process has not been notified
   *     yet
   */
  public boolean isRevoked() {
    return state.isKnownRevoked();
  }

  /**
   * A new communicator of the living processes, in the same order. Works on revoked communicators;
   * collective over the living. {@code MPIX_Comm_shrink}.
   *
   * @return the caller closes it; null on an intercommunicator if no process of the other group is left
   */
  public Comm shrink() {
    return communicators.shrink();
  }

  /**
   * Agrees on a boolean. The result is true if every living process passed true, and it is the same
   * everywhere. Works on revoked communicators; collective over the living.
   * {@code MPIX_Comm_agree}.
   *
   * <p>On an intercommunicator each group gets the agreement of the other group's values, as
   * {@code MPI_Allreduce} has it: agree on the local group, too, where both have to decide alike.
   *
   * @param value this process's contribution
   * @return what all living processes (of the other group) have agreed on, the same on all of a group
   * @throws ProcessFailedException on all of them, if not all have acknowledged a failure
   *     ({@link #ackFailed}); the agreement has taken place, but its value is not returned. The failure
   *     may not be known on this process yet: {@code ackFailed} acknowledges nothing then, and the next
   *     agreement throws again. Acknowledge and agree until no exception is thrown
   */
  public boolean agree(boolean value) {
    return agree(value ? 1 : 0) != 0;
  }

  /**
   * As {@link #agree(boolean)}, the bitwise and of all values.
   *
   * @param value this process's contribution
   * @return what all living processes (of the other group) have agreed on, the same on all of a group
   */
  public int agree(int value) {
    return communicators.agree(value);
  }

  /**
   * Starts to agree. {@code MPIX_Comm_iagree}.
   *
   * @param value one int, off-heap: this process's value, and the result when the request completes
   * @return the request; {@code value} must not be touched before it completes
   * @throws IllegalArgumentException if it is not off-heap memory of {@code int}
   */
  public Request iAgree(Buf value) {
    return state.iAgree(value);
  }

  /**
   * The processes of this communicator that are known here to have failed. Local. {@code MPIX_Comm_get_failed}.
   *
   * <p>On an intercommunicator these are processes of both groups.
   *
   * @return a group that may be empty; a later call may return more processes; the caller closes it
   */
  public Group failedGroup() {
    return state.failedGroup();
  }

  /**
   * Acknowledges all failures known here: receives from any source go on, and agreements no longer report them. Local.
   * {@code MPIX_Comm_ack_failed}.
   *
   * @return how many failures are acknowledged now
   */
  public int ackFailed() {
    return ackFailed(Integer.MAX_VALUE);
  }

  /**
   * As {@link #ackFailed()}, the first {@code number} failures of {@link #failedGroup} only.
   *
   * @param number the number of failures to acknowledge, zero or greater; at most all
   * @return how many failures are acknowledged now
   * @throws IllegalArgumentException if the number is negative
   */
  public int ackFailed(int number) {
    return state.ackFailed(number);
  }

  // Properties

  /**
   * Its name, for messages and tools. Local. {@code MPI_Comm_get_name}.
   *
   * @return the name that {@link #setName} or MPI has set; empty for none
   */
  public String name() {
    return state.name();
  }

  /**
   * Gives it a name. Local. {@code MPI_Comm_set_name}.
   *
   * @param name at most 63 bytes, {@code MPI_MAX_OBJECT_NAME}; longer ones are cut
   */
  public void setName(String name) {
    state.setName(Rejections.requireNonNull(name, "name"));
  }

  /**
   * The hints in force, as MPI reports them. Local. {@code MPI_Comm_get_info}.
   *
   * @return the caller closes it
   */
  public Info info() {
    return state.info();
  }

  /**
   * Gives it hints. {@code MPI_Comm_set_info}.
   *
   * @param info the hints; stays the caller's
   */
  public void setInfo(Info info) {
    state.setInfo(info);
  }

  /**
   * The object kept under a key; null if there is none. Local. {@code MPI_Comm_get_attr}.
   *
   * @param <T> the type of the object
   * @param key the key that {@link #setAttribute} was given
   * @return the object itself, not a copy; null if there is none
   */
  @SuppressWarnings("unchecked") // setAttribute puts in only what the key's type allows
  public <T> T attribute(Attribute<T> key) {
    state.handle();
    return attributes == null ? null : (T) attributes.get(key);
  }

  /**
   * Keeps an object under a key; null removes it. Local. {@code MPI_Comm_set_attr}, {@code MPI_Comm_delete_attr}.
   *
   * @param <T> the type of the object
   * @param key whose copy and delete functions apply
   * @param value the object; null removes the present one
   * @throws NullPointerException if the key is null
   */
  public <T> void setAttribute(Attribute<T> key, T value) {
    state.handle();
    if (key == null) {
      throw new NullPointerException("key is null");
    }
    if (attributes == null) {
      attributes = new Attributes();
    }
    attributes.put(key, value);
  }

  /**
   * Whether two communicators are of the same processes in the same order. Local. {@code MPI_Comm_compare}.
   *
   * @param other the second communicator
   * @return whether messages between equal ranks go to the same processes; the communicators may still be different ones
   */
  public boolean isCongruent(Comm other) {
    return state.isCongruent(other.state);
  }

  /**
   * Whether it is closed, or stale because the epoch in which it was made has ended. Local.
   *
   * @return whether every operation on it would throw
   */
  public boolean isClosed() {
    return state.isClosed();
  }

  /**
   * Frees the communicator. Idempotent; does nothing if it is stale or predefined, so that
   * {@code try}-with-resources is safe while a rollback passes. A revoked one can be closed.
   * {@code MPI_Comm_free}.
   */
  @Override
  public void close() {
    if (state.isPredefined() || state.rawHandle() == 0 || state.scope().hasEnded() || !Mpi.isActive()) {
      return;
    }
    CallingThread.check();
    if (attributes != null) {
      attributes.delete();
    }
    state.free();
  }

  @Override
  public String toString() {
    return state.toString();
  }
}
