// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

/** What a simulated process does next. One object is filled again and again: a million processes do hundreds of these each. */
final class Operation {
  /** The kinds of operations. */
  enum Kind {
    /** Computes for {@link #nanos}. */
    COMPUTE,
    /** Sends {@link #bytes} to {@link #peer}. */
    SEND,
    /** Waits for the next message from {@link #peer}. */
    RECEIVE,
    /** Waits for the first message of a flood, or until the clock is at {@link #nanos}. */
    AWAIT_FLOOD,
    /** Sends a message of the flood to {@link #peer}; its receiver need not wait for it. */
    FLOOD,
    /** Ends the step {@link #peer}. */
    MARK,
    /** Has nothing left to do. */
    END
  }

  Kind kind = Kind.END;
  int peer;
  long bytes;
  long nanos;

  void compute(double forNanos) {
    kind = Kind.COMPUTE;
    nanos = Math.max(0, Math.round(forNanos));
  }

  void send(int to, long size) {
    kind = Kind.SEND;
    peer = to;
    bytes = size;
  }

  void receive(int from) {
    kind = Kind.RECEIVE;
    peer = from;
  }

  void awaitFlood(double untilNanos) {
    kind = Kind.AWAIT_FLOOD;
    nanos = Math.round(untilNanos);
  }

  void flood(int to) {
    kind = Kind.FLOOD;
    peer = to;
  }

  void mark(int step) {
    kind = Kind.MARK;
    peer = step;
  }

  void end() {
    kind = Kind.END;
  }
}
