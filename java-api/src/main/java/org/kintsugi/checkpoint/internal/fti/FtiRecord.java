// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The record of the checkpoints in a place, which can be read without FTI.
 *
 * @param layout of ranks, nodes and groups, in words; one line
 * @param execution FTI's name for the execution that has written them
 * @param topology FTI's file of its topology, which it writes once, when it begins; it cannot start again without
 */
record FtiRecord(String layout, String execution, String topology) {
  private static final int LINES = 4;

  /**
   * Parses the text of a file.
   *
   * @return null if it is not a record
   */
  static FtiRecord of(String text) {
    String[] lines = text.split("\n", LINES);
    if (lines.length < LINES) {
      return null;
    }
    FtiRecord record = new FtiRecord(lines[1], lines[2], lines[3]);
    return record.checksum().equals(lines[0]) ? record : null;
  }

  /** For a file. */
  String text() {
    return checksum() + "\n" + body();
  }

  private String body() {
    return layout + "\n" + execution + "\n" + topology;
  }

  private String checksum() {
    CRC32C crc = new CRC32C();
    crc.update(body().getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
