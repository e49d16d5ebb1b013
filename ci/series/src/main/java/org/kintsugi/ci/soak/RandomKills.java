// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.kintsugi.ci.cluster.ClusterSeries;
import org.kintsugi.ci.network.RouteOption;
import org.kintsugi.ci.soak.SoakedApp.Shape;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.Kill;
import org.kintsugi.runtime.KillSpec;
import org.kintsugi.runtime.OptionalHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs the proxy applications again and again, with process failures at random moments.
 *
 * <p>Each application runs in two shapes, with one spare and with two, and with one checkpoint
 * store after the other. Either ranks kill themselves at random iterations (as many kills as
 * spares), or one kill comes from outside at a random moment and hits any process, spares included.
 * The exit code is 0 only if every run ends with the same bits in its figures as the undisturbed
 * run on the same ranks.
 *
 * <p>A job that asks for a restart is started again, once and without kills, as
 * {@code jmpirun --restart} would, and is counted apart. This is right only after a failure that
 * the MPI cannot recover: inside MPI_Init; on the Reinit++ fork also in or after the last barrier,
 * and for two kills that overlap, which are so few iterations apart that the second may come
 * before the first recovery has ended. A restart for any other reason is a failure of the series,
 * as is every hang.
 */
@Command(name = "make soak", description = "Proxy applications with deaths at random moments, every answer compared bit for bit.")
public final class RandomKills implements Callable<Integer> {
  /** Jobs of ten processes need this long at load 40. They make progress all the time. */
  private static final long LIMIT_SECONDS = 240;
  /**
   * After this time a rank reports that a recovery hangs.
   *
   * <p>The fork's runtime cannot recover from two failures that overlap, and may hang.
   */
  private static final long RECOVERY_SECONDS = 20;
  /** About the time from MPI_Init to the start of the clock of {@code times/total}. */
  private static final int START_MILLIS = 300;
  private static final int WAYS = 4;
  /** Ranks that wait for each other in each iteration, or for neighbours only, are no further apart. */
  private static final int OVERLAPPING_ITERATIONS = 2;

  /** The figures that are compared; each application has some of them. */
  private static final List<String> COMPARED = List.of("iterations", "figures", "residuals", "maxError", "sumX");

  /** Between what a job printed and what it printed when it was started again. */
  static final String STARTED_AGAIN = "\n=== started again ===\n";
  /** Messages after a failure that MPI cannot recover, with the reason for each. */
  private static final Map<String, String> NOT_RECOVERABLE = Map.of(
      "before all were through MPI_Init", "the kill came inside MPI_Init",
      "before all had begun their Reinit run", "the kill came inside MPI_Init",
      "when no Reinit run could recover it any more", "the kill came inside MPI_Finalize",
      "when others had finished already", "the kill came when others had finished");
  /**
   * Further messages, which are an excuse only where kills may have overlapped.
   *
   * <p>After any other kill they mean that a rank waits in vain.
   */
  private static final Map<String, String> NOT_RECOVERABLE_TOGETHER = Map.of(
      SaveJob.RECOVERY_TIMED_OUT, "kills overlapped",
      "got the signal to roll back when it could not", "kills overlapped");

  /** The messages of a job on the Reinit++ fork that ends because two rollbacks overlap. */
  public static final Set<String> OVERLAP_MESSAGES = NOT_RECOVERABLE_TOGETHER.keySet();

  @Option(names = "--runs", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "jobs per application")
  private int runs;

  @Option(names = "--seed", paramLabel = "SEED", required = true, description = "of all that is random")
  private long seed;

  @Option(names = "--store", paramLabel = "STORE", defaultValue = "memory", split = " ",
      description = "where versions go, in turns ($${DEFAULT-VALUE})")
  private List<String> stores = new ArrayList<>();

  @Option(names = "--jvm", paramLabel = "OPTION", description = "options for the ranks' JVMs")
  private List<String> jvm = new ArrayList<>();

  @Mixin
  private RouteOption route;

  @Parameters(arity = "1..*", paramLabel = "APP", description = "$${COMPLETION-CANDIDATES}")
  private List<SoakedApp> apps = new ArrayList<>();

  private final Map<Shape, JsonNode> undisturbed = new HashMap<>();
  /** By application and store. */
  private final Tallies tallies = new Tallies();
  private final Map<SoakedApp, List<Double>> millis = new EnumMap<>(SoakedApp.class);

