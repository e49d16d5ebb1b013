// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The grammar of kills. {@code process:RANK@ITERATION}; {@code node:RANK@ITERATION} (all processes of the node on which that rank
 * lives); {@code random:SEED} or {@code random:SEED@ITERATIONS}: one process, chosen with its iteration by the seed, from 1 on
 * and below ITERATIONS (100 if not given). Iteration 0 is never chosen, as many programs have not begun to count then.
 *
 * <p>They strike in the first start of a job. {@code process:2@60/2} strikes in the second one, after {@code jmpirun --restart}
 * has started the job again; {@code node} likewise.
 */
public final class KillSpec {
  /** Between specifications in one string. */
  public static final String SEPARATOR = ";";

  private static final Pattern KILL = Pattern.compile("(process|node):(\\d{1,9})@(\\d{1,18})(?:/(\\d{1,4}))?");
  private static final Pattern RANDOM = Pattern.compile("random:(-?\\d{1,18})(?:@(\\d{1,9}))?");
  private static final int DEFAULT_ITERATIONS = 100;

  private final String text;
  /** Null: chosen by the seed. */
  private final Kill kill;
  private final int start;
  private final long seed;
  private final int iterations;

  private KillSpec(String text, Kill kill, int start, long seed, int iterations) {
    this.text = text;
    this.kill = kill;
    this.start = start;
    this.seed = seed;
    this.iterations = iterations;
  }

  /**
   * Reads one specification.
   *
   * @param text such as {@code process:2@60}
   * @return what it says
   * @throws IllegalArgumentException if it is malformed; the message begins with the specification
   */
  public static KillSpec parse(String text) {
    Matcher fixed = KILL.matcher(text);
    if (fixed.matches()) {
      Kill.Kind kind = fixed.group(1).equals(Kill.Kind.NODE.toString()) ? Kill.Kind.NODE : Kill.Kind.PROCESS;
      int start = fixed.group(4) == null ? 1 : Integer.parseInt(fixed.group(4));
      if (start == 0) {
        throw new IllegalArgumentException(text + ": starts of a job are counted from 1");
      }
      return new KillSpec(text, new Kill(kind, Integer.parseInt(fixed.group(2)), Long.parseLong(fixed.group(3))), start, 0, 0);
    }
    Matcher random = RANDOM.matcher(text);
    if (!random.matches()) {
      throw new IllegalArgumentException(
          text + ": expected process:RANK@ITERATION, node:RANK@ITERATION, random:SEED or random:SEED@ITERATIONS; with /2 after "
              + "ITERATION the kill strikes in the second start of the job");
    }
    int iterations = random.group(2) == null ? DEFAULT_ITERATIONS : Integer.parseInt(random.group(2));
    if (iterations < 2) {
      throw new IllegalArgumentException(
          text + ": an iteration is chosen from 1 on and below " + iterations + ", and there is none");
    }
    return new KillSpec(text, null, 1, Long.parseLong(random.group(1)), iterations);
  }

  /**
   * Reads specifications separated by {@link #SEPARATOR}.
   *
   * @param texts as {@link #parse} reads each; blank ones are passed over
   * @return what they say
   * @throws IllegalArgumentException if one is malformed; the message begins with it
   */
  @InRecovery
  public static List<KillSpec> parseAll(String texts) {
    List<KillSpec> specifications = new ArrayList<>();
    for (String text : texts.split(SEPARATOR)) {
      if (!text.isBlank()) {
        specifications.add(parse(text.trim()));
      }
    }
    return specifications;
  }

  /**
   * The process to kill in a job with this number of ranks, and when; the same on every call.
   *
   * @param ranks of the program's world
   * @return the process and the iteration
   * @throws IllegalArgumentException if its rank does not exist there; the message begins with the specification
   */
  public Kill in(int ranks) {
    if (kill == null) {
      SplittableRandom generator = new SplittableRandom(seed);
      return new Kill(Kill.Kind.PROCESS, generator.nextInt(ranks), generator.nextInt(1, iterations));
    }
    if (kill.rank() >= ranks) {
      throw new IllegalArgumentException(text + ": rank " + kill.rank() + " is not in 0 to " + (ranks - 1));
    }
    return kill;
  }

  /**
   * The start of the job in which it strikes.
   *
   * @return 1 for the first one
   */
  public int start() {
    return start;
  }

  /**
   * Whether a node dies, and not only a process.
   *
   * @return false: a process, or what is chosen at random
   */
  public boolean isOfNode() {
    return kill != null && kill.kind() == Kill.Kind.NODE;
  }

  /** The specification as it was given. */
  @Override
  public String toString() {
    return text;
  }
}
