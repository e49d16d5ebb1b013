// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

import org.kintsugi.mpi.Buf;

/**
 * One rank's part of a version as bytes, for an {@link Engine} to keep. The bytes are read from the program's data on request;
 * until then the data must not change. Only {@link org.kintsugi.checkpoint.Checkpoint} makes images.
 */
public interface Image {
  /**
   * The number of the save.
   *
   * @return counted from 1 and carried on through recoveries, the same on all ranks
   */
  long save();

  /**
   * Whether this rank could not compose its part.
   *
   * @return true: the version must not count
   */
  boolean isVoid();

  /**
   * How long it is.
   *
   * @return bytes
   */
  long bytes();

  /**
   * Copies it to off-heap memory.
   *
   * @param room at least {@link #bytes} long
   */
  void copyTo(Buf room);
}
