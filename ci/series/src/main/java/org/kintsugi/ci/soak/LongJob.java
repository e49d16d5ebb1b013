// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.kintsugi.ci.cluster.ClusterSeries;
import org.kintsugi.ci.figures.Recorder;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs one job in which many more processes fail than it has.
 *
 * <p>Of 4 ranks, one dies every few seconds by SIGKILL from outside; new spares die as well. Only
 * the longest-lived process is never killed: its memory, files and threads are printed several
 * times, so that a leak shows.
 *
 * <p>HotSpot's optimizing compiler takes up to 15 MB for a method that has run often enough, here
 * after 8 and 11 minutes, and the C library keeps some of it. The option
 * {@code --jvm=-XX:TieredStopAtLevel=1} shows what else grows.
 *
 * <p>The exit code is 0 if all planned kills hit a process, the job recovered, the result is right
 * on all ranks, and jmpirun ended with 0. The figures have no limit, as they depend on the load of
 * the machine.
 */
@Command(name = "make long-job", description = "One job, and one death after the other.")
public final class LongJob implements Callable<Integer> {
  private static final int RANKS = 4;
  private static final long LOOK_MILLIS = 10;
  /** A process that has used no processor for this time is idle. The new spare waits then. */
  private static final long REST_MILLIS = 300;
  private static final long START_SECONDS = 60;
  private static final long LIMIT_SECONDS_PER_DEATH = 12;
  /** The number of reports on memory between the first and the last failure. */
  private static final int LOOKS = 5;
  /** Options that touch the whole heap at the start. It cannot grow the memory later. */
  private static final String[] WHOLE_HEAP = {"-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"};
  private static final int PARTS = 3;
  private static final long KIB = 1024;
  private static final double KB_PER_KIB = 1.024;

  @Option(names = "--deaths", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "how many die")
  private int deaths;

  @Option(names = "--spares", paramLabel = "N", required = true, description = "spares that are kept")
  private int spares;

  @Option(names = "--gap", paramLabel = "SHORTEST-LONGEST", required = true, converter = Gap.Converter.class,
      description = "milliseconds from one death to the next")
  private Gap gap;

  @Option(names = "--seed", paramLabel = "SEED", required = true, description = "of all that is random")
  private long seed;

  @Option(names = "--jvm", paramLabel = "OPTION", description = "options for the ranks' JVMs")
  private List<String> jvmOptions = List.of();

  private final List<Long> refillMillis = new ArrayList<>();
  /** The memory of the longest-lived rank, and that of mpirun, from the first failure on. */
  private final List<Long> rankKib = new ArrayList<>();
  private final List<Long> mpirunKib = new ArrayList<>();
  private int notRefilled;
  private int killed;

  private LongJob() {}

  /** Runs the job. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new LongJob()).execute(args));
  }

  /** What the longest-lived process, mpirun and the host hold. */
  private record Held(JobProcess rank, JobProcess mpirun, long sharedKib) {
    static Held now() throws IOException {
      FileStore shared = Files.getFileStore(Path.of("/dev/shm"));
      return new Held(ranks().get(0), JobProcess.named("prterun").get(0),
          (shared.getTotalSpace() - shared.getUnallocatedSpace()) / KIB);
    }

    @Override
    public String toString() {
      return String.format("the longest-lived rank %d KiB, %d files, %d threads; mpirun %d KiB, %d files; /dev/shm %d KiB",
          rank.status("VmRSS"), rank.files(), rank.status("Threads"), mpirun.status("VmRSS"), mpirun.files(), sharedKib);
    }
  }

