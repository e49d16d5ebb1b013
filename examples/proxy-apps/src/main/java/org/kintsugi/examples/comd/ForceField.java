// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.comd;

/** Computes the forces on a rank's atoms. */
interface ForceField extends AutoCloseable {
  /** Sets the forces on all local atoms. Collective. @return this rank's part of the potential energy, in eV */
  double compute();

  @Override
  default void close() {
    // Most hold nothing.
  }
}
