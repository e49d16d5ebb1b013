// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeMap;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** The findings of all ranks about one location or item. */
final class Advised {
  private Finding first;
  private Verdict verdict; // null: that of the first run
  private String note = "";
  private final Set<String> reads = new LinkedHashSet<>();
  private final Set<String> writes = new LinkedHashSet<>();
  private final TreeMap<Integer, Finding> ofRanks = new TreeMap<>();

  /** Adds the finding of a rank. The worst verdict counts. */
  void add(int rank, Finding finding) {
    if (first == null || finding.verdict().compareTo(first.verdict()) < 0) {
      first = finding;
    }
    reads.addAll(finding.reads());
    writes.addAll(finding.writes());
    ofRanks.put(rank, finding);
  }

  /** Another run has shown something else. */
  void becomes(Verdict shown) {
    verdict = shown;
  }

  /** Adds a sentence. */
  void note(String sentence) {
    note = sentence;
  }

  Verdict verdict() {
    return verdict == null ? first.verdict() : verdict;
  }

  /** A sentence more; empty: there is none. */
  String note() {
    return first.note() + (first.note().isEmpty() || note.isEmpty() ? "" : "; ") + note;
  }

  Finding first() {
    return first;
  }

  Set<String> reads() {
    return reads;
  }

  Set<String> writes() {
    return writes;
  }

  TreeMap<Integer, Finding> ofRanks() {
    return ofRanks;
  }

  /** The elements if all ranks have the same, or a sentence with two examples. */
  String elements() {
    Finding one = ofRanks.firstEntry().getValue();
    for (var other : ofRanks.entrySet()) {
      if (!other.getValue().elements().equals(one.elements())) {
        return one.elements() + " on rank " + ofRanks.firstKey() + ", " + other.getValue().elements() + " on rank "
            + other.getKey();
      }
    }
    return one.elements();
  }

  long leastBytes() {
    return ofRanks.values().stream().mapToLong(Finding::bytes).min().orElse(0);
  }

  long mostBytes() {
    return ofRanks.values().stream().mapToLong(Finding::bytes).max().orElse(0);
  }
}
