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
  /** Ranks may have read something first in different iterations. */
  private static final int MOST_FAILURES = 5;
  private static final String OTHER_VALUE = "after a failure and a restore it had another value than before";

  private final List<Pattern> ignored;
  private final Set<Pattern> useless;
  private final Set<String> leftOut = new TreeSet<>();
  private final Map<String, Advised> all = new LinkedHashMap<>();
  private final Set<Integer> ranks = new TreeSet<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private final Set<String> failures = new LinkedHashSet<>();
  private final Set<String> again = new TreeSet<>();
  private final Set<String> other = new TreeSet<>();
  private long iterations;
  private final Set<Long> tellingIterations = new LinkedHashSet<>();

  private Ranks(List<Pattern> ignored) {
    this.ignored = ignored;
    useless = new LinkedHashSet<>(ignored);
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
    Stream.of(process.note().split(",")).filter(text -> !text.isEmpty()).map(Long::valueOf).forEach(tellingIterations::add);
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
        case LEFT_OUT -> leftOut.add(finding.name());
        default -> {
          if (finding.isItem() || !isIgnored(finding.name())) {
            all.computeIfAbsent((finding.isItem() ? "item " : "location ") + finding.name(), key -> new Advised()).add(rank,
                finding);
          }
        }
      }
    }
  }

  private boolean isIgnored(String name) {
    boolean isIgnored = false;
    for (Pattern pattern : ignored) {
      if (pattern.matcher(name).find()) {
        isIgnored = true;
        useless.remove(pattern);
      }
    }
    return isIgnored;
  }

  /** The patterns of ignored names that no location has. */
  Set<Pattern> useless() {
    return useless;
  }

  /** The names of all protected items. */
  Set<String> items() {
    Set<String> items = new TreeSet<>(leftOut);
    all.values().stream().map(Advised::first).filter(Finding::isItem).forEach(item -> items.add(item.name()));
    return items;
  }

  /** The names of all locations. */
  Set<String> locations() {
    Set<String> locations = new TreeSet<>();
    all.values().stream().map(Advised::first).filter(one -> !one.isItem()).forEach(location -> locations.add(location.name()));
    return locations;
  }

  /** The iterations in which failures tell most, the one that tells of most locations first. */
  List<Long> tellingIterations() {
    return tellingIterations.stream().limit(MOST_FAILURES).toList();
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
      } else if (one.first().verdict() == Verdict.MISSING || one.first().verdict() == Verdict.STATE) {
        if (repeated.other.contains(name)) {
          one.becomes(one.first().verdict());
          one.note(OTHER_VALUE);
        } else if (!one.note().contains(OTHER_VALUE) && (repeated.again.contains(name)
            || one.first().isReference() && repeated.again.contains(name + Finding.REFERENCE))) {
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
