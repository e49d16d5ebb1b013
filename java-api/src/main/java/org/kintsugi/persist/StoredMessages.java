// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.util.function.Supplier;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Comms;
import org.kintsugi.mpi.internal.MessageOperations;
import org.kintsugi.mpi.internal.SendMode;

/**
 * Messages of a persistent communicator: sends store, receives return what is stored; see {@link PersistentComm}. MPI has a part
 * in a message only if the communicator is transparent, or if there is no peer ({@link Comm#PROC_NULL}).
 */
final class StoredMessages implements MessageOperations {
  private final Comm comm;
  private final Recording recording;
  private final MessageOperations mpi;

  /** In place of what carries out the communicator's messages now, and would hand them to MPI. */
  StoredMessages(Comm comm, Recording recording) {
    this.comm = comm;
    this.recording = recording;
    mpi = Comms.get().messages(comm);
  }

  @Override
  public void send(SendMode mode, Buf buf, int dest, int tag) {
    if (recording.store(buf, dest, tag)) {
      mpi.send(mode, buf, dest, tag);
    }
  }

  @Override
  public Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent) {
    return recording.store(buf, dest, tag) ? mpi.startSend(mode, buf, dest, tag, spent) : recording.completed();
  }

  @Override
  public PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag) {
    return recording.deferred("sendInit", () -> send(mode, buf, dest, tag));
  }

  @Override
  public Status recv(Buf buf, int source, int tag, Status status) {
    Journal.Found found = find(source, tag, true);
    return found == null ? mpi.recv(buf, source, tag, status) : recording.take(found, buf, status);
  }

  /** Null: it is for MPI to do. */
  private Journal.Found find(int source, int tag, boolean required) {
    return source == Comm.PROC_NULL ? null : recording.find(source, tag, required);
  }

  @Override
  public Request startReceive(Buf buf, int source, int tag, Request spent) {
    Journal.Found found = find(source, tag, true);
    return found == null ? mpi.startReceive(buf, source, tag, spent)
        : Comms.get().completed(comm, recording.take(found, buf, new Status()));
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
  public PersistentRequest initReceive(Buf buf, int source, int tag) {
    return recording.deferred("recvInit", new Receive(buf, source, tag));
  }

  @Override
  public Status sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    if (source != Comm.PROC_NULL) {
      recording.requireReceive(source, receiveTag); // before anything is stored
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
      recording.requireReceive(source, receiveTag);
    }
    // In the order of sendRecv: what is sent to oneself is there to be received. Both come before buf is overwritten.
    boolean delivers = recording.store(buf, dest, sendTag);
    Journal.Found found = find(source, receiveTag, true);
    int to = delivers ? dest : Comm.PROC_NULL;
    int from = found == null ? source : Comm.PROC_NULL;
    Status received = mpi.sendRecvReplace(buf, to, sendTag, from, receiveTag, status);
    return found == null ? received : recording.take(found, buf, status);
  }

  @Override
  public Status probe(int source, int tag) {
    Journal.Found found = find(source, tag, true);
    return found == null ? mpi.probe(source, tag) : Recording.fill(new Status(), found);
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    Journal.Found found = find(source, tag, false);
    if (found == null) {
      return (recording.isTransparent() || source == Comm.PROC_NULL) && mpi.iProbe(source, tag, status);
    }
    if (status != null) {
      Recording.fill(status, found);
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
}
