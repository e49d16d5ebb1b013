// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

/** An experiment cannot be read, started or continued. The message says why, and what to do. */
final class ExperimentException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ExperimentException(String message) {
    super(message);
  }
}
