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

  /** A copy of the data, and that exchanged with the partners. */
  static native double memorySave(long data, long own, long held, int bytes, int holder, int owner);

  /** The data into a file whose name is C's string at that address, synced; negative if that failed. */
  static native double fileSave(long path, long data, long bytes);

  static native double conjugateGradient(int nx, int ny, int nz, int passes);

  /**
   * Saves with SCR as a C program does, a file per rank and version.
   *
   * @param library the path of libscr, a C string; loaded here, and unloaded
   * @param prefix SCR_PREFIX, a C string
   * @param times seconds of each save, an off-heap array of {@code saves} doubles
   * @return 0, or the first code of SCR that is not, or -1 if it cannot be loaded or a file not be written
   */
  static native int scrSaves(long library, long prefix, long image, long bytes, int saves, long times);

  static native int ftiBegin(long library, long config, long comm, long data, long bytes);

  static native double ftiSave(int id, int level);
}
