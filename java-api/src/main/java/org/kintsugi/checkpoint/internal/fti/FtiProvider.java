// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.EngineProvider;

/** Brings the engine {@code fti}. */
public final class FtiProvider implements EngineProvider {
  /** For {@link java.util.ServiceLoader}. */
  public FtiProvider() {}

  @Override
  public String name() {
    return "fti";
  }

  @Override
  public Engine make(String nodeName) {
    return FtiEngine.ofJob(nodeName);
  }

  @Override
  public boolean isForRunsOnly() {
    return true;
  }
}
