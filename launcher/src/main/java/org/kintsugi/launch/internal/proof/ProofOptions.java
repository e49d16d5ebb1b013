// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code jmpirun --prove}. All names begin alike, so that the words of the jobs are those without them. */
public final class ProofOptions {
  static final String RECORD = "--proof-record";
  static final String UNTIL = "--prove-until";
  private static final String PREFIX = "--prove";

  @Option(names = PREFIX,
      description = "run the program twice undisturbed, then with a process failure at each of several moments, "
          + "and compare what it saves: does it save all that it needs?")
  boolean isWanted;

  @Option(names = PREFIX + "-deaths", paramLabel = "K", defaultValue = "5", description = "at how many moments (5)")
  int deaths;

  @Option(names = PREFIX + "-seed", paramLabel = "SEED", defaultValue = "1", description = "of the moments (1)")
  long seed;

  @Option(names = UNTIL, paramLabel = "ITERATION", defaultValue = "9223372036854775807",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "end each run after this iteration")
  long until;

  @Option(names = PREFIX + "-ignore", paramLabel = "REGEX",
      description = "lines of output that are not compared, as they have times, for instance; may be given several times")
  List<String> ignored = new ArrayList<>();

  /** For one job of a proof, whose command line is made by {@link ProofJob}. */
  @Option(names = RECORD, hidden = true)
  private Path record;

  /** Passes on what a job of a proof needs to know. */
  public void addTo(JobSpec job) {
    if (record != null) {
      job.proof(record, until);
    }
  }

  /** Whether the command line asks for a proof. */
  public boolean isWanted() {
    return isWanted;
  }

  /** Whether this is one of the jobs of a proof. */
  public boolean isOfProof() {
    return record != null;
  }

  void check() {
    if (until < 0) {
      throw new LaunchException(UNTIL + " " + until + ": expected an iteration, 0 or more");
    }
    if (deaths < 1) {
      throw new LaunchException(PREFIX + "-deaths " + deaths + ": expected 1 or more");
    }
  }

  List<Pattern> ignoredLines() {
    List<Pattern> patterns = new ArrayList<>();
    for (String text : ignored) {
      try {
        patterns.add(Pattern.compile(text));
      } catch (PatternSyntaxException e) {
        throw new LaunchException(PREFIX + "-ignore " + text + ": " + e.getDescription() + " in a regular expression");
      }
    }
    return patterns;
  }

  /** The words for jmpirun without those of the proof. */
  static List<String> without(List<String> words) {
    List<String> others = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith(PREFIX)) {
        others.add(word);
      } else if (!word.equals(PREFIX) && !word.contains("=")) {
        i++; // its value
      }
    }
    return others;
  }
}
