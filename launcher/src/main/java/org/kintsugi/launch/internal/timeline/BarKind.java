// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

/**
 * What a process does while a {@link Bar} of the timeline lasts: its text in the legend, and its colour.
 *
 * <p>The name of a constant in lower case is the class of its bars in the page's style sheet.
 */
enum BarKind {
  STARTS("starts, or is outside of the run", "#c9ced6"),
  COMPUTES("computes", "#7cc47f"),
  WAITS("waits in MPI (share of the time)", "#f2b134"),
  CALL("a long call of MPI", "#9c6a00"),
  SAVES("saves", "#3b7dd8"),
  RESTORES("restores", "#14a0a0"),
  RECOVERS("recovers", "#d84b4b"),
  STEP("a step of a recovery: the tables have their colours", "#8e5bb5"),
  SPARE("waits as a spare", "#e8ebf0"),
  DONE("its body has ended, others' have not", "#fbe3b0"),
  PAUSE("garbage collection", "#444444"),
  LOST("not recorded: lost with the process", "url(#lost)"),
  FAILED("failed; its rank is being replaced", "url(#failed)");

  /** The words of the legend. */
  final String text;
  final String colour;

  BarKind(String text, String colour) {
    this.text = text;
    this.colour = colour;
  }
}
