// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.mpi.internal.Recorder;

/**
 * What a store keeps besides the bytes of a message.
 *
 * @param number counts what one process stores on one persistent communicator, from 1 on, without regard to the signature
 * @param kind what it is
 * @param dest for whom it is stored: a rank of the communicator; of a collective the root, or {@link #ALL}
 * @param tag the message's tag; of a collective which one it is; of a round its number
 * @param sequence counts what has the same kind, source, dest and tag, from 1 on
 * @param bytes length of the message
 */
public record Entry(long number, Kind kind, int dest, int tag, long sequence, long bytes) {
  /** As {@link #dest} of a collective without a root. */
  public static final int ALL = Recorder.NO_ROOT;

  /** What is stored; the order is a part of the format of files. */
  public enum Kind {
    /** From one process for one. */
    MESSAGE,
    /** One process's contribution to a collective. */
    COLLECTIVE,
    /** The end of a round: a barrier. */
    ROUND,
    /** All before it is to be forgotten, on all processes, wherever one of them has this. */
    FORGOTTEN
  }
}
