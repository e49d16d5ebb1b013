// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.protection;

import java.util.function.Supplier;

/** A protected item of the program. */
public final class Item {
  /** The name that the program gave it. */
  public final String name;
  /** The number of the place that protects it. */
  public final int place;
  private final Supplier<?> getter;
  private final boolean isWhole;
  private volatile long bytes;
  private volatile boolean isNeeded;

  /**
   * An item that a call protects.
   *
   * @param getter gives the present value
   * @param isWhole whether all objects that the value refers to are saved
   */
  Item(String name, int place, Supplier<?> getter, boolean isWhole) {
    this.name = name;
    this.place = place;
    this.getter = getter;
    this.isWhole = isWhole;
  }

  Object value() {
    return getter.get();
  }

  boolean isWhole() {
    return isWhole;
  }

  void size(long size) {
    bytes = Math.max(bytes, size);
  }

  /** The bytes of its data, the largest of all saves. */
  public long bytes() {
    return bytes;
  }

  /** A location that it saves must be saved. */
  public void need() {
    isNeeded = true;
  }

  /** Whether one of its locations must be saved. */
  public boolean isNeeded() {
    return isNeeded;
  }
}
