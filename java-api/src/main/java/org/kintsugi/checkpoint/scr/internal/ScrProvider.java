// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.EngineProvider;

/** Brings the engine {@code scr}. */
public final class ScrProvider implements EngineProvider {
  /** For {@link java.util.ServiceLoader}. */
  public ScrProvider() {}

  @Override
  public String name() {
    return "scr";
  }

  @Override
  public Engine make(String nodeName) {
    return ScrEngine.ofJob();
  }

  @Override
  public String whyAlone() {
    return "scr has levels of its own (-D" + CheckpointConfig.SCR_FLUSH.property() + "), it cannot be one among others";
  }

  @Override
  public boolean isForRunsOnly() {
    return true;
  }
}
