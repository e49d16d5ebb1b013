// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.Arrays;

/** The events of a simulation, the earliest first: a binary heap in two arrays, as objects for a million would take too long. */
final class EventQueue {
  private long[] times;
  private int[] subjects;
  private int size;

  EventQueue(int capacity) {
    times = new long[capacity];
    subjects = new int[capacity];
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The time of the earliest event. */
  long time() {
    return times[0];
  }

  void add(long time, int subject) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      subjects = Arrays.copyOf(subjects, 2 * size);
    }
    int at = size++;
    while (at > 0 && times[(at - 1) / 2] > time) {
      times[at] = times[(at - 1) / 2];
      subjects[at] = subjects[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    times[at] = time;
    subjects[at] = subject;
  }

  /** Removes the earliest event, and returns its subject. */
  int remove() {
    int earliest = subjects[0];
    size--;
    long time = times[size];
    int at = 0;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && times[child + 1] < times[child]) {
        child++;
      }
      if (times[child] >= time) {
        break;
      }
      times[at] = times[child];
      subjects[at] = subjects[child];
      at = child;
    }
    times[at] = time;
    subjects[at] = subjects[size];
    return earliest;
  }
}
