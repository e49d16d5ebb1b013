// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

/**
 * Kills this process at a chosen stage. So a test can try every stage of a save, a restore or a start. A stage is a call of MPI
 * or a change of a file: native/test/stages.c.
 */
public final class Stages {
  /** Names the library, which is also to be preloaded. */
  public static final String LIBRARY = "kintsugi.test.stages";

  /** No process reaches this one: stages are counted only. */
  public static final long NEVER = Long.MAX_VALUE;

  static {
    System.load(System.getProperty(LIBRARY));
  }

  private Stages() {}

  /**
   * From now on stages are counted, and the process ends by SIGKILL at one of them.
   *
   * @param deadly the number of that stage, from 1
   */
  public static native void arm(long deadly);

  /**
   * Only stages of this call count.
   *
   * @param call the function's name in C; empty: all count
   */
  public static native void only(String call);

  /**
   * No stage is deadly any more.
   *
   * @return how many there have been since {@link #arm}
   */
  static native long disarm();
}
