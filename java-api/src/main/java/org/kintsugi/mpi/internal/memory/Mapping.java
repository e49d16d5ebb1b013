// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.memory;

import java.nio.ByteBuffer;

/**
 * A file in memory, until it is closed: {@link Memory#map}.
 *
 * @param bytes the contents, which must not be used after this is closed
 * @param unmap unmaps the memory without waiting for the garbage collector
 */
public record Mapping(ByteBuffer bytes, Runnable unmap) implements AutoCloseable {
  @Override
  public void close() {
    unmap.run();
  }
}
