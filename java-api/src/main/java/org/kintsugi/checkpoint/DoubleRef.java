// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

/** A floating-point number that belongs to a version; {@link Checkpoint#doubleRef} makes it. Not synchronized. */
public final class DoubleRef {
  private double value;

  DoubleRef() {}

  /**
   * The number.
   *
   * @return as the program, or the last restore, has set it
   */
  public double get() {
    return value;
  }

  /**
   * Sets the number.
   *
   * @param newValue its new value
   */
  public void set(double newValue) {
    value = newValue;
  }

  /**
   * Adds to the number.
   *
   * @param more what is added
   * @return the sum, its new value
   */
  public double add(double more) {
    value += more;
    return value;
  }

  /** The number as text. */
  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
