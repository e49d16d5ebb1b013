// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.examples.amg.Amg;
import org.kintsugi.examples.comd.Comd;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.lulesh.Lulesh;
import org.kintsugi.examples.minife.MiniFe;
import org.kintsugi.examples.minivite.MiniVite;

/** A proxy application as it is measured: its arguments, which the original takes as well, and where that prints its time. */
enum BenchedApp {
  HPCCG(Hpccg.class, "Time Summary:[\\s:]*Total[\\s:]*" + Constants.NUMBER, "Number of iterations[\\s:]*" + Constants.NUMBER,
      1, 2),
  LULESH(Lulesh.class, "Grind time \\(us/z/c\\)\\s*=\\s*" + Constants.NUMBER, null, 1, 8),
  COMD(Comd.class, "(?m)^timestep\\s+\\d+\\s+[.\\d]+\\s+" + Constants.NUMBER, null, 1, 2),
  AMG(Amg.class, "AMG-GMRES Solve Time:[\\s=]*(?:GMRES Solve:)?\\s*wall clock time\\s*=\\s*" + Constants.NUMBER,
      "\nCum. No. of Iterations = " + Constants.NUMBER, 1, 2),
  MINIFE(MiniFe.class, "Time per iteration:\\s*" + Constants.NUMBER, null, 1, 2),
  MINIVITE(MiniVite.class, "(?:Time \\(in s\\):|Average total time \\(in s\\), #Processes:)\\s*" + Constants.NUMBER,
      "Iterations:\\s*(?:\\S+, )?" + Constants.NUMBER, 1, 2);

  private static final int LULESH_EDGE = 30;
  private static final int COMD_STEPS = 50;

  /** A separate class, as an enum's values cannot use its static fields. */
  private static final class Constants {
    static final String NUMBER = "([-+.\\deE]+)";
  }

  private final Class<?> main;
  private final Pattern time;
  /** Null: the time is that of an iteration. */
  private final Pattern count;
  private final int[] ranks;

  BenchedApp(Class<?> main, String time, String count, int... ranks) {
    this.main = main;
    this.time = Pattern.compile(time);
    this.count = count == null ? null : Pattern.compile(count);
    this.ranks = ranks;
  }

  Class<?> main() {
    return main;
  }

  /** On how many it is measured. */
  int[] ranks() {
    return ranks;
  }

  /** The most of them. */
  int mostRanks() {
    return ranks[ranks.length - 1];
  }

  /** The arguments, a space between them, of a run whose iterations are timed. */
  String timed(int size) {
    return switch (this) {
      case HPCCG -> "64 64 64";
      // One region that is computed once: of more regions the original computes some again and again, to no effect.
      case LULESH -> "-s " + LULESH_EDGE + " -i 200 -r 1 -c 0";
      case COMD -> comd(size, COMD_STEPS);
      // Problem 1 is solved within twenty iterations, sooner than the JIT compiles them. The times include making hierarchies.
      case AMG -> "-problem 2 -n 60 60 60 -P " + size + " 1 1";
      case MINIFE -> "-nx " + 60 * size + " -ny 60 -nz 60";
      case MINIVITE -> "-p 3 -l -n " + 65_536 * size;
    };
  }

  /** Arguments for iterations of 20 ms and more, where the cost of checkpoints is measured. */
  String slow(int size) {
    return switch (this) {
      case HPCCG -> "128 128 80";
      // Long enough for the collector to come around: until then what a save packs is in memory that nobody has touched.
      case COMD -> comd(size, 8 * COMD_STEPS);
      case MINIFE -> "-nx " + 110 * size + " -ny 110 -nz 110";
      case MINIVITE -> "-p 3 -l -n " + 131_072 * size;
      default -> timed(size);
    };
  }

  /** Arguments for data that outweigh what else a process holds, in few iterations. */
  String large(int size) {
    return switch (this) {
      case LULESH -> "-s 60 -i 3 -r 1 -c 0";
      case COMD -> "-x " + 40 * size + " -y 40 -z 40 -N 2 -n 2 -i " + size;
      case MINIVITE -> timed(size);
      default -> slow(size);
    };
  }

  private static String comd(int size, int steps) {
    return "-x " + 20 * size + " -y 20 -z 20 -N " + steps + " -n 10 -i " + size;
  }

  /** Arguments for hardly any data. */
  String tiny(int size) {
    return switch (this) {
      case HPCCG -> "4 4 4";
      case LULESH -> "-s 4 -i 5 -r 1 -c 0";
      case COMD -> "-x " + 4 * size + " -y 4 -z 4 -N 5 -n 5 -i " + size;
      case AMG -> "-problem 2 -n 4 4 4 -P " + size + " 1 1";
      case MINIFE -> "-nx " + 4 * size + " -ny 4 -nz 4";
      case MINIVITE -> "-p 3 -l -n " + 64 * size;
    };
  }

  /** Parses the original's output for the arguments of {@link #timed}. */
  double secondsPerIteration(String printed) throws IOException {
    double printedTime = number(time, printed);
    return switch (this) {
      case LULESH -> printedTime * 1e-6 * LULESH_EDGE * LULESH_EDGE * LULESH_EDGE;
      case COMD -> printedTime / COMD_STEPS;
      default -> count == null ? printedTime : printedTime / number(count, printed);
    };
  }

  private double number(Pattern pattern, String printed) throws IOException {
    Matcher matcher = pattern.matcher(printed);
    if (!matcher.find()) {
      throw new IOException("the original of " + this + " has not printed what matches " + pattern + ":\n" + printed);
    }
    return Double.parseDouble(matcher.group(1));
  }

  /** The name of the original's program. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
