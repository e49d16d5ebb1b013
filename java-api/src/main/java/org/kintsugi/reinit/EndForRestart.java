// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

/** Leaves the body after {@link Run#endForRestart}. An {@code Error}, so that {@code catch (Exception)} does not stop it. */
final class EndForRestart extends Error {
  private static final long serialVersionUID = 1L;

  EndForRestart() {
    super("the job ends, to be started again: let this pass", null, false, false);
  }
}
