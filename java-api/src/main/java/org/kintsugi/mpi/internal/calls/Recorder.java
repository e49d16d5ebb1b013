// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import org.kintsugi.mpi.Buf;

/**
 * Stores a program's messages and contributions on one communicator, and replays them. It is called
 * before MPI, and decides whether MPI is called, too. Arguments have not been checked.
 */
public interface Recorder {
  /** The root of a collective that has none. */
  int NO_ROOT = -1;

  /** A stored message. */
  interface Message {
    int source();

    int tag();

    long bytes();

    /** Copies it into a buffer. */
    void takeInto(Buf buf);
  }

  /** Whether MPI delivers messages as well. Such messages have no persistent requests. */
  boolean isTransparent();

  /** Stores a message. @return whether MPI must deliver it as well */
  boolean store(Buf buf, int dest, int tag);

  /** Refuses an invalid source or tag of a receive. */
  void requireReceive(int source, int tag);

  /**
   * The message that a receive returns.
   *
   * @param required whether it is an error if there is none
   * @return null if MPI must receive it, or if there is none and it is not required
   */
  Message find(int source, int tag, boolean required);

  /**
   * Stores a contribution, or in a replay copies the stored one into the buffer.
   *
   * @param root the root's rank, or {@link #NO_ROOT}
   * @param buf this process's contribution; null: none
   * @return whether MPI must perform the operation
   */
  boolean contribute(RecordedCollective collective, int root, Buf buf);

  /** Called in place of a barrier. */
  void endRound();
}
