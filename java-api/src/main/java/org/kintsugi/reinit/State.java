// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

/** How a process came to the restart point: the states of the Reinit++ paper, section 3.1. */
public enum State {
  /** Runs for the first time ({@code MPI_REINIT_NEW}). */
  NEW,
  /** Survived a failure and was rolled back ({@code MPI_REINIT_REINITED}). */
  REINITED,
  /** Takes the place of a process that died ({@code MPI_REINIT_RESTARTED}). */
  RESTARTED
}
