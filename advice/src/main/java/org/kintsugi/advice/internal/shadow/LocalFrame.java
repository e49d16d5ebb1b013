// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.shadow;

import org.kintsugi.advice.internal.code.Loop;

/** The tracked local variables of one call of a method. */
public final class LocalFrame {
  /** Their shadow. */
  public final Shadow shadow;
  private final long[] bits;
  private final Object[] references;
  private final boolean[] isRestored;

  /** For a number of variables, none of which has a value yet. */
  public LocalFrame(int variables) {
    shadow = Shadows.apart(this, variables);
    bits = new long[variables];
    references = new Object[variables];
    isRestored = new boolean[variables];
  }

  /** Stores bits. @return those before */
  public long set(int index, long value, boolean hasRestored) {
    long before = bits[index];
    bits[index] = value;
    if (Loop.now == Loop.start()) {
      isRestored[index] = hasRestored;
    }
    return before;
  }

  /** Stores a reference. @return that before */
  public Object set(int index, Object value) {
    Object before = references[index];
    references[index] = value;
    return before;
  }

  /** Whether the variable got its first value after the program had restored. */
  public boolean isRestored(int index) {
    return isRestored[index];
  }
}
