// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.bindings.MPI;

/**
 * The four send modes of MPI 4.1, section 3.4. Each has three forms: blocking, nonblocking,
 * persistent.
 */
public enum SendMode {
  STANDARD("MPI_Send", "MPI_Isend", "MPI_Send_init"),
  SYNCHRONOUS("MPI_Ssend", "MPI_Issend", "MPI_Ssend_init"),
  BUFFERED("MPI_Bsend", "MPI_Ibsend", "MPI_Bsend_init"),
  READY("MPI_Rsend", "MPI_Irsend", "MPI_Rsend_init");

  /** The C functions, for error messages. */
  public final String blocking;
  public final String nonblocking;
  public final String persistent;

  SendMode(String blocking, String nonblocking, String persistent) {
    this.blocking = blocking;
    this.nonblocking = nonblocking;
    this.persistent = persistent;
  }

  // Chains of ifs, not switches, which would load a table class in the middle of a program's first
  // send. Buffered messages are sent by BufferedSends.

  public int send(long address, int count, long type, int dest, int tag, long comm) {
    if (this == STANDARD) {
      return MPI.MPI_Send(address, count, type, dest, tag, comm);
    }
    if (this == SYNCHRONOUS) {
      return MPI.MPI_Ssend(address, count, type, dest, tag, comm);
    }
    return MPI.MPI_Rsend(address, count, type, dest, tag, comm);
  }

  public int start(long address, int count, long type, int dest, int tag, long comm, long request) {
    if (this == STANDARD) {
      return MPI.MPI_Isend(address, count, type, dest, tag, comm, request);
    }
    if (this == SYNCHRONOUS) {
      return MPI.MPI_Issend(address, count, type, dest, tag, comm, request);
    }
    return MPI.MPI_Irsend(address, count, type, dest, tag, comm, request);
  }

  public int init(long address, int count, long type, int dest, int tag, long comm, long request) {
    if (this == STANDARD) {
      return MPI.MPI_Send_init(address, count, type, dest, tag, comm, request);
    }
    if (this == SYNCHRONOUS) {
      return MPI.MPI_Ssend_init(address, count, type, dest, tag, comm, request);
    }
    return MPI.MPI_Rsend_init(address, count, type, dest, tag, comm, request);
  }
}
