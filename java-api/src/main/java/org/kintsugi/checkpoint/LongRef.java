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
   * Makes it another number.
   *
   * @param newValue what it is from now on
   */
  public void set(long newValue) {
    value = newValue;
  }

  /**
   * Adds to it.
   *
   * @param more what is added
   * @return the sum, which it is now
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
