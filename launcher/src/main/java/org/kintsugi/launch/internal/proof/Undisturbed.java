// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.kintsugi.launch.internal.proof.ProofJob.Outcome;
import org.kintsugi.launch.internal.proof.Recording.Place;

/** What all undisturbed runs of the program have in common. */
final class Undisturbed {
  private static final int MOST_LINES = 5;

  private final Outcome first;
  private final List<Pattern> ignored;
  private final Set<String> steady;
  private final int printed;

  /**
   * As the first run shows it.
   *
   * @param ignored patterns of lines of output that are not compared
   */
  Undisturbed(Outcome first, List<Pattern> ignored) {
    this.first = first;
    this.ignored = ignored;
    steady = compared(first.lines());
    printed = steady.size();
  }

  /** Where a run with a failure differs. */
  record Differences(List<String> texts, boolean areOfLinesOnly) {
    boolean isEmpty() {
      return texts.isEmpty();
    }
  }

  private Set<String> compared(Set<String> lines) {
    Set<String> compared = new LinkedHashSet<>(lines);
    compared.removeIf(line -> ignored.stream().anyMatch(pattern -> pattern.matcher(line).find()));
    return compared;
  }

  /**
   * Compares another run without a failure, and forgets the lines that it does not print.
   *
   * @return why nothing can be proved; null: both are the same
   */
  String objection(Outcome again) {
    if (first.code() != again.code()) {
      return "two runs without a failure end with " + first.code() + " and " + again.code() + ":\n" + again.errors();
    }
    List<Place> unsteady = first.recording().differences(again.recording());
    if (!unsteady.isEmpty()) {
      return "two runs without a failure differ: " + unsteady.get(0) + " is the first of " + unsteady.size() + " such items. "
          + "Results that depend on the order of messages, on the time or on random numbers cannot be compared: receive from "
          + "named ranks, give seeds, or sum in a fixed order";
    }
    steady.retainAll(compared(again.lines()));
    return null;
  }

  /** The number of lines that some of the runs did not print. */
  int unsteadyLines() {
    return printed - steady.size();
  }

  /** How much of what it saves another run has saved as well; null: all. Saves that depend on the time are others in each run. */
  String leftOut(Outcome outcome) {
    int common = first.recording().common(outcome.recording()).size();
    int all = first.recording().size();
    return common == all ? null
        : "compared: " + common + " of " + all
            + " items in all versions; it has not saved the others, as saves do not depend on the "
            + "iteration alone. Save at a fixed interval for a proof that compares all";
  }

  /** Compares a run with a failure. */
  Differences differences(Outcome outcome) {
    List<String> all = new ArrayList<>();
    if (outcome.hasHung()) {
      all.add("it did not end in time:\n" + outcome.errors());
    } else if (outcome.code() != first.code()) {
      all.add("it ends with " + outcome.code() + ", without a failure with " + first.code() + ":\n" + outcome.errors());
    }
    List<Place> places = first.recording().differences(outcome.recording());
    if (!places.isEmpty()) {
      all.add("differs first: " + places.get(0) + " (" + places.size() + " of "
          + first.recording().common(outcome.recording()).size() + " items in all versions differ)");
    }
    boolean areOfLinesOnly = all.isEmpty();
    Set<String> lines = compared(outcome.lines());
    steady.stream().filter(line -> !lines.contains(line)).limit(MOST_LINES)
        .forEach(line -> all.add("a line is missing: " + line));
    // Alone they are no difference: a program may say that it has recovered.
    if (!all.isEmpty()) {
      lines.stream().filter(line -> !steady.contains(line)).limit(MOST_LINES).forEach(line -> all.add("a line is new: " + line));
    }
    return new Differences(all, areOfLinesOnly);
  }
}
