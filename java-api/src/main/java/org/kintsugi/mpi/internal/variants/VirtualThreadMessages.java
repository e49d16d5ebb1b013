// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.SendMode;
import org.kintsugi.mpi.internal.threads.VirtualThreads;

/**
 * Sends and receives messages on a virtual thread by polling, see {@link VirtualThreads}. On
 * other threads it only forwards calls.
 */
public final class VirtualThreadMessages implements MessageOperations {
  private final CommState comm;
  private final MessageOperations calls;
  private final Arguments arguments;

  /** Checks the arguments of operations that are made of several here. */
  public interface Arguments {
    /** Those of {@link MessageOperations#sendRecv}. */
    void requireExchange(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag);

    /** Those of {@link MessageOperations#sendRecvReplace}. */
    void requireReplacement(Buf buf, int dest, int sendTag, int source, int receiveTag);
  }

  public VirtualThreadMessages(CommState comm, MessageOperations calls, Arguments arguments) {
    this.comm = comm;
    this.calls = calls;
    this.arguments = arguments;
  }

  @Override
  public void send(SendMode mode, Buf buf, int dest, int tag) {
    if (VirtualThreads.isCurrent() && mode != SendMode.BUFFERED) {
      calls.startSend(mode, buf, dest, tag, null).waitFor();
    } else {
      calls.send(mode, buf, dest, tag);
    }
  }

  @Override
  public Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent) {
    return calls.startSend(mode, buf, dest, tag, spent);
  }

  @Override
  public PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag) {
    return calls.initSend(mode, buf, dest, tag);
  }

  @Override
  public Status recv(Buf buf, int source, int tag, Status status) {
    return VirtualThreads.isCurrent() ? calls.startReceive(buf, source, tag, null).waitFor(status)
        : calls.recv(buf, source, tag, status);
  }

  @Override
  public void recv(Message message, Buf buf) {
    if (VirtualThreads.isCurrent()) {
      calls.startReceive(message, buf).waitFor();
    } else {
      calls.recv(message, buf);
    }
  }

  @Override
  public Request startReceive(Buf buf, int source, int tag, Request spent) {
    return calls.startReceive(buf, source, tag, spent);
  }

  @Override
  public Request startReceive(Message message, Buf buf) {
    return calls.startReceive(message, buf);
  }

  @Override
  public PersistentRequest initReceive(Buf buf, int source, int tag) {
    return calls.initReceive(buf, source, tag);
  }

  @Override
  public Status sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    if (!VirtualThreads.isCurrent()) {
      return calls.sendRecv(send, dest, sendTag, receive, source, receiveTag, status);
    }
    arguments.requireExchange(send, dest, sendTag, receive, source, receiveTag);
    return exchange(send, dest, sendTag, receive, source, receiveTag, status);
  }

  @Override
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    if (!VirtualThreads.isCurrent()) {
      return calls.sendRecvReplace(buf, dest, sendTag, source, receiveTag, status);
    }
    arguments.requireReplacement(buf, dest, sendTag, source, receiveTag);
    try (Buf copy = Buf.allocateBytes(buf.bytes())) {
      Access.bufs().pack(buf.as(Datatype.BYTE, buf.bytes()), copy.address());
      return exchange(copy.as(buf.datatype(), buf.count()), dest, sendTag, buf, source, receiveTag, status);
    }
  }

  /**
   * Sends and receives at once. If the send fails, the receive is cancelled: it
   * would match a later message.
   */
  private Status exchange(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    Request received = calls.startReceive(receive, source, receiveTag, null);
    try {
      calls.startSend(SendMode.STANDARD, send, dest, sendTag, null).waitFor();
    } catch (RuntimeException failed) {
      received.cancel();
      received.waitFor();
      throw failed;
    }
    return received.waitFor(status);
  }

  @Override
  public Status probe(int source, int tag) {
    if (!VirtualThreads.isCurrent()) {
      return calls.probe(source, tag);
    }
    comm.handle(); // a step of the program, whereas a probe that finds nothing is none
    Status found = new Status();
    VirtualThreads.await(() -> calls.iProbe(source, tag, found));
    return found;
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    return calls.iProbe(source, tag, status);
  }

  @Override
  public Message mProbe(int source, int tag) {
    if (!VirtualThreads.isCurrent()) {
      return Access.messages().receivedBy(calls.mProbe(source, tag), this);
    }
    comm.handle();
    return VirtualThreads.awaitFound(() -> imProbe(source, tag));
  }

  @Override
  public Message imProbe(int source, int tag) {
    Message found = calls.imProbe(source, tag);
    return found == null ? null : Access.messages().receivedBy(found, this);
  }
}
