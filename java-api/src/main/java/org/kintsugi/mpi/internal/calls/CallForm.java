// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

/** How a collective is executed. */
public enum CallForm {
  /**
   * MPI's function returns when the operation is done, and there is no request. On a virtual
   * thread, a platform thread makes the call: a nonblocking collective would not match the blocking
   * one of another process.
   */
  BLOCKING,
  /** The operation is under way when MPI's function returns. */
  NONBLOCKING,
  /** The operation is only set up; it can be started many times. */
  PERSISTENT;

  /** MPI's function of this form, by the one of the blocking form: MPI_Gather, MPI_Igather, MPI_Gather_init. */
  public String nameOf(String function) {
    int verb = "MPI_".length();
    return this == BLOCKING ? function : this == PERSISTENT ? function + "_init"
        : "MPI_I" + Character.toLowerCase(function.charAt(verb)) + function.substring(verb + 1);
  }
}
