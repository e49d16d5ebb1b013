// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import java.util.function.Supplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.Recorder;
import org.kintsugi.mpi.internal.calls.SendMode;

/**
 * Messages of a communicator with a {@link Recorder}. Sends store messages, and receives return
 * stored messages. MPI is called only if the recorder is transparent, or if there is no peer
 * ({@link Comm#PROC_NULL}).
 */
public final class StoredMessages implements MessageOperations {
  private final CommState comm;
  private final Recorder recorder;
  private final MessageOperations mpi;

  /** Stores messages, before the object that passes them to MPI. */
  public StoredMessages(CommState comm, Recorder recorder, MessageOperations mpi) {
    this.comm = comm;
    this.recorder = recorder;
    this.mpi = mpi;
  }

  /** A request of an operation that has ended, without a status. */
  static Request completed(CommState comm) {
    return Access.messages().completed(comm.scope(), null);
  }

  /** A persistent request that does the whole operation at every start. */
  static PersistentRequest deferred(CommState comm, Recorder recorder, String method, Runnable operation) {
    if (recorder.isTransparent()) {
      throw new UnsupportedOperationException(
          method + " on a transparent persistent communicator: use the operation itself, or its nonblocking form");
    }
    comm.handle();
    return Access.messages().deferred(comm.scope(), operation);
  }

  @Override
  public void send(SendMode mode, Buf buf, int dest, int tag) {
    if (recorder.store(buf, dest, tag)) {
      mpi.send(mode, buf, dest, tag);
    }
  }

  @Override
  public Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent) {
    return recorder.store(buf, dest, tag) ? mpi.startSend(mode, buf, dest, tag, spent) : completed(comm);
  }

  @Override
  public PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag) {
    return deferred(comm, recorder, "sendInit", () -> send(mode, buf, dest, tag));
  }

  @Override
  public Status recv(Buf buf, int source, int tag, Status status) {
    Recorder.Message found = find(source, tag, true);
    return found == null ? mpi.recv(buf, source, tag, status) : take(found, buf, status);
  }

  /** The stored message for a receive. Null if MPI must receive it. */
  private Recorder.Message find(int source, int tag, boolean required) {
    return source == Comm.PROC_NULL ? null : recorder.find(source, tag, required);
  }

  /** Copies a stored message to the program's buffer. The status may be null. */
  private static Status take(Recorder.Message found, Buf buf, Status status) {
    found.takeInto(buf);
    return status == null ? null : fill(status, found);
  }

  private static Status fill(Status status, Recorder.Message found) {
    return Access.messages().fill(status, found.source(), found.tag(), found.bytes());
  }

  @Override
  public Request startReceive(Buf buf, int source, int tag, Request spent) {
    Recorder.Message found = find(source, tag, true);
    return found == null ? mpi.startReceive(buf, source, tag, spent)
        : Access.messages().completed(comm.scope(), take(found, buf, new Status()));
  }

  /** A receive that returns the status of its message. */
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
  public PersistentRequest initReceive(Buf buf, int source, int tag) {
    return deferred(comm, recorder, "recvInit", new Receive(buf, source, tag));
  }

  @Override
  public Status sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    if (source != Comm.PROC_NULL) {
      recorder.requireReceive(source, receiveTag); // before anything is stored
      if (receive == null) {
        throw new NullPointerException("receive is null");
      }
    }
    Request sent = startSend(SendMode.STANDARD, send, dest, sendTag, null);
    Status received = recv(receive, source, receiveTag, status);
    sent.waitFor();
    return received;
  }

  @Override
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    if (source != Comm.PROC_NULL) {
      recorder.requireReceive(source, receiveTag);
    }
    // First stores, then finds, as sendRecv does: so a message to this rank itself is found. Both
    // come before buf is overwritten.
    boolean delivers = recorder.store(buf, dest, sendTag);
    Recorder.Message found = find(source, receiveTag, true);
    int to = delivers ? dest : Comm.PROC_NULL;
    int from = found == null ? source : Comm.PROC_NULL;
    Status received = mpi.sendRecvReplace(buf, to, sendTag, from, receiveTag, status);
    return found == null ? received : take(found, buf, status);
  }

  @Override
  public Status probe(int source, int tag) {
    Recorder.Message found = find(source, tag, true);
    return found == null ? mpi.probe(source, tag) : fill(new Status(), found);
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    Recorder.Message found = find(source, tag, false);
    if (found == null) {
      return (recorder.isTransparent() || source == Comm.PROC_NULL) && mpi.iProbe(source, tag, status);
    }
    if (status != null) {
      fill(status, found);
    }
    return true;
  }

  @Override
  public Message mProbe(int source, int tag) {
    throw new UnsupportedOperationException("mProbe on a persistent communicator: use probe and recv");
  }

  @Override
  public Message imProbe(int source, int tag) {
    throw new UnsupportedOperationException("imProbe on a persistent communicator: use iProbe and recv");
  }

  // The probes that find such messages are refused.

  @Override
  public void recv(Message message, Buf buf) {
    mpi.recv(message, buf);
  }

  @Override
  public Request startReceive(Message message, Buf buf) {
    return mpi.startReceive(message, buf);
  }
}
