// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

/** A whole number that belongs to a version; {@link Checkpoint#longRef} makes it. Not synchronized. */
public final class LongRef {
  private long value;

  LongRef() {}

  /**
   * The number.
   *
   * @return as the program, or the last restore, has set it
   */
  public long get() {
    return value;
  }

  /**
   * Sets the number.
   *
   * @param newValue its new value
   */
  public void set(long newValue) {
    value = newValue;
  }

  /**
   * Adds to the number.
   *
   * @param more what is added
   * @return the sum, its new value
   */
  public long add(long more) {
    value += more;
    return value;
  }

  /** The number as text. */
  @Override
  public String toString() {
    return String.valueOf(value);
  }
}
