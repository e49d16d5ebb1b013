// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.collective.FailureExchange;

/** Runs steps that each rank takes by itself, and that may fail on one rank alone. */
public final class AllOrNone {
  private AllOrNone() {}

  /** Runs a local step, and returns when every rank has succeeded. Collective. */
  public static void run(Comm world, Runnable local) {
    CheckpointException failure = null;
    try {
      local.run();
    } catch (CheckpointException e) {
      failure = e;
    }
    FailureExchange.refuse(world, failure, CheckpointException::new);
  }
}
