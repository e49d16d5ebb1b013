// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

/** An experiment cannot be read, started or continued. The message says why, and what to do. */
public final class ExperimentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** @param message names the value, and says what would do */
  public ExperimentException(String message) {
    super(message);
  }
}
