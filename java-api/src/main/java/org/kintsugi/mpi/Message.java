// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import org.kintsugi.mpi.internal.calls.CountedReceive;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.lifetime.Leaks;
import org.kintsugi.mpi.internal.lifetime.Rejections;
import org.kintsugi.mpi.internal.lifetime.Scope;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;

/** A message that a matched probe has reserved. It must be received once. {@code MPI_Message}. */
public final class Message {
  private MessageOperations calls;
  private final Status status;
  private final long bytes;
  private final int source;
  private final int tag;
  private final Leaks.Watch watch;
  private long handle;

  Message(MessageOperations calls, Scope scope, long handle, Status status) {
    this.calls = calls;
    this.handle = handle;
    this.status = status;
    bytes = status.bytes(); // the program may use its status for something else
    source = status.source();
    tag = status.tag();
    watch = Leaks.watch(this, scope, Leaks.origin("a message that a probe has matched, and no call has received,"));
  }

  /**
   * The message's sender, tag and length.
   *
   * @return the status that the probe filled
   */
  public Status status() {
    return status;
  }

  /**
   * Receives it. Blocking. {@code MPI_Mrecv}.
   *
   * @param buf where the message goes; it must have room for all of it
   * @throws IllegalStateException if it has been received already
   * @throws TruncationException if the buffer is too short; the message is gone then
   * @throws MpiFaultException if a process has failed or the communicator is revoked
   */
  public void recv(Buf buf) {
    calls.recv(this, buf);
  }

  /**
   * Starts to receive it. {@code MPI_Imrecv}.
   *
   * @param buf where the message goes; it must have room for all of it, and not to be touched
   *     before the request completes
   * @return the request
   * @throws IllegalStateException if it has been received already
   */
  public Request iRecv(Buf buf) {
    return calls.startReceive(this, buf);
  }

  /** These receive it, as they have put something around those that found it. @return this */
  Message receivedBy(MessageOperations outer) {
    calls = outer;
    return this;
  }

  long bytes() {
    return bytes;
  }

  /** Counts it as received. */
  void countIn(CountedReceive receive) {
    receive.countReceive(source, tag);
  }

  void requireLeft() {
    if (handle == 0) {
      throw Rejections.state("message has been received already");
    }
  }

  /** The address of the handle, which MPI takes. It can be taken once. */
  long take() {
    long place = Scratch.address() + Scratch.SECOND; // the request is written before it
    Memory.putLong(place, handle);
    handle = 0;
    Leaks.closed(watch);
    return place;
  }
}
