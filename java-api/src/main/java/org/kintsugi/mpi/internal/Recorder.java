// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

/**
 * Stores the messages that a program sends on one communicator, and its contributions to collectives, and replays them after a
 * failure. It is called first, and says what MPI still has to do. Arguments have not been checked.
 *
 * @param <B> buffers, which lie above this package
 */
public interface Recorder<B> {
  /** In place of a root, for a collective that has none. */
  int NO_ROOT = -1;

  /** A message that is kept. */
  interface Message<B> {
    int source();

    int tag();

    long bytes();

    /** Receives it. */
    void takeInto(B buf);
  }

  /** Whether messages are delivered as well; there are no persistent requests for such messages. */
  boolean isTransparent();

  /** Keeps a message. @return whether MPI is to deliver it as well */
  boolean store(B buf, int dest, int tag);

  /** Refuses a source or a tag that no receive may have. */
  void requireReceive(int source, int tag);

  /**
   * The message that a receive returns.
   *
   * @param required whether it is an error if there is none
   * @return null: it is for MPI to receive, or, if it is not required, there is none
   */
  Message<B> find(int source, int tag, boolean required);

  /**
   * Keeps a contribution, or puts one that was kept into the buffer.
   *
   * @param root the root's rank, or {@link #NO_ROOT}
   * @param buf this process's contribution; null: none
   * @return whether MPI is to perform the operation
   */
  boolean contribute(RecordedCollective collective, int root, B buf);

  /** In place of a barrier. */
  void endRound();
}
