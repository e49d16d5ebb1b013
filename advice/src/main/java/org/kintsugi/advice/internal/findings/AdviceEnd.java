// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.findings;

/** Ends the run on each rank after the last iteration that is looked at. An error: programs catch exceptions. */
public final class AdviceEnd extends Error {
  private static final long serialVersionUID = 1L;

  AdviceEnd(long last) {
    super("the run ends after iteration " + last + " (jmpirun --advise-until)", null, false, false);
  }
}
