// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** The first places where a variable's value of an earlier iteration is read, and where it is changed. */
public final class Uses {
  private static final int MOST = 3;

  private final Set<Integer> reads = new CopyOnWriteArraySet<>();
  private final Set<Integer> writes = new CopyOnWriteArraySet<>();
  private volatile long firstRead = -1;

  /** A place reads the value. */
  public void read(int place) {
    read(place, Loop.iteration());
  }

  /** A place has read the value in an iteration. */
  public void read(int place, long iteration) {
    if (firstRead < 0) {
      firstRead = iteration;
    }
    add(reads, place);
  }

  /** A place changes the value. */
  public void write(int place) {
    add(writes, place);
  }

  private static void add(Set<Integer> places, int place) {
    if (places.size() < MOST) {
      places.add(place);
    }
  }

  /** Adds the places of others. */
  public void add(Uses others) {
    others.reads.forEach(place -> add(reads, place));
    if (firstRead < 0 || others.firstRead >= 0 && others.firstRead < firstRead) {
      firstRead = others.firstRead;
    }
    others.writes.forEach(this::write);
  }

  /** The first iteration that has read it; -1: none. */
  public long firstRead() {
    return firstRead;
  }

  /** Where it is read. */
  public List<String> reads() {
    return places(reads);
  }

  /** Where it is changed. */
  public List<String> writes() {
    return places(writes);
  }

  private static List<String> places(Set<Integer> places) {
    return places.stream().map(place -> Program.place(place).toString()).distinct().toList();
  }
}
