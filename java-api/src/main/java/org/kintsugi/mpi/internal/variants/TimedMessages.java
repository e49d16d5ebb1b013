// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.variants;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.SendMode;
import org.kintsugi.mpi.internal.events.TimedCall;

/**
 * Takes the time of blocking sends and receives, for a recording. Waiting for requests is timed where it is carried out, in
 * {@link Request}.
 */
public final class TimedMessages implements MessageOperations {
  private final MessageOperations calls;

  public TimedMessages(MessageOperations calls) {
    this.calls = calls;
  }

  @Override
  public void send(SendMode mode, Buf buf, int dest, int tag) {
    TimedCall call = TimedCall.begins();
    try {
      calls.send(mode, buf, dest, tag);
    } finally {
      call.ends(mode.blocking);
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
    TimedCall call = TimedCall.begins();
    try {
      return calls.recv(buf, source, tag, status);
    } finally {
      call.ends("MPI_Recv");
    }
  }

  @Override
  public void recv(Message message, Buf buf) {
    TimedCall call = TimedCall.begins();
    try {
      calls.recv(message, buf);
    } finally {
      call.ends("MPI_Mrecv");
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
    TimedCall call = TimedCall.begins();
    try {
      return calls.sendRecv(send, dest, sendTag, receive, source, receiveTag, status);
    } finally {
      call.ends("MPI_Sendrecv");
    }
  }

  @Override
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    TimedCall call = TimedCall.begins();
    try {
      return calls.sendRecvReplace(buf, dest, sendTag, source, receiveTag, status);
    } finally {
      call.ends("MPI_Sendrecv_replace");
    }
  }

  @Override
  public Status probe(int source, int tag) {
    TimedCall call = TimedCall.begins();
    try {
      return calls.probe(source, tag);
    } finally {
      call.ends("MPI_Probe");
    }
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    return calls.iProbe(source, tag, status);
  }

  @Override
  public Message mProbe(int source, int tag) {
    TimedCall call = TimedCall.begins();
    try {
      return Access.messages().receivedBy(calls.mProbe(source, tag), this);
    } finally {
      call.ends("MPI_Mprobe");
    }
  }

  @Override
  public Message imProbe(int source, int tag) {
    Message found = calls.imProbe(source, tag);
    return found == null ? null : Access.messages().receivedBy(found, this);
  }
}
