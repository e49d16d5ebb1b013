// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.util.Map;
import org.kintsugi.checkpoint.Checkpoint;

/**
 * The computation of one process in one entry of the body: its state, and the iterations that change it. {@link ProxyApp} calls
 * {@link #protect}, then {@link #begin} or {@link #resume}, then {@link #iterate} for 1, 2, ... Everything but {@link #protect},
 * {@link #progress} and {@link #close} is collective.
 */
public interface Work extends AutoCloseable {
  /** Protects all that an iteration needs of the one before, and nothing that can be made anew. */
  void protect(Checkpoint checkpoint);

  /** Sets the state before the first iteration. */
  void begin();

  /** The protected data have come back: makes anew what follows from them. */
  default void resume() {
    // Most have nothing to do.
  }

  /** Whether there is an iteration of this number; the same on all ranks, and answered by the protected data. */
  boolean goesOn(int iteration);

  /** Makes an iteration; they are numbered from 1. */
  void iterate(int iteration);

  /** How it stands, in a few words, for the progress bar. Local. */
  String progress();

  /** The figures of the reference file's {@code figures}, by name; what they are on rank 0 is reported. */
  Map<String, Object> figures();

  /** Further parts of the result; called after {@link #figures}. */
  default Map<String, Object> details() {
    return Map.of();
  }

  /**
   * A picture of its result; called after {@link #figures}, if a picture is wanted.
   *
   * @return null on ranks other than 0
   */
  default Picture picture() {
    throw new UnsupportedOperationException("no picture");
  }

  /** The outcome, in one line or a few; called after {@link #figures}. */
  String summary();

  @Override
  void close();
}
