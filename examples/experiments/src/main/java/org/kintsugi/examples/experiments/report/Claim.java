// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.kintsugi.examples.experiments.report.Result.Part;

/**
 * A statement of a paper, or of ours, beside what was measured.
 *
 * <p>Statements are about ratios: of one design to another, or of one place on the axis to another. The pairs of a ratio are of
 * the same application, failures and repetition. A verdict is given only if the ratio's confidence interval decides it.
 *
 * @param statement what the paper says
 * @param verdict whether it is seen here
 * @param why the figures, or what is missing
 */
record Claim(String statement, Verdict verdict, String why) {
  /** What becomes of a claim. */
  enum Verdict {
    SEEN("seen here"), NOT_SEEN("not seen"), UNDECIDED("not decided by these runs"), CANNOT_BE_SEEN("cannot be seen here");

    final String words;

    Verdict(String words) {
      this.words = words;
    }
  }

  /** An interval of fewer values says nothing. */
  static final int FEWEST = 3;
  private static final String FROM_END_TO_END = "from one end of the axis to the other the recovery takes";
  /** Two times whose ratio is between these two are the same. */
  private static final double SAME_LOW = 0.8;
  private static final double SAME_HIGH = 1.25;

  private static final Predicate<Result> WITH_FAULT = result -> !result.text("faults").equals("0");
  private static final Predicate<Result> WITHOUT_FAULT = WITH_FAULT.negate();
  private static final ToDoubleFunction<Result> RECOVERY = result -> result.seconds(Part.RECOVERY);

  /** @param paper one of {@link Report#CLAIMS} */
  static List<Claim> of(String paper, Results results, Axis over) {
    return switch (paper) {
      case "match" -> ofMatch(results, over);
      case "reinit" -> ofReinit(results);
      case "reinit-nodes" -> ofNodes(results);
      case "failures" -> ofFailures(results);
      case "factors" -> ofFactors(results);
      default -> throw new IllegalArgumentException("claims " + paper + ": expected one of " + Report.CLAIMS);
    };
  }

  /** The claims of the Reinit++ paper on the failure of a node, section 5.4. */
  private static List<Claim> ofNodes(Results results) {
    return List.of(
        slower(results, "Reinit++: CR recovers slower than Reinit++ from a node failure (there: about 2 times)", "restart",
            "reinit-cold", WITH_FAULT, 1),
        same(results, "Reinit++: its recovery from a node failure takes the same time on any number of ranks", "reinit-cold",
            Axis.RANKS),
        same(results, "Reinit++: the recovery of CR takes the same time on any number of ranks", "restart", Axis.RANKS),
        slower(results, "Kintsugi: Reinit++ recovers slower from a node failure than warm spares on another node", "reinit-cold",
            "ulfm-spares", WITH_FAULT, 1));
  }

  /** Claims of our own on several failures in one run. */
  private static List<Claim> ofFailures(Results results) {
    List<Claim> claims = new ArrayList<>();
    for (String design : results.distinct("design")) {
      claims.add(same("Kintsugi: each of several recoveries takes the time of a single one (" + design + ")",
          FROM_END_TO_END,
          results.growth(design, Axis.FAULTS, WITH_FAULT, result -> result.seconds(Part.RECOVERY) / result.number("faults"))));
    }
    return claims;
  }

  /** Claims of our own on how much quicker a spare process is. */
  private static List<Claim> ofFactors(Results results) {
    return List.of(factor(results, "Kintsugi: a restart takes 100 times the time of a recovery with warm spares", "restart", 100),
        factor(results, "Kintsugi: ULFM with spawned replacements takes 20 times the time of warm spares", "ulfm-spawn", 20),
        factor(results, "Kintsugi: Reinit++ with cold JVMs takes 20 times the time of ULFM with warm spares", "reinit-cold", 20));
  }

  private static Claim factor(Results results, String statement, String slow, double times) {
    Predicate<Result> ofSlow = WITH_FAULT.and(result -> result.text("design").equals(slow));
    Predicate<Result> ofQuick = WITH_FAULT.and(result -> result.text("design").equals("ulfm-spares"));
    double[] slows = results.right(ofSlow).stream().mapToDouble(RECOVERY).toArray();
    double[] quicks = results.right(ofQuick).stream().mapToDouble(RECOVERY).toArray();
    if (Math.min(slows.length, quicks.length) < FEWEST) {
      return tooFew(statement, Math.min(slows.length, quicks.length));
    }
    Interval ratio = Interval.ofMedians(slows, quicks);
    return new Claim(statement, verdict(ratio, times), String.format(Locale.ROOT,
        "medians of %d and %d recoveries: %.3g s and %.3g s; %.3g times as long [%.3g, %.3g]", slows.length, quicks.length,
        Interval.median(slows), Interval.median(quicks), ratio.mean(), ratio.low(), ratio.high()));
  }

