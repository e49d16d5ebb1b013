// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

/**
 * A bar on the line of a process.
 *
 * @param kind what the process does
 * @param begin microseconds on the common clock
 * @param end likewise
 * @param share of the line's height, from 0 to 1
 * @param text what the reader sees under the mouse
 * @param label on the bar, where there is room; empty: none
 */
record Bar(BarKind kind, long begin, long end, double share, String text, String label) {
  Bar(BarKind kind, long begin, long end, String text, String label) {
    this(kind, begin, end, 1, text, label);
  }

  long micros() {
    return end - begin;
  }
}
