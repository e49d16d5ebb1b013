// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import org.kintsugi.mpi.internal.calls.Recorder;

/**
 * The description of a stored message, without its bytes.
 *
 * @param number counts the entries that one process stores on one persistent communicator, from 1 on, of any signature
 * @param kind the kind of entry
 * @param dest the rank that it is stored for; of a collective the root, or {@link #ALL}
 * @param tag the message's tag; of a collective the number of the operation; of a round its number
 * @param sequence counts the entries of the same kind, source, dest and tag, from 1 on
 * @param bytes length of the message
 */
public record Entry(long number, Kind kind, int dest, int tag, long sequence, long bytes) {
  /** As {@link #dest} of a collective without a root. */
  public static final int ALL = Recorder.NO_ROOT;

  /** The kinds of entries; their order is a part of the format of files. */
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
