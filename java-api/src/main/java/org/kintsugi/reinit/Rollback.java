// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import org.kintsugi.runtime.internal.InRecovery;

/**
 * Unwinds the stack to the restart point: thrown by the MPI call that finds a failure, or by {@link Run#poll}. An {@code Error},
 * so that {@code catch (Exception)} does not stop it; let it pass.
 */
@InRecovery
public final class Rollback extends Error {
  private static final long serialVersionUID = 1L;

  Rollback(String message, Throwable cause) {
    // No stack trace of its own: the fault's says where, and a rollback should be quick.
    super(message, cause, false, false);
  }
}
