// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.test.RankJob;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs jobs in which a rank dies at each stage of saves and restores.
 *
 * <p>The stages are tried one after the other, with each engine. The exit code is 0 only if all
 * jobs ended with every rank right; see {@link SavingRank} for that, and {@link Stages} for the
 * stages.
 */
@Command(name = "make stages", description = "Jobs in which a rank dies at every stage of a save and of a restore.")
public final class StageKills implements Callable<Integer> {
  /** Names of reports: the number of stages, and a death that did not come. */
  static final String STAGES = "stages";
  static final String SURVIVED = "survived-";

  private static final int KILLS = 8;

  @Option(names = "--step", paramLabel = "N", required = true, converter = AtLeastOne.class,
      description = "every how many stages a job begins; 1: no stage is left out")
  private int step;

  @Mixin
  private SeriesOptions options;

  private StageKills() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new StageKills()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Nodes nodes = options.nodes();
    Tallies tallies = new Tallies();
    for (String engine : options.engines()) {
      for (int victim : new int[] {0, SaveJob.RANKS - 1}) {
        everyStage(tallies, engine, nodes, PlannedKills.inSaves(victim, KILLS));
        everyStage(tallies, engine, nodes, PlannedKills.inRestores(victim, KILLS));
      }
    }
    return tallies.closed(options.metric("stages"));
  }

  private void everyStage(Tallies tallies, String engine, Nodes nodes, PlannedKills deaths) throws IOException {
    long between = 1;
    for (int first = 1; first <= between; first += step) {
      Verdict verdict = run(engine, deaths.from(first), nodes);
      between = Math.max(between, (verdict.stages() + deaths.aimed() - 1) / deaths.aimed());
      System.out.printf("%-24s rank %d in %s, from stage %d on every %d. of %d, of which %d were not there: %s%n", engine,
          deaths.victim(), deaths.inRestore() ? "restores" : "saves", first, between, verdict.stages(), verdict.survived(),
          verdict.text());
      // Both victims together: a restore has now 25 stages and now 33, and of six deaths in one job two may not find theirs.
      String cell = engine + " in " + (deaths.inRestore() ? "restores" : "saves");
      tallies.count(cell, tally -> count(tally, deaths, verdict));
    }
  }

  /** Adds a job to a tally, with the deaths that have their own stage. */
  public static void count(Tally tally, PlannedKills deaths, Verdict verdict) {
    if (verdict.stages() == 0) {
      // The number of jobs for all stages is then unknown, too: stages would be left out unnoticed.
      tally.bad("the number of stages was not reported: " + verdict.text().lines().findFirst().orElse(""));
    } else {
      SaveKills.count(tally, verdict.text(), deaths.aimed(), (int) verdict.survived());
    }
  }

  /**
   * The deaths of a job: of one rank, again and again, spread evenly over all stages of what it dies in.
   *
   * @param victim the rank
   * @param count how many
   * @param inRestore whether it dies in restores rather than in saves
   * @param first the first stage, from 1 on
   * @param call the call that the stages are of; empty for all calls
   */
  public record PlannedKills(int victim, int count, boolean inRestore, int first, String call) {
    /** Before it can die in a restore it has to die for one, and another one tells how many stages there are. */
    private static final int BEFORE_RESTORES = 2;

    /** Deaths in a save in the background and one in the foreground after it. */
    public static PlannedKills inSaves(int victim, int count) {
      return new PlannedKills(victim, count, false, 1, "");
    }

    /** Deaths in restores; the first {@value #BEFORE_RESTORES} are in saves. */
    public static PlannedKills inRestores(int victim, int count) {
      return new PlannedKills(victim, count, true, 1, "");
    }

    /** The same from another stage on. */
    public PlannedKills from(int stage) {
      return new PlannedKills(victim, count, inRestore, stage, call);
    }

    /** The same at calls of one function only. */
    public PlannedKills at(String function) {
      return new PlannedKills(victim, count, inRestore, first, function);
    }

    /** The number of this death among those with a stage of their own. */
    int number(int epoch) {
      return inRestore ? epoch - BEFORE_RESTORES : epoch;
    }

    /** How many of the deaths are at a stage of their own. */
    public int aimed() {
      return inRestore ? count - BEFORE_RESTORES : count;
    }

    String[] toArguments() {
      return new String[] {String.valueOf(victim), String.valueOf(count), String.valueOf(inRestore), String.valueOf(first), call};
    }

    static PlannedKills of(String[] arguments, int from) {
      return new PlannedKills(Integer.parseInt(arguments[from]), Integer.parseInt(arguments[from + 1]),
          Boolean.parseBoolean(arguments[from + 2]), Integer.parseInt(arguments[from + 3]), arguments[from + 4]);
    }
  }

  /**
   * The outcome of a job.
   *
   * @param text begins with {@link SaveKills#RIGHT}, or is the error
   * @param stages the number of stages at which a death was possible; 0 if that is not known
   * @param survived the number of deaths that came later than at their stage: there were fewer stages then
   */
  public record Verdict(String text, long stages, long survived) {}

  /**
   * Runs one job.
   *
   * @param engine the value of {@code -Dkintsugi.checkpoint.store}, and more JVM options after a space each
   */
  public static Verdict run(String engine, PlannedKills deaths, Nodes nodes) throws IOException {
    SaveJob job = new SaveJob(engine, deaths.count(), nodes);
    Path library = TestLibrary.of(RankJob.flavour(), "stages");
    job.job().mpirun("-x", "LD_PRELOAD=" + library).jvm("-D" + Stages.LIBRARY + "=" + library);
    RankJob.Outcome outcome = job.run(StageKillsRank.class, deaths.toArguments());
    long stages = Long.parseLong(outcome.reports().getOrDefault(STAGES, "0"));
    long survived = outcome.reports().keySet().stream().filter(report -> report.startsWith(SURVIVED)).count();
    return new Verdict(job.verdict(outcome), stages, survived);
  }
}