  private static List<JobProcess> ranks() {
    return JobProcess.named("java");
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (RankJob.flavour() != Flavour.ULFM) {
      System.out.println("skipped: the fork starts a new process for each failed one, and keeps no spares");
      return ClusterSeries.SKIPPED;
    }
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-long-job-")) {
      Path stop = folder.path().resolve("stop");
      RankJob job = RankJob.of(RANKS, spares).compiledAsForUsers().jvm(WHOLE_HEAP).jvm(jvmOptions.toArray(new String[0]))
          .timeoutSeconds(START_SECONDS + deaths * (LIMIT_SECONDS_PER_DEATH + TimeUnit.MILLISECONDS.toSeconds(gap.longest())));
      CompletableFuture<RankJob.Outcome> outcome =
          CompletableFuture.supplyAsync(() -> job.run(LongJobRank.class, stop.toString()));
      while (!outcome.isDone() && !Files.exists(LongJobRank.begun(stop))) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
      kill(outcome);
      Files.createFile(stop);
      return verdict(outcome.join());
    }
  }

  private void kill(CompletableFuture<RankJob.Outcome> outcome) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    while (!outcome.isDone() && millisToRefill(System.nanoTime(), TimeUnit.SECONDS.toMillis(START_SECONDS), outcome) < 0) {
      System.out.println("not all of the job's processes are there after " + START_SECONDS + " s more");
    }
    for (int death = 1; death <= deaths && !outcome.isDone(); death++) {
      List<JobProcess> ranks = ranks();
      if (ranks.size() < 2) {
        System.out.printf("after %d deaths %d processes are left, and no more are killed%n", death - 1, ranks.size());
        break;
      }
      JobProcess victim = ranks.get(1 + random.nextInt(ranks.size() - 1));
      // A process that has ended by itself does not count as killed.
      killed += ProcessHandle.of(victim.pid()).map(ProcessHandle::destroyForcibly).orElse(false) ? 1 : 0;
      long struck = System.nanoTime();
      long next = random.nextLong(gap.shortest(), gap.longest() + 1);
      long refill = millisToRefill(struck, next, outcome);
      if (refill < 0) {
        notRefilled++;
      } else {
        refillMillis.add(refill);
      }
      TimeUnit.MILLISECONDS.sleep(Math.max(0, next - millisSince(struck)));
      if (!outcome.isDone() && (death == 1 || death % Math.max(1, deaths / LOOKS) == 0 || death == deaths)) {
        Held held = Held.now();
        rankKib.add(held.rank.status("VmRSS"));
        mpirunKib.add(held.mpirun.status("VmRSS"));
        System.out.printf("after %d deaths: %s%n", death, held);
      }
    }
  }

  /** The time from a failure until the newest process is idle; -1: too long. */
  private long millisToRefill(long sinceNanos, long withinMillis, CompletableFuture<?> job) throws InterruptedException {
    JobProcess newest = null;
    long ticks = 0;
    long millis = -1;
    while (!job.isDone() && millisSince(sinceNanos) < withinMillis) {
      List<JobProcess> ranks = ranks();
      JobProcess last = ranks.size() < RANKS + spares ? null : ranks.get(ranks.size() - 1);
      long now = last == null ? 0 : last.ticks();
      if (last == null || !last.equals(newest) || now != ticks) {
        newest = last;
        ticks = now;
        millis = last == null ? -1 : millisSince(sinceNanos);
      } else if (millisSince(sinceNanos) - millis > REST_MILLIS) {
        return millis;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
    return -1;
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  private int verdict(RankJob.Outcome outcome) {
    boolean isRight = outcome.exitCode() == 0 && outcome.reports().size() == RANKS
        && outcome.reports().values().stream().allMatch(report -> report.split(" ")[0].equals(LongJobRank.RIGHT));
    Recorder recorder = Recorder.ofThisJvm();
    recorder.share("long-job/right", isRight ? 1 : 0, 1);
    if (!isRight) {
      System.out.println("ENDED with " + outcome.exitCode() + ", reports " + outcome.reports() + ":\n" + outcome.output());
      return 1;
    }
    double[] recoveries =
        outcome.reports().values().stream().map(LongJob::times).max((a, b) -> a.length - b.length).orElseThrow();
    if (killed != deaths || recoveries.length == 0) {
      System.out.printf("right, code 0, but %d of %d processes were killed, and there were %d recoveries%n", killed, deaths,
          recoveries.length);
      return 1;
    }
    int part = Math.max(1, recoveries.length / PARTS);
    double first = median(Arrays.copyOf(recoveries, part));
    double last = median(Arrays.copyOfRange(recoveries, recoveries.length - part, recoveries.length));
    System.out.printf(
        "right, code 0; %d recoveries from %d deaths; median of the first third %.1f ms, of the last %.1f ms: %.2f%n",
        recoveries.length, killed, first, last, last / first);
    recorder.value("long-job/last third", last);
    recorder.value("long-job/ratio", last / first);
    recordGrowth(recorder, "long-job/rank growth", rankKib);
    recordGrowth(recorder, "long-job/mpirun growth", mpirunKib);
    if (spares == 0) {
      return 0; // the new one is a rank, and never rests
    }
    System.out.printf("from a death until all processes are there and the new one rests: median %.0f ms, longest %.0f ms, "
        + "%d before the next death, %d not%n", median(refillMillis.stream().mapToDouble(Long::doubleValue).toArray()),
        refillMillis.stream().mapToDouble(Long::doubleValue).max().orElse(Double.NaN), refillMillis.size(), notRefilled);
    if (!refillMillis.isEmpty()) {
      List<Double> refills = refillMillis.stream().map(Long::doubleValue).toList();
      recorder.median("long-job/refill median", refills);
      recorder.value("long-job/refill longest", Collections.max(refills));
    }
    return 0;
  }

  private void recordGrowth(Recorder recorder, String metric, List<Long> kib) {
    if (killed > 1 && kib.size() > 1) {
      recorder.value(metric, (kib.get(kib.size() - 1) - kib.get(0)) * KB_PER_KIB / (killed - 1));
    }
  }

  private static double[] times(String report) {
    return Arrays.stream(report.split(" ")).skip(1).mapToDouble(Double::parseDouble).toArray();
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2];
  }
}
