// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** The findings of all processes of a job that have made iterations. */
final class Ranks {
  private static final String SUFFIX = ".advice";

  private final List<Pattern> ignored;
  private final Map<String, Advised> all = new LinkedHashMap<>();
  private final Set<Integer> ranks = new TreeSet<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private final Set<String> failures = new LinkedHashSet<>();
  private final Set<String> again = new TreeSet<>();
  private final Set<String> other = new TreeSet<>();
  private long iterations;
  private long tellingIteration = -1;

  private Ranks(List<Pattern> ignored) {
    this.ignored = ignored;
  }

  /** Reads all files in the folder, without locations of some names. */
  static Ranks in(Path folder, List<Pattern> ignored) throws IOException {
    Ranks ranks = new Ranks(ignored);
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(SUFFIX)).sorted().toList()) {
        ranks.read(Files.readAllLines(file));
      }
    }
    return ranks;
  }

  private void read(List<String> lines) {
    Finding process = lines.isEmpty() ? null : Finding.of(lines.get(0));
    if (process == null || process.verdict() != Verdict.PROCESS || process.bytes() == 0) {
      return; // a spare
    }
    int rank = Integer.parseInt(process.name());
    ranks.add(rank);
    iterations = Math.max(iterations, process.bytes());
    tellingIteration = Math.max(tellingIteration, Long.parseLong(process.note()));
    for (String line : lines.subList(1, lines.size())) {
      Finding finding = Finding.of(line);
      if (finding == null) {
        continue;
      }
      switch (finding.verdict()) {
        case WARNING -> warnings.add(finding.name());
        case AGAIN -> again.add(finding.name());
        case OTHER -> other.add(finding.name());
        case FAILED -> failures.add("rank " + rank + " ended with " + finding.name());
        default -> {
          boolean isItem = finding.verdict() == Verdict.PROTECTED || finding.verdict() == Verdict.SUPERFLUOUS;
          if (!isItem && ignored.stream().anyMatch(pattern -> pattern.matcher(finding.name()).find())) {
            continue;
          }
          all.computeIfAbsent((isItem ? "item " : "location ") + finding.name(), key -> new Advised()).add(rank, finding);
        }
      }
    }
  }

  /** The iteration in which a failure tells most; -1: none does. */
  long tellingIteration() {
    return tellingIteration;
  }

  /** Whether a rank has made an iteration again. */
  boolean hasCompared() {
    return !again.isEmpty() || !other.isEmpty();
  }

  /** What is missing here, and was there again after the failure of another run, is not missing. */
  void compare(Ranks repeated) {
    for (Advised one : all.values()) {
      String name = one.first().name();
      if (one.verdict() == Verdict.COUNTER && repeated.other.contains(name)) {
        one.becomes(Verdict.MISSING);
        one.note(
            "it counts the iterations, and after a restore it had another value than before: set it from what restore() returns");
      } else if (one.verdict() == Verdict.MISSING || one.verdict() == Verdict.STATE) {
        if (repeated.other.contains(name)) {
          one.note("after a failure and a restore it had another value than before");
        } else if (repeated.again.contains(name)
            || one.first().isReference() && repeated.again.contains(name + Finding.REFERENCE)) {
          one.becomes(Verdict.AGAIN);
        }
      }
    }
  }

  long iterations() {
    return iterations;
  }

  /** The number of ranks that have made iterations. */
  int count() {
    return ranks.size();
  }

  Set<String> warnings() {
    return warnings;
  }

  Set<String> failures() {
    return failures;
  }

  Collection<Advised> all() {
    return all.values();
  }

  List<Advised> of(Verdict verdict) {
    return all.values().stream().filter(one -> one.verdict() == verdict).toList();
  }

  /** Whether a run with a failure can show more: that something is made again, or that a counter is not. */
  boolean isWorthRepeating() {
    return isSomethingMissing() || of(Verdict.COUNTER).size() > 1;
  }

  boolean isSomethingMissing() {
    return !of(Verdict.MISSING).isEmpty() || !of(Verdict.STATE).isEmpty();
  }
}
