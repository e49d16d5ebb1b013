// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Counts the mutants that a proof catches, and those of which advice names the item that is not protected. */
final class Judgement {
  /** Of the mutants with another result, in percent. */
  private static final double LEAST_NAMED = 95;

  private final Map<ProvedApp, Row> rows = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private final List<String> unnamed = new ArrayList<>();

  /** The counts of an application. */
  private static final class Row {
    private int mutants;
    private int caught;
    private int named;
    private final List<String> same = new ArrayList<>();
    private final List<String> namedThoughSame = new ArrayList<>();
    private final List<String> unnamed = new ArrayList<>();
  }

  private Row row(ProvedApp app) {
    return rows.computeIfAbsent(app, one -> new Row());
  }

  /** The application with all its items. */
  void complete(ProvedApp app, AppProof.Verdict proof, AppAdvice.Verdict advice) {
    if (!proof.isComplete()) {
      wrong.add(app + " with all items, --prove: " + proof);
    }
    if (!advice.isComplete()) {
      wrong.add(app + " with all items, --advise: code " + advice.code() + ", missing: " + advice.missing());
    }
  }

  /**
   * The application without one item.
   *
   * @param locations that the item saves, as advice on the complete application has named them
   * @return a line about it
   */
  String mutant(ProvedApp app, String item, AppProof.Verdict proof, Set<String> locations, AppAdvice.Verdict advice) {
    Row row = row(app);
    row.mutants++;
    String reason = app.whyNeedless(item);
    String what = app + " without " + item;
    if (reason == null ? !proof.isCaught() : !proof.isComplete()) {
      wrong.add(what + ", --prove: " + proof + ", which was not expected");
    }
    if (!advice.hasEnded()) {
      wrong.add(what + ", --advise: no verdict, code " + advice.code() + ":\n" + advice.printed());
    }
    Set<String> named = new TreeSet<>(advice.missing());
    named.retainAll(locations);
    if (reason != null) {
      row.same.add(item);
      if (!named.isEmpty()) {
        row.namedThoughSame.add(item);
      }
    } else {
      row.caught += proof.isCaught() ? 1 : 0;
      row.named += named.isEmpty() ? 0 : 1;
      if (named.isEmpty()) {
        row.unnamed.add(item);
        unnamed.add(what + ": " + (app.whyUnnamed(item) == null ? "--advise does not name it" : app.whyUnnamed(item)));
        if (app.whyUnnamed(item) == null) {
          wrong.add(what + ", --advise: does not name any of " + locations + ", but " + advice.missing());
        }
      }
    }
    Set<String> others = new TreeSet<>(advice.missing());
    others.removeAll(locations);
    return what + ": --prove: " + proof + "; --advise: " + (named.isEmpty() ? "not named" : "named: " + named)
        + (others.isEmpty() ? "" : ", and named with it: " + others)
        + (advice.filledOnce().isEmpty() ? "" : ", filled once: " + advice.filledOnce()) + (reason == null ? "" : "; " + reason);
  }

  /** What was not expected. */
  List<String> wrong() {
    return wrong;
  }

  /** Whether all is as expected, and enough of the mutants are named. */
  boolean isGood() {
    int changed = changed();
    return wrong.isEmpty() && mutants() > 0 && (changed == 0 || 100.0 * named() / changed >= LEAST_NAMED);
  }

  private int mutants() {
    return rows.values().stream().mapToInt(row -> row.mutants).sum();
  }

  /** The mutants that compute something else. */
  private int changed() {
    return rows.values().stream().mapToInt(row -> row.mutants - row.same.size()).sum();
  }

  private int named() {
    return rows.values().stream().mapToInt(row -> row.named).sum();
  }

  /** The counts as a table of the manual, and a line for each mutant that is not named. */
  String table() {
    StringBuilder table =
        new StringBuilder("| application | items | change the result | caught | named | the same result without |\n"
            + "|---|---|---|---|---|---|\n");
    rows.forEach((app, row) -> table.append("| ").append(app).append(" | ").append(row.mutants).append(" | ")
        .append(row.mutants - row.same.size()).append(" | ").append(row.caught).append(" | ").append(row.named)
        .append(row.unnamed.isEmpty() ? "" : ", not `" + String.join("`, `", row.unnamed) + "`").append(" | `")
        .append(String.join("`, `", row.same)).append('`')
        .append(row.namedThoughSame.isEmpty() ? "" : "; of these named: `" + String.join("`, `", row.namedThoughSame) + "`")
        .append(" |\n"));
    unnamed.forEach(one -> table.append(one).append('\n'));
    int caught = rows.values().stream().mapToInt(row -> row.caught).sum();
    return table
        + String.format(Locale.ROOT, "%d mutants, %d of which compute something else: --prove catches %d, --advise names "
            + "%d%n", mutants(), changed(), caught, named());
  }
}
