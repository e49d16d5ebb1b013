// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.events;

/** The steps of a recovery, with the names that a recording shows. */
public enum RecoveryStep {
  /** From the detection of the failure on: the body is left, and its cleanup handlers run. */
  ROLL_BACK("roll back"),
  /** All processes agree on how the epoch has ended. */
  MEET("meet"),
  /** The communicator of all processes is made anew without the failed ones. */
  SHRINK("shrink"),
  /** The processes exchange their states, from which each computes the same plan. */
  EXCHANGE("exchange states"),
  /** A process that was started meanwhile is admitted. */
  ADMIT("admit a process"),
  /** The new world is made. */
  SPLIT("split"),
  /** All processes agree that the repair has succeeded on each of them. */
  AGREE("agree"),
  /** On the Reinit++ fork the runtime replaces the failed process, and repairs the world. */
  RUNTIME("repair by the runtime"),
  /** On the Reinit++ fork all processes exchange their states. */
  ROLL_CALL("roll call"),
  /** The old epoch's handles are released, and the new epoch's objects are made. */
  ENTER("enter");

  /** As a recording shows it. */
  final String text;

  RecoveryStep(String text) {
    this.text = text;
  }
}
