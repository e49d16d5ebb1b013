// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.kintsugi.examples.experiments.report.Result.Part;

/**
 * A statement of a paper, or of ours, beside what was measured.
 *
 * @param statement what the paper says
 * @param verdict whether it is seen here
 * @param why the figures, or what is missing
 */
record Claim(String statement, Verdict verdict, String why) {
  /** What becomes of a claim. */
  enum Verdict {
    SEEN("seen here"), NOT_SEEN("not seen"), CANNOT_BE_SEEN("cannot be seen here");

    final String words;

    Verdict(String words) {
      this.words = words;
    }
  }

  private static final double LITTLE = 0.1;
  /** An interval of fewer values says nothing. */
  private static final int FEWEST = 3;
  private static final Predicate<Result> WITH_FAULT = result -> result.number("faults") > 0;
  private static final Predicate<Result> WITHOUT_FAULT = result -> result.number("faults") == 0;
  private static final ToDoubleFunction<Result> RECOVERY = result -> result.seconds(Part.RECOVERY);

  /** The claims of the MATCH paper, section V, and ours on the same runs. */
  static List<Claim> ofMatch(Results results, String over) {
    List<Claim> claims = new ArrayList<>();
    claims.add(quicker(results, "MATCH: Reinit++ recovers quicker than ULFM, up to 13 times, 4 times on average", "ulfm-spawn",
        "reinit-cold", WITH_FAULT, 1));
    claims.add(quicker(results, "MATCH: restarting is slower than Reinit++, up to 22 times, 16 times on average", "restart",
        "reinit-cold", WITH_FAULT, 1));
    claims.add(quicker(results, "MATCH: restarting is 2 to 3 times slower than ULFM", "restart", "ulfm-spawn", WITH_FAULT, 1));
    claims.add(slows(results, "MATCH: ULFM delays the application where nothing fails, Reinit++ does not", "ulfm-spawn",
        "reinit-cold"));
    if (over.equals("ranks")) {
      claims.add(grows(results, "MATCH: the recovery of ULFM takes longer with more processes", "ulfm-spawn", true));
      claims
          .add(grows(results, "MATCH: the recovery of Reinit++ is independent of the number of processes", "reinit-cold", false));
    } else {
      claims.add(changes(results, "MATCH: the recovery of ULFM is independent of the input", "ulfm-spawn"));
      claims.add(changes(results, "MATCH: the recovery of Reinit++ is independent of the input", "reinit-cold"));
    }
    Predicate<Result> hpccgOn4 = result -> result.text("application").equals("hpccg") && result.number("ranks") == 4;
    claims.add(quicker(results, "Kintsugi: warm spares recover 100 times quicker than a restart (HPCCG, 4 ranks)", "restart",
        "ulfm-spares", WITH_FAULT.and(hpccgOn4), 100));
    claims.add(quicker(results, "Kintsugi: 20 times quicker than ULFM with spawned replacements (HPCCG, 4 ranks)", "ulfm-spawn",
        "ulfm-spares", WITH_FAULT.and(hpccgOn4), 20));
    claims.add(quicker(results, "Kintsugi: 20 times quicker than Reinit++ with cold JVMs (HPCCG, 4 ranks)", "reinit-cold",
        "ulfm-spares", WITH_FAULT.and(hpccgOn4), 20));
    return claims;
  }

  private static Claim quicker(Results results, String statement, String slow, String quick, Predicate<Result> wanted,
      double factor) {
    double[] ratios = results.ratios(slow, quick, wanted, RECOVERY);
    if (ratios.length < FEWEST) {
      return missing(statement, slow, quick, ratios.length);
    }
    Interval ratio = Interval.of(ratios);
    String why = String.format(Locale.ROOT, "the recovery takes %s times as long, at most %.3g (%d pairs)", words(ratio),
        Arrays.stream(ratios).max().orElseThrow(), ratios.length);
    return new Claim(statement, ratio.low() > factor ? Verdict.SEEN : Verdict.NOT_SEEN, why);
  }

  private static Claim slows(Results results, String statement, String slow, String quick) {
    double[] ratios = results.ratios(slow, quick, WITHOUT_FAULT, result -> result.seconds(Part.APPLICATION));
    if (ratios.length < FEWEST) {
      return missing(statement, slow, quick, ratios.length);
    }
    Interval ratio = Interval.of(ratios);
    return new Claim(statement, ratio.low() > 1 ? Verdict.SEEN : Verdict.NOT_SEEN,
        "the application takes " + words(ratio) + " times as long under ULFM (" + ratios.length + " pairs)");
  }

  private static Claim grows(Results results, String statement, String design, boolean isMeantTo) {
    List<Integer> ranks = results.numbers("ranks");
    Interval few = recovery(results, design, "ranks", ranks.get(0));
    Interval many = recovery(results, design, "ranks", ranks.get(ranks.size() - 1));
    if (ranks.size() < 2 || few.count() < FEWEST || many.count() < FEWEST) {
      return new Claim(statement, Verdict.CANNOT_BE_SEEN,
          "there are fewer than " + FEWEST + " recoveries on two numbers of ranks");
    }
    boolean doesGrow = many.low() > few.high();
    return new Claim(statement, doesGrow == isMeantTo ? Verdict.SEEN : Verdict.NOT_SEEN,
        words(few) + " s on " + ranks.get(0) + " ranks, " + words(many) + " s on " + ranks.get(ranks.size() - 1)
            + "; all processes share this machine's processors");
  }

  private static Interval recovery(Results results, String design, String name, int number) {
    return results.interval(WITH_FAULT.and(result -> result.text("design").equals(design) && result.number(name) == number),
        RECOVERY);
  }

  private static Claim changes(Results results, String statement, String design) {
    List<String> inputs = results.distinct("input");
    String largest = inputs.get(inputs.size() - 1);
    Predicate<Result> ofDesign = WITH_FAULT.and(result -> result.text("design").equals(design));
    Interval small = results.interval(ofDesign.and(result -> result.text("input").equals(inputs.get(0))), RECOVERY);
    Interval large = results.interval(ofDesign.and(result -> result.text("input").equals(largest)), RECOVERY);
    if (inputs.size() < 2 || small.count() < FEWEST || large.count() < FEWEST) {
      return new Claim(statement, Verdict.CANNOT_BE_SEEN, "there are fewer than " + FEWEST + " recoveries with two inputs");
    }
    boolean isSame = large.low() <= small.high() * (1 + LITTLE) && large.high() >= small.low() * (1 - LITTLE);
    return new Claim(statement, isSame ? Verdict.SEEN : Verdict.NOT_SEEN,
        words(small) + " s with " + inputs.get(0) + ", " + words(large) + " s with " + largest);
  }

  private static Claim missing(String statement, String one, String other, int pairs) {
    return new Claim(statement, Verdict.CANNOT_BE_SEEN, "there are " + pairs + " pairs of right runs of " + one + " and " + other
        + ", and " + FEWEST + " are needed");
  }

  private static String words(Interval interval) {
    return String.format(Locale.ROOT, "%.3g [%.3g, %.3g]", interval.mean(), interval.low(), interval.high());
  }
}
