// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.proof;

/** Ends the run on each rank after the last iteration that a proof looks at. An error: programs catch exceptions. */
public final class ProofEnd extends Error {
  private static final long serialVersionUID = 1L;

  ProofEnd(long last) {
    super("the run ends after iteration " + last + " (jmpirun --prove-until)", null, false, false);
  }
}
