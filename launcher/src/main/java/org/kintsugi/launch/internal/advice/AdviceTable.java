// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.kintsugi.runtime.internal.advice.Finding;
import org.kintsugi.runtime.internal.advice.Finding.Verdict;

/** Prints what was found, for people. */
final class AdviceTable {
  private static final String US = "jmpirun: advice: ";
  private static final double KIBI = 1024;

  private final Ranks ranks;
  private final PrintStream console;

  AdviceTable(Ranks ranks, PrintStream console) {
    this.ranks = ranks;
    this.console = console;
  }

  void print() {
    console.println(US + ranks.count() + (ranks.count() == 1 ? " rank, " : " ranks, ") + ranks.iterations()
        + (ranks.iterations() == 1 ? " iteration" : " iterations"));
    ranks.failures().forEach(failure -> console.println(US + failure + ": what it would have done later is not looked at"));
    if (ranks.all().stream().anyMatch(one -> one.first().name().matches(".*: local \\d+"))) {
      console.println(US + "classes compiled without -g have no names of local variables: javac -g keeps them");
    }
    ranks.warnings().forEach(warning -> console.println(US + warning));
    print(Verdict.MISSING, "MISSING: iterations read values that earlier iterations wrote, and nothing protects them");
    print(Verdict.STATE, "STATE that iterations share, and that no checkpoint can save as it is");
    print(Verdict.FILE,
        "FILES that iterations share, and that no version has. If the program reads what it wrote: protect the length or the "
            + "position, and cut the file or seek after a restore");
    print(Verdict.ONCE,
        "FILLED ONCE: perhaps a cache, which may be lost. If the program would not fill it again with the same, protect it");
    print(Verdict.LAST, "READ AFTER THE LOOP only: protect them if a version may be saved after the last iteration");
    names(Verdict.AGAIN, "Made again after a restore, with the same values, as a run with a failure has shown");
    items(Verdict.PARTLY, "PROTECTED in part: the rest is named above, with the call in place of this one");
    items(Verdict.PROTECTED, "PROTECTED, and needed");
    items(Verdict.SUPERFLUOUS,
        "PROTECTED, but no iteration needs what earlier ones wrote there: each save copies it. The body may need it "
            + "after a restore");
    names(Verdict.COUNTER, "Counts the iterations, and gets its value from restore()");
    int missing = ranks.of(Verdict.MISSING).size() + ranks.of(Verdict.STATE).size();
    console.println(
        US + (missing == 0 ? "nothing is missing" : missing == 1 ? "1 location is missing" : missing + " locations are missing"));
  }

  private void print(Verdict verdict, String title) {
    List<Advised> some = ranks.of(verdict);
    if (some.isEmpty()) {
      return;
    }
    console.println(title);
    for (Advised one : some) {
      Finding first = one.first();
      String defined = first.definition().isEmpty() ? "" : ", defined at " + first.definition();
      console.println("  " + first.name() + ", " + first.type() + defined + size(one));
      line("elements ", one.elements());
      line("read in ", places(one.reads()));
      line("changed in ", places(one.writes()));
      line("", one.note());
      line("", first.call());
    }
  }

  private void names(Verdict verdict, String title) {
    List<Advised> some = ranks.of(verdict);
    if (!some.isEmpty()) {
      console.println(title + ": " + String.join(", ", some.stream().map(one -> one.first().name()).toList()));
    }
  }

  private void line(String label, String text) {
    if (!text.isEmpty()) {
      console.println("      " + label + text);
    }
  }

  private static String places(Collection<String> places) {
    return String.join(", ", places.stream().limit(3).toList());
  }

  private void items(Verdict verdict, String title) {
    List<Advised> some = ranks.of(verdict);
    if (some.isEmpty()) {
      return;
    }
    long all = ranks.all().stream().filter(one -> one.first().isItem()).mapToLong(Advised::mostBytes).sum();
    console.println(title);
    for (Advised one : some) {
      String share = all == 0 ? "" : String.format(Locale.ROOT, ", %.1f %% of all", 100.0 * one.mostBytes() / all);
      console.println("  " + one.first().name() + size(one) + share);
      line("has ", one.first().note());
    }
  }

  private String size(Advised one) {
    if (one.mostBytes() < 0 || !one.first().isItem() && one.first().isReference()) {
      return "";
    }
    String on = one.ofRanks().size() == ranks.count() ? " on each rank"
        : one.ofRanks().size() == 1 ? " on rank " + one.ofRanks().firstKey() : " on " + one.ofRanks().size() + " ranks";
    return ", " + (one.leastBytes() == one.mostBytes() ? "" : bytes(one.leastBytes()) + " to ") + bytes(one.mostBytes()) + on;
  }

  private static String bytes(long bytes) {
    return bytes < KIBI ? bytes + " bytes" : bytes < KIBI * KIBI ? String.format(Locale.ROOT, "%.1f KiB", bytes / KIBI)
        : String.format(Locale.ROOT, "%.1f MiB", bytes / KIBI / KIBI);
  }
}