  private RandomKills() {}

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new RandomKills()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    // Each was asked for by name, and the others' jobs are no jobs of it.
    if (!stores.stream().filter(store -> !isThere(store)).toList().isEmpty()) {
      return ClusterSeries.SKIPPED;
    }
    Set<SoakedApp> wanted = EnumSet.copyOf(apps);
    Map<SoakedApp, SplittableRandom> random = new EnumMap<>(SoakedApp.class);
    // Each application draws its own kills: the same for all would be fewer moments.
    wanted.forEach(app -> random.put(app, new SplittableRandom(seed ^ (long) app.ordinal() << Integer.SIZE)));
    for (int run = 0; run < runs; run++) {
      for (SoakedApp app : wanted) {
        // Each way to die meets each store, and both change from job to job.
        int way = (run / stores.size() + run % stores.size()) % WAYS;
        judge(run, app, app.shapes().get(way % 2), stores.get(run % stores.size()), way / 2 == 1, random.get(app));
      }
    }
    System.out.println();
    millis.forEach(RandomKills::printRecoveries);
    return tallies.closed(wanted.equals(Set.of(SoakedApp.HPCCG)) ? "soak/hpccg" : "soak/proxies");
  }

  private static boolean isThere(String store) {
    for (String library : List.of("fti", "scr")) {
      try {
        if (store.startsWith(library)) {
          OptionalHome.find(library, RankJob.flavour());
        }
      } catch (UnsupportedOperationException e) {
        System.out.println("store " + store + " cannot be tried here, and no job is run: " + e.getMessage());
        return false;
      }
    }
    return true;
  }

  private void judge(int run, SoakedApp app, Shape shape, String store, boolean isFromOutside, SplittableRandom random)
      throws IOException, InterruptedException {
    JsonNode expected = undisturbed(app, shape, store);
    long began = System.nanoTime();
    RankJob job = job(shape);
    int kills = isFromOutside ? 1 : shape.spares();
    long killAfterMillis = 0;
    boolean mayOverlap = false;
    String what;
    if (isFromOutside) {
      killAfterMillis = 1 + random.nextInt(START_MILLIS + (int) (1000 * expected.at("/times/total").asDouble()));
      what = "from outside " + killAfterMillis + " ms after MPI was begun";
    } else {
      List<String> specifications = new ArrayList<>();
      for (int kill = 0; kill < kills; kill++) {
        specifications.add("random:" + random.nextInt(1_000_000) + "@" + Math.max(2, expected.get("iterations").asInt()));
      }
      specifications.forEach(job::kill);
      what = String.join(", ", specifications);
      mayOverlap = mayOverlap(specifications, shape.ranks());
    }
    Soaked soaked = run(job, app, shape, store, killAfterMillis, random);
    RankJob.Outcome outcome = soaked.outcome();
    String problem = problem(ProxyRank.result(outcome), expected, outcome, mayOverlap);
    System.out.printf("%3d  %-8s %-6s %-20s %-40s %s  (%d s)%n", run + 1, app, shape, store, what,
        problem != null ? problem : isStartedAgain(outcome) ? "identical, started again" : "identical",
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
    String cell = app + " " + store;
    if (problem == null && isStartedAgain(outcome)) {
      String reason = abandoned(outcome, mayOverlap).orElseThrow();
      tallies.count(cell, tally -> tally.rightWhenStartedAgain(reason, kills));
    } else if (problem == null) {
      int recovered = countFailures(app, ProxyRank.result(outcome));
      int struck = isFromOutside ? soaked.hasStruck() ? 1 : 0 : Math.min(kills, recovered);
      tallies.count(cell, tally -> tally.right(struck, kills - struck));
    } else {
      tallies.count(cell, tally -> tally.bad(problem));
      System.out.println("     see " + Files.writeString(Files.createTempFile("kintsugi-soak-", ".txt"), outcome.output()));
    }
  }

  /** Whether one of several kills, each of another rank, may come before the recovery from another one has ended. */
  static boolean mayOverlap(List<String> specifications, int ranks) {
    List<Kill> kills = specifications.stream().map(specification -> KillSpec.parse(specification).in(ranks)).toList();
    return kills.stream().anyMatch(one -> kills.stream().anyMatch(other -> one.rank() != other.rank()
        && Math.abs(one.iteration() - other.iteration()) <= OVERLAPPING_ITERATIONS));
  }

  private JsonNode undisturbed(SoakedApp app, Shape shape, String store) throws IOException, InterruptedException {
    JsonNode result = undisturbed.get(shape);
    if (result == null) {
      result = ProxyRank.result(run(job(shape), app, shape, store, 0, null).outcome().assertSuccess());
      undisturbed.put(shape, result);
    }
    return result;
  }

  private RankJob job(Shape shape) {
    return route.addTo(RankJob.of(shape.ranks(), shape.spares())).timeoutSeconds(LIMIT_SECONDS).jvm("-XX:+ErrorFileToStdout",
        "-Dkintsugi.recovery.timeout.seconds=" + RECOVERY_SECONDS).jvm(jvm.toArray(String[]::new));
  }

  /** @param hasStruck whether a kill from outside hit a process: a spare, or one before the loop, is in no recovery's list */
  private record Soaked(RankJob.Outcome outcome, boolean hasStruck) {}

  private Soaked run(RankJob job, SoakedApp app, Shape shape, String store, long killAfterMillis,
      SplittableRandom random) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-soak-")) {
      keepVersions(job, store, folder.path());
      AtomicReference<RankJob.Outcome> outcome = new AtomicReference<>();
      Thread waits = new Thread(() -> outcome.set(ProxyRank.run(job, app.toString(), shape.arguments())));
      waits.start();
      boolean hasStruck = killAfterMillis > 0 && OutsideKill.strike(waits, killAfterMillis, random);
      // It has a limit of its own.
      waits.join();
      RankJob.Outcome first = Objects.requireNonNull(outcome.get(), "the job could not be started: see above");
      if (first.exitCode() != Mpi.RESTART_CODE) {
        return new Soaked(first, hasStruck);
      }
      // A user would now call jmpirun --restart: with the same folders, for the same bits.
      RankJob again = job(shape);
      keepVersions(again, store, folder.path());
      RankJob.Outcome second = ProxyRank.run(again, app.toString(), shape.arguments());
      return new Soaked(
          new RankJob.Outcome(second.exitCode(), first.output() + STARTED_AGAIN + second.output(), second.reports()), hasStruck);
    }
  }

  private static void keepVersions(RankJob job, String store, Path folder) {
    job.jvm("-Dkintsugi.checkpoint.store=" + store, "-Dkintsugi.checkpoint.dir=" + folder.resolve("shared"),
        "-Dkintsugi.checkpoint.local.dir=" + folder.resolve("local"));
  }

  /** The number of processes that were replaced. A recovery that lost no rank replaced a spare. */
  private int countFailures(SoakedApp app, JsonNode result) {
    int deaths = 0;
    for (JsonNode recovery : result.get("recoveries")) {
      deaths += Math.max(1, recovery.get("failedRanks").size());
      millis.computeIfAbsent(app, one -> new ArrayList<>()).add(recovery.get("totalMillis").asDouble());
    }
    return deaths;
  }

  private static void printRecoveries(SoakedApp app, List<Double> millis) {
    Collections.sort(millis);
    System.out.printf("%-8s %d recoveries, last good moment to resumed loop %.1f / %.1f / %.1f ms (minimum, median, maximum)%n",
        app,
        millis.size(), millis.get(0), millis.get(millis.size() / 2), millis.get(millis.size() - 1));
  }

  /**
   * The error in a result; null: none.
   *
   * @param result null: there is none
   */
  static String problem(JsonNode result, JsonNode expected, RankJob.Outcome outcome, boolean mayOverlap) {
    if (result == null) {
      // Also when it was started again: nobody dies then, so that nothing excuses it.
      return outcome.exitCode() == Job.TIMED_OUT ? "HUNG" : "ENDED with " + outcome.exitCode();
    }
    String differences = COMPARED.stream().filter(what -> !Objects.equals(result.get(what), expected.get(what)))
        .collect(Collectors.joining(", "));
    if (!differences.isEmpty()) {
      return "WRONG: " + differences;
    }
    return isStartedAgain(outcome) && abandoned(outcome, mayOverlap).isEmpty() ? "STARTED AGAIN, and why is not known" : null;
  }

  private static boolean isStartedAgain(RankJob.Outcome outcome) {
    return outcome.output().contains(STARTED_AGAIN);
  }

  /** Why the job could not be recovered, if its output has a known reason. */
  private static Optional<String> abandoned(RankJob.Outcome outcome, boolean mayOverlap) {
    Map<String, String> reasons = new HashMap<>(NOT_RECOVERABLE);
    if (mayOverlap && RankJob.flavour() == Flavour.REINIT) {
      reasons.putAll(NOT_RECOVERABLE_TOGETHER);
    }
    return reasons.entrySet().stream().filter(reason -> outcome.output().contains(reason.getKey())).map(Map.Entry::getValue)
        .findFirst();
  }
}
