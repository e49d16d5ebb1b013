// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file in which native/twins/steps.c writes down the calls of MPI of all processes of a job. */
final class StepFile {
  static final int BARRIER = 1;
  static final int REVOKE = 2;
  static final int IAGREE = 3;
  static final int AGREE = 4;
  static final int SHRINK = 5;
  static final int GATHER = 6;
  static final int SPLIT = 7;

  private static final int RECORDS = 1000;
  private static final int HEAD = 2;
  private static final int RECORD = 10;
  private static final int PART = HEAD + RECORDS * RECORD;

  private StepFile() {}

  /** What a process had used at a moment: by the clock, and of the processors. */
  record Moment(long wall, long thread, long process, long yields) {}

  /** One call of MPI. */
  record Call(int kind, long code, Moment entered, Moment left) {
    boolean is(int wanted, boolean succeeded) {
      return kind == wanted && (code == 0) == succeeded;
    }
  }

  /** The calls of one process, in their order. */
  record Calls(int rank, List<Call> calls) {}

  /** The size of an empty file, which the job fills. */
  static long bytes(int processes) {
    return Long.BYTES * (HEAD + (long) processes * PART);
  }

  static List<Calls> read(Path file) throws IOException {
    return read(ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder()).asLongBuffer());
  }

  static List<Calls> read(LongBuffer longs) {
    List<Calls> all = new ArrayList<>();
    for (int process = 0; process < longs.get(0); process++) {
      int part = HEAD + process * PART;
      List<Call> calls = new ArrayList<>();
      for (int i = 0; i < longs.get(part + 1); i++) {
        int at = part + HEAD + i * RECORD;
        calls.add(new Call((int) longs.get(at), longs.get(at + 1), moment(longs, at + 2), moment(longs, at + 6)));
      }
      all.add(new Calls((int) longs.get(part), calls));
    }
    return all;
  }

  private static Moment moment(LongBuffer longs, int at) {
    return new Moment(longs.get(at), longs.get(at + 1), longs.get(at + 2), longs.get(at + 3));
  }
}
