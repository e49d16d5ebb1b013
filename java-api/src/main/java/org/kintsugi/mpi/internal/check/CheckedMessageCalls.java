// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.check;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.calls.MessageOperations;
import org.kintsugi.mpi.internal.calls.SendMode;

/** Counts the messages of a communicator for {@code --check}, see {@link CheckedMessages}. */
public final class CheckedMessageCalls implements MessageOperations {
  private final CommState comm;
  private final MessageOperations calls;

  public CheckedMessageCalls(CommState comm, MessageOperations calls) {
    this.comm = comm;
    this.calls = calls;
  }

  /** Begins to count a receive; null if it is not counted. */
  private CheckedMessages.Awaited await(Buf buf) {
    return buf == null ? null : CheckedMessages.await(comm, buf.datatype());
  }

  /** A status is needed to count what has come. */
  private static Status statusFor(CheckedMessages.Awaited awaited, Status status) {
    return awaited != null && status == null ? new Status() : status;
  }

  private static void countReceive(CheckedMessages.Awaited awaited, Status status) {
    if (awaited != null) {
      awaited.countReceive(status.source(), status.tag());
    }
  }

  @Override
  public void send(SendMode mode, Buf buf, int dest, int tag) {
    calls.send(mode, buf, dest, tag);
    CheckedMessages.countSend(comm, buf.datatype(), dest, tag);
  }

  @Override
  public Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent) {
    Request started = calls.startSend(mode, buf, dest, tag, spent);
    CheckedMessages.countSend(comm, buf.datatype(), dest, tag);
    return started;
  }

  @Override
  public PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag) {
    return Access.messages().counted(calls.initSend(mode, buf, dest, tag), CheckedMessages.send(comm, buf.datatype(), dest, tag));
  }

  @Override
  public Status recv(Buf buf, int source, int tag, Status status) {
    CheckedMessages.Awaited awaited = await(buf);
    Status received = calls.recv(buf, source, tag, statusFor(awaited, status));
    countReceive(awaited, received);
    return status;
  }

  @Override
  public void recv(Message message, Buf buf) {
    CheckedMessages.Awaited awaited = await(buf);
    calls.recv(message, buf);
    if (awaited != null) {
      Access.messages().count(message, awaited);
    }
  }

  @Override
  public Request startReceive(Buf buf, int source, int tag, Request spent) {
    CheckedMessages.Awaited awaited = await(buf);
    return Access.messages().counted(calls.startReceive(buf, source, tag, spent), awaited);
  }

  @Override
  public Request startReceive(Message message, Buf buf) {
    CheckedMessages.Awaited awaited = await(buf);
    return Access.messages().counted(calls.startReceive(message, buf), awaited);
  }

  @Override
  public PersistentRequest initReceive(Buf buf, int source, int tag) {
    return Access.messages().counted(calls.initReceive(buf, source, tag), CheckedMessages.receive(comm, buf.datatype()));
  }

  @Override
  public Status sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status) {
    CheckedMessages.Awaited awaited = await(receive);
    Status received = calls.sendRecv(send, dest, sendTag, receive, source, receiveTag, statusFor(awaited, status));
    CheckedMessages.countSend(comm, send.datatype(), dest, sendTag);
    countReceive(awaited, received);
    return status;
  }

  @Override
  public Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status) {
    CheckedMessages.Awaited awaited = await(buf);
    Status received = calls.sendRecvReplace(buf, dest, sendTag, source, receiveTag, statusFor(awaited, status));
    CheckedMessages.countSend(comm, buf.datatype(), dest, sendTag);
    countReceive(awaited, received);
    return status;
  }

  @Override
  public Status probe(int source, int tag) {
    return calls.probe(source, tag);
  }

  @Override
  public boolean iProbe(int source, int tag, Status status) {
    return calls.iProbe(source, tag, status);
  }

  @Override
  public Message mProbe(int source, int tag) {
    return Access.messages().receivedBy(calls.mProbe(source, tag), this);
  }

  @Override
  public Message imProbe(int source, int tag) {
    Message found = calls.imProbe(source, tag);
    return found == null ? null : Access.messages().receivedBy(found, this);
  }
}
