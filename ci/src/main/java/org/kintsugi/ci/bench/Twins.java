// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

/** The C twins, native/twins. */
final class Twins {
  private Twins() {}

  /** Loads them from the folder that the harness names. */
  static void load() {
    System.load(System.getProperty("kintsugi.twins"));
  }

  static native double pingPong(long buffer, int bytes, int rounds, int rank);

  static native double allReduce(long send, long receive, int count, int rounds);

  /** Windows of {@link MessageBench#WINDOW} messages in flight at once. */
  static native double stream(long buffer, int bytes, int rounds, int rank);

  static native double conjugateGradient(int nx, int ny, int nz, int passes);
}
