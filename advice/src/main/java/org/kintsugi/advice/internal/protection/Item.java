// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.protection;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** A protected item of the program. */
public final class Item {
  /** The name that the program gave it. */
  public final String name;
  /** The number of the place that protects it. */
  public final int place;
  private final Supplier<?> getter;
  private final boolean isWhole;
  private final boolean isLeftOut;
  private volatile long bytes;
  private final Set<String> needs = Collections.synchronizedSet(new LinkedHashSet<>());

  /**
   * An item that a call protects.
   *
   * @param getter gives the present value
   * @param isWhole whether all objects that the value refers to are saved
   * @param isLeftOut whether it counts as not protected
   */
  Item(String name, int place, Supplier<?> getter, boolean isWhole, boolean isLeftOut) {
    this.name = name;
    this.place = place;
    this.getter = getter;
    this.isWhole = isWhole;
    this.isLeftOut = isLeftOut;
  }

  Object value() {
    return getter.get();
  }

  /** Whether it counts as not protected, as the user wants to know what would be missing then. */
  public boolean isLeftOut() {
    return isLeftOut;
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

  /** A location that it saves must be saved. @param location its name */
  public void need(String location) {
    needs.add(location);
  }

  /** The names of the locations that it saves, and that must be saved. */
  public List<String> needs() {
    synchronized (needs) {
      return List.copyOf(needs);
    }
  }

  /** Whether one of its locations must be saved. */
  public boolean isNeeded() {
    return !needs.isEmpty();
  }
}
