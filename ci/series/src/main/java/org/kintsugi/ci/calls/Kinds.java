// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Draws operations of all kinds. */
final class Kinds {
  private static final int TRIES = 1000;

  private final List<Pattern> without;

  /** @param without an operation whose text has one of them is not drawn; empty: all are */
  Kinds(List<Pattern> without) {
    this.without = without;
  }

  Operation operation(Plan plan, Teams teams, Form form, int tag, boolean isAlone, boolean mayBlock) {
    Operation drawn = draw(plan, teams, form, tag, isAlone, mayBlock);
    for (int i = 0; isLeftOut(drawn); i++) {
      if (i == TRIES) {
        throw new IllegalArgumentException("nothing is left without " + without);
      }
      drawn = draw(plan, teams, form, tag, isAlone, mayBlock);
    }
    return drawn;
  }

  private boolean isLeftOut(Operation operation) {
    if (without.isEmpty()) {
      return false;
    }
    String text = operation.toString();
    return without.stream().anyMatch(pattern -> pattern.matcher(text).find());
  }

  private static Operation draw(Plan plan, Teams teams, Form form, int tag, boolean isAlone, boolean mayBlock) {
    SplittableRandom random = plan.random;
    Team team = random.nextInt(4) == 0 ? teams.inter(random) : null;
    if (team == null) {
      team = teams.intra(random);
    }
    return switch (random.nextInt(mayBlock ? 24 : 22)) {
      case 0, 1, 2, 3 -> new Messages(plan, team, form, tag, isAlone, mayBlock);
      case 4, 5, 6 -> new Neighbours(plan, teams.grid(random), form, random.nextBoolean());
      case 7 -> new AllToAllW(plan, team, form);
      case 8, 9, 10, 11, 12 ->
        new Rooted(plan, team, form, Rooted.What.values()[random.nextInt(Rooted.What.values().length)]);
      case 13, 14, 15, 16 ->
        new AllGatherOrAllToAll(plan, team, form,
            AllGatherOrAllToAll.What.values()[random.nextInt(AllGatherOrAllToAll.What.values().length)]);
      case 17, 18, 19, 20, 21 ->
        new Reducing(plan, team, form, Reducing.What.values()[random.nextInt(Reducing.What.values().length)]);
      default -> new Singles(plan, team, form, Singles.What.values()[random.nextInt(Singles.What.values().length)]);
    };
  }
}
