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

  Verdict verdict() {
    return first.verdict();
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
        return one.elements() + " on rank " + ofRanks.firstKey() + ", " + other.getValue().elements() + " on rank " + other.getKey();
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
