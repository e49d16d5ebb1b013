// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.OptionalLong;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Where images of protected data are kept. All methods are collective over the world last bound.
 *
 * <p>The rule that every store keeps: two slots; {@link #write} goes to the slot that does not hold the last version
 * that is complete on every rank, so that a failure in the middle of a save never costs that version. A version is
 * complete when {@link #commit} has been reached, which {@link Checkpoint} calls after all ranks have agreed that their
 * write succeeded; after a failure the truth is found out anew by {@link #newestComplete}.
 */
interface CheckpointStore {
  /** A new world, after the start or a recovery. Local. */
  void bind(Comm world);

  /** Writes this rank's image. @throws CheckpointException if this rank's part failed; peers are not told by this */
  void write(long version, Buf image);

  /** Every rank has written this version. Local. */
  void commit(long version);

  /** The newest version that every rank of the world can get back; newer ones are forgotten. */
  OptionalLong newestComplete();

  /** This rank's image of a version that {@link #newestComplete} named; the store keeps owning it. */
  Buf fetch(long version);
}
