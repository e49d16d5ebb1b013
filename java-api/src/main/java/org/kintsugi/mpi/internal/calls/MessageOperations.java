// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;

/**
 * Performs the sends and receives of one communicator. The public methods of {@link Comm} describe
 * them, name a mode, and forward their arguments.
 */
public interface MessageOperations {
  void send(SendMode mode, Buf buf, int dest, int tag);

  /** The spent request may be null, or of another epoch. Then a new one is made. */
  Request startSend(SendMode mode, Buf buf, int dest, int tag, Request spent);

  PersistentRequest initSend(SendMode mode, Buf buf, int dest, int tag);

  /** The status may be null; it is returned. */
  Status recv(Buf buf, int source, int tag, Status status);

  void recv(Message message, Buf buf);

  /** As {@link #startSend}. */
  Request startReceive(Buf buf, int source, int tag, Request spent);

  Request startReceive(Message message, Buf buf);

  PersistentRequest initReceive(Buf buf, int source, int tag);

  Status sendRecv(Buf send, int dest, int sendTag, Buf receive, int source, int receiveTag, Status status);

  Status sendRecvReplace(Buf buf, int dest, int sendTag, int source, int receiveTag, Status status);

  Status probe(int source, int tag);

  boolean iProbe(int source, int tag, Status status);

  Message mProbe(int source, int tag);

  Message imProbe(int source, int tag);
}
