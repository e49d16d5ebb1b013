// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.lifetime;

import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ReinitPlusPlus;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.internal.InRecovery;

/** The signal by which the Reinit++ fork reports a failure, and the calls that it interrupts. */
@InRecovery
public final class RollbackSignal {
  private RollbackSignal() {}

  /**
   * Whether a call with this error was interrupted for a rollback. Then its operation continues
   * inside MPI until the rollback is over, or was not begun at all. Always false on other flavours,
   * where a failed call has ended.
   */
  public static boolean isLeft(int code) {
    return code == MPI.MPI_ERR_PROC_FAILED && Flavour.current() == Flavour.REINIT;
  }

  /** Whether a failure is known that was not recovered yet. Always false on other flavours. */
  public static boolean isPending() {
    return Flavour.current() == Flavour.REINIT && ReinitPlusPlus.kintsugi_reinit_is_pending() != 0;
  }
}
