// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Removes certain lines from a stream of bytes, and passes on the rest.
 *
 * <p>Such a line may begin anywhere, as another process may have written only a part of its last
 * line. Other bytes are passed on unchanged and at once. Only bytes that may be the beginning of
 * such a line are held back.
 */
final class LineFilter {
  private final List<byte[]> marks;
  private final boolean[] canBegin = new boolean[256];
  private final Predicate<String> taken;
  private final OutputStream out;
  private final ByteArrayOutputStream held = new ByteArrayOutputStream();
  private boolean isInLine;

  /**
   * A filter.
   *
   * @param marks how the lines begin
   * @param taken gets each, from its mark on and without its end; false: it is passed on after all
   * @param out where the rest goes
   */
  LineFilter(List<String> marks, Predicate<String> taken, OutputStream out) {
    this.marks = marks.stream().map(mark -> mark.getBytes(StandardCharsets.UTF_8)).collect(Collectors.toList());
    this.marks.forEach(mark -> canBegin[mark[0] & 0xff] = true);
    this.taken = taken;
    this.out = out;
  }

  /** Takes bytes. */
  void feed(byte[] bytes, int count) throws IOException {
    ByteArrayOutputStream passed = new ByteArrayOutputStream(count);
    for (int i = 0; i < count; i++) {
      if (!isHolding() && !canBegin[bytes[i] & 0xff]) {
        passed.write(bytes[i]);
        continue;
      }
      held.write(bytes[i]);
      if (!isInLine) {
        findMark(passed);
      } else if (bytes[i] == '\n') {
        endLine(passed);
      }
    }
    passed.writeTo(out);
    out.flush();
  }

  /** Passes on a part of a possible mark that was held back: nothing more has come for a while. */
  void releaseHeld() throws IOException {
    if (!isInLine) {
      held.writeTo(out);
      out.flush();
      held.reset();
    }
  }

  boolean isHolding() {
    return held.size() > 0;
  }

  /** Says that no more bytes come. */
  void end() throws IOException {
    if (isInLine) {
      endLine(out);
    }
    releaseHeld();
  }

  /** Keeps the longest end of the input that is the beginning of a mark. */
  private void findMark(OutputStream passed) throws IOException {
    byte[] now = held.toByteArray();
    for (int from = 0; from < now.length; from++) {
      for (byte[] mark : marks) {
        if (begins(mark, now, from)) {
          isInLine = now.length - from == mark.length;
          keepFrom(from, now, passed);
          return;
        }
      }
    }
    keepFrom(now.length, now, passed);
  }

  private void keepFrom(int from, byte[] now, OutputStream passed) throws IOException {
    passed.write(now, 0, from);
    held.reset();
    held.write(now, from, now.length - from);
  }

  /** Whether a mark begins with all that comes at {@code from} and after. */
  private static boolean begins(byte[] mark, byte[] bytes, int from) {
    int length = bytes.length - from;
    if (length > mark.length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (mark[i] != bytes[from + i]) {
        return false;
      }
    }
    return true;
  }

  private void endLine(OutputStream passed) throws IOException {
    if (!taken.test(held.toString(StandardCharsets.UTF_8).stripTrailing())) {
      held.writeTo(passed);
    }
    held.reset();
    isInLine = false;
  }
}
