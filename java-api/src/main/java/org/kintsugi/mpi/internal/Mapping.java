// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.nio.ByteBuffer;

/**
 * A file in memory, until it is closed: {@link Memory#map}.
 *
 * @param bytes the contents; not to be used once this is closed
 * @param unmap gives the memory back without waiting for the garbage collector
 */
public record Mapping(ByteBuffer bytes, Runnable unmap) implements AutoCloseable {
  @Override
  public void close() {
    unmap.run();
  }
}
