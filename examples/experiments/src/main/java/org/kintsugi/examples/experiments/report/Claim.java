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
  private static final int FEWEST = 3;
  /** Two times whose ratio is between these two are the same. */
  private static final double SAME_LOW = 0.8;
  private static final double SAME_HIGH = 1.25;

  private static final Predicate<Result> WITH_FAULT = result -> result.number("faults") > 0;
  private static final Predicate<Result> WITHOUT_FAULT = result -> result.number("faults") == 0;
  private static final ToDoubleFunction<Result> RECOVERY = result -> result.seconds(Part.RECOVERY);

  /** @param paper one of {@link Report#CLAIMS} */
  static List<Claim> of(String paper, Results results, String over) {
    return paper.equals("match") ? ofMatch(results, over) : ofReinit(results);
  }

  /** The claims of the Reinit++ paper, section 5. */
  private static List<Claim> ofReinit(Results results) {
    List<Claim> claims = new ArrayList<>();
    claims.add(slower(results, "Reinit++: CR recovers slower than Reinit++ from a process failure (there: about 6 times)",
        "restart", "reinit-cold", WITH_FAULT, 1));
    claims.add(same(results, "Reinit++: its recovery takes the same time on any number of ranks", "reinit-cold", "ranks"));
    claims.add(same(results, "Reinit++: the recovery of CR takes the same time on any number of ranks", "restart", "ranks"));
    claims.add(grows(results, "Reinit++: the recovery of ULFM takes longer with more ranks", "ulfm-spawn"));
    claims.add(delays(results, "Reinit++: ULFM delays the application where nothing fails"));
    claims.add(new Claim("Reinit++: from a node failure it recovers twice as quick as CR", Verdict.CANNOT_BE_SEEN,
        "node failures need several nodes; make app-nodes tries them on simulated ones"));
    claims.add(slower(results, "Kintsugi: warm JVMs of the fork recover quicker than cold ones", "reinit-cold", "reinit-warm",
        WITH_FAULT, 1));
    return claims;
  }

  /** The claims of the MATCH paper, section V, and ours on the same runs. */
  private static List<Claim> ofMatch(Results results, String over) {
    List<Claim> claims = new ArrayList<>();
    claims.add(slower(results, "MATCH: ULFM recovers slower than Reinit++ (there: 4 times on average, at most 13 times)",
        "ulfm-spawn", "reinit-cold", WITH_FAULT, 1));
    claims.add(slower(results, "MATCH: restarting is slower than Reinit++ (there: 16 times on average, at most 22 times)",
        "restart", "reinit-cold", WITH_FAULT, 1));
    claims.add(slower(results, "MATCH: restarting is slower than ULFM (there: 2 to 3 times)", "restart", "ulfm-spawn",
        WITH_FAULT, 1));
    claims.add(delays(results, "MATCH: ULFM delays the application where nothing fails"));
    if (over.equals("ranks")) {
      claims.add(grows(results, "MATCH: the recovery of ULFM takes longer with more processes", "ulfm-spawn"));
      claims.add(same(results, "MATCH: the recovery of Reinit++ is independent of the number of processes", "reinit-cold", over));
    } else {
      claims.add(same(results, "MATCH: the recovery of ULFM is independent of the input", "ulfm-spawn", over));
      claims.add(same(results, "MATCH: the recovery of Reinit++ is independent of the input", "reinit-cold", over));
    }
    Predicate<Result> hpccgOn4 = WITH_FAULT
        .and(result -> result.text("application").equals("hpccg") && result.number("ranks") == 4);
    claims.add(slower(results, "Kintsugi: a restart recovers 100 times slower than warm spares (HPCCG, 4 ranks)", "restart",
        "ulfm-spares", hpccgOn4, 100));
    claims.add(slower(results, "Kintsugi: ULFM with spawned replacements 20 times slower than warm spares (HPCCG, 4 ranks)",
        "ulfm-spawn", "ulfm-spares", hpccgOn4, 20));
    claims.add(slower(results, "Kintsugi: Reinit++ with cold JVMs 20 times slower than warm spares (HPCCG, 4 ranks)",
        "reinit-cold", "ulfm-spares", hpccgOn4, 20));
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
    return above(statement, results.growth(design, "ranks", WITH_FAULT, RECOVERY), 1,
        "on the most ranks, compared with the fewest, the recovery takes");
  }

  private static Claim above(String statement, double[] ratios, double bound, String what) {
    if (ratios.length < FEWEST) {
      return tooFew(statement, ratios.length);
    }
    Interval ratio = Interval.ofRatios(ratios);
    Verdict verdict = ratio.low() > bound ? Verdict.SEEN : ratio.high() < bound ? Verdict.NOT_SEEN : Verdict.UNDECIDED;
    return new Claim(statement, verdict, what + " " + words(ratio));
  }

  private static Claim same(Results results, String statement, String design, String over) {
    double[] ratios = results.growth(design, over, WITH_FAULT, RECOVERY);
    if (ratios.length < FEWEST) {
      return tooFew(statement, ratios.length);
    }
    Interval ratio = Interval.ofRatios(ratios);
    boolean isSame = ratio.low() > SAME_LOW && ratio.high() < SAME_HIGH;
    boolean isOther = ratio.low() > SAME_HIGH || ratio.high() < SAME_LOW;
    return new Claim(statement, isSame ? Verdict.SEEN : isOther ? Verdict.NOT_SEEN : Verdict.UNDECIDED,
        "from one end of the axis to the other the recovery takes " + words(ratio) + "; " + SAME_LOW + " to " + SAME_HIGH
            + " counts as the same");
  }

  private static Claim tooFew(String statement, int pairs) {
    return new Claim(statement, Verdict.CANNOT_BE_SEEN, "pairs of right runs: " + pairs + "; " + FEWEST + " are needed");
  }

  private static String words(Interval ratio) {
    return String.format(Locale.ROOT, "%.3g times as long [%.3g, %.3g], geometric mean of %d pairs", ratio.mean(), ratio.low(),
        ratio.high(), ratio.count());
  }
}
