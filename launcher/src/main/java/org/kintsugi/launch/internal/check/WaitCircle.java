// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Finds a circle among waiting processes, none of which can go on.
 *
 * <p>A process that waits for several waits for all of them, so one circle is enough.
 *
 * @param <T> the type of the waiting processes
 */
final class WaitCircle<T> {
  private final Function<T, Collection<T>> waitsFor;
  /** True: on the path under examination; false: leads into no circle. */
  private final Map<T, Boolean> seen = new HashMap<>();
  private final List<T> way = new ArrayList<>();

  private WaitCircle(Function<T, Collection<T>> waitsFor) {
    this.waitsFor = waitsFor;
  }

  /**
   * Searches for a circle.
   *
   * @param all all that wait
   * @param waitsFor those of them that one waits for
   * @return each waits for the next, and the last for the first; empty: there is none
   */
  static <T> List<T> among(Collection<T> all, Function<T, Collection<T>> waitsFor) {
    WaitCircle<T> search = new WaitCircle<>(waitsFor);
    for (T one : all) {
      List<T> found = search.from(one);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private List<T> from(T one) {
    Boolean isOnTheWay = seen.get(one);
    if (isOnTheWay != null) {
      return isOnTheWay ? new ArrayList<>(way.subList(way.indexOf(one), way.size())) : List.of();
    }
    seen.put(one, true);
    way.add(one);
    for (T next : waitsFor.apply(one)) {
      List<T> found = from(next);
      if (!found.isEmpty()) {
        return found;
      }
    }
    way.remove(way.size() - 1);
    seen.put(one, false);
    return List.of();
  }
}