  /** The claims of the Reinit++ paper, section 5. */
  private static List<Claim> ofReinit(Results results) {
    List<Claim> claims = new ArrayList<>();
    claims.add(slower(results, "Reinit++: CR recovers slower than Reinit++ from a process failure (there: about 6 times)",
        "restart", "reinit-cold", WITH_FAULT, 1));
    claims.add(same(results, "Reinit++: its recovery takes the same time on any number of ranks", "reinit-cold", Axis.RANKS));
    claims.add(same(results, "Reinit++: the recovery of CR takes the same time on any number of ranks", "restart", Axis.RANKS));
    claims.add(grows(results, "Reinit++: the recovery of ULFM takes longer with more ranks", "ulfm-spawn"));
    claims.add(delays(results, "Reinit++: ULFM delays the application where nothing fails"));
    claims.add(slower(results, "Kintsugi: warm JVMs of the fork recover quicker than cold ones", "reinit-cold", "reinit-warm",
        WITH_FAULT, 1));
    return claims;
  }

  /** The claims of the MATCH paper, section V, and ours on the same runs. */
  private static List<Claim> ofMatch(Results results, Axis over) {
    List<Claim> claims = new ArrayList<>();
    claims.add(slower(results, "MATCH: ULFM recovers slower than Reinit++ (there: 4 times on average, at most 13 times)",
        "ulfm-spawn", "reinit-cold", WITH_FAULT, 1));
    claims.add(slower(results, "MATCH: restarting is slower than Reinit++ (there: 16 times on average, at most 22 times)",
        "restart", "reinit-cold", WITH_FAULT, 1));
    claims.add(slower(results, "MATCH: restarting is slower than ULFM (there: 2 to 3 times)", "restart", "ulfm-spawn",
        WITH_FAULT, 1));
    claims.add(delays(results, "MATCH: ULFM delays the application where nothing fails"));
    if (over == Axis.RANKS) {
      claims.add(grows(results, "MATCH: the recovery of ULFM takes longer with more processes", "ulfm-spawn"));
      claims.add(same(results, "MATCH: the recovery of Reinit++ is independent of the number of processes", "reinit-cold", over));
    } else {
      claims.add(same(results, "MATCH: the recovery of ULFM is independent of the input", "ulfm-spawn", over));
      claims.add(same(results, "MATCH: the recovery of Reinit++ is independent of the input", "reinit-cold", over));
    }
    return claims;
  }

  private static Claim slower(Results results, String statement, String slow, String quick, Predicate<Result> wanted,
      double times) {
    return above(statement, results.ratios(slow, quick, wanted, RECOVERY), times, "the recovery takes");
  }

  private static Claim delays(Results results, String statement) {
    return above(statement,
        results.ratios("ulfm-spawn", "reinit-cold", WITHOUT_FAULT, result -> result.seconds(Part.APPLICATION)), 1,
        "compared with Reinit++ the application takes");
  }

  private static Claim grows(Results results, String statement, String design) {
    return above(statement, results.growth(design, Axis.RANKS, WITH_FAULT, RECOVERY), 1,
        "on the most ranks, compared with the fewest, the recovery takes");
  }

  /** Of ratios: whether they are above a bound. */
  static Claim above(String statement, double[] ratios, double bound, String what) {
    if (ratios.length < FEWEST) {
      return tooFew(statement, ratios.length);
    }
    Interval ratio = Interval.ofRatios(ratios);
    return new Claim(statement, verdict(ratio, bound), what + " " + words(ratio));
  }

  private static Verdict verdict(Interval ratio, double bound) {
    return ratio.low() > bound ? Verdict.SEEN : ratio.high() < bound ? Verdict.NOT_SEEN : Verdict.UNDECIDED;
  }

  private static Claim same(Results results, String statement, String design, Axis over) {
    return same(statement, FROM_END_TO_END, results.growth(design, over, WITH_FAULT, RECOVERY));
  }

  /** Of ratios: whether they are near 1. */
  static Claim same(String statement, String what, double... ratios) {
    if (ratios.length < FEWEST) {
      return tooFew(statement, ratios.length);
    }
    Interval ratio = Interval.ofRatios(ratios);
    boolean isSame = ratio.low() > SAME_LOW && ratio.high() < SAME_HIGH;
    boolean isOther = ratio.low() > SAME_HIGH || ratio.high() < SAME_LOW;
    return new Claim(statement, isSame ? Verdict.SEEN : isOther ? Verdict.NOT_SEEN : Verdict.UNDECIDED,
        what + " " + words(ratio) + "; " + SAME_LOW + " to " + SAME_HIGH + " counts as the same");
  }

  /** Of ratios: whether they are below a bound. */
  static Claim below(String statement, double[] ratios, double bound, String what) {
    Claim above = above(statement, ratios, bound, what);
    return switch (above.verdict) {
      case SEEN -> new Claim(statement, Verdict.NOT_SEEN, above.why);
      case NOT_SEEN -> new Claim(statement, Verdict.SEEN, above.why);
      default -> above;
    };
  }

  static Claim tooFew(String statement, int pairs) {
    return new Claim(statement, Verdict.CANNOT_BE_SEEN, "pairs of right runs: " + pairs + "; " + FEWEST + " are needed");
  }

  private static String words(Interval ratio) {
    return String.format(Locale.ROOT, "%.3g times as long [%.3g, %.3g], geometric mean of %d pairs", ratio.mean(), ratio.low(),
        ratio.high(), ratio.count());
  }
}
