// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** One process's entries on one communicator, in one file: its own, to be written, or another's, to be read. */
interface Log extends AutoCloseable {
  void append(Entry entry, ByteBuffer payload) throws IOException;

  void drop(long number) throws IOException;

  /** Entries with a higher number are forgotten. */
  void cut(long number) throws IOException;

  /** Entries with a higher number, as of now, ascending. */
  List<Entry> entries(long after) throws IOException;

  /**
   *
   *
   * @return false if it is not there any more
   */
  boolean read(Entry entry, ByteBuffer target) throws IOException;

  @Override
  void close();
}
