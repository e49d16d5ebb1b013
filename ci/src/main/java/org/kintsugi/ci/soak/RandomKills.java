// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.launch.LaunchException;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * HPCCG again and again, each time with deaths at random: on 4 ranks + 1 spare and on 3 + 2 in turns, killed by themselves at
 * a random iteration and from outside at a random moment in turns (then whichever process it hits, spares too). Every run
 * must finish, with every bit of the residuals, of x and of its error as in the undisturbed run. Exit code 0 only then.
 *
 * <p>Counted apart are jobs that ended with the code that asks for another start because of a kill that the MPI cannot mend:
 * inside MPI_Init, and on the Reinit++ fork also in or after the last barrier, and two that overlap. A hang is always a failure.
 */
public final class RandomKills {
  private static final long TIMEOUT_SECONDS = 120;
  private static final List<String> SIZE = List.of("24", "24", "24");

  private static final long LOOK_MILLIS = 10;
  /** The fork's runtime cannot mend two failures that overlap, and may hang; ranks notice that after so many seconds. */
  private static final long RECOVERY_SECONDS = 20;

  private static final String JOB_FOLDER = "-Dkintsugi.job.dir=";
  private static final String FOR_A_RESTART = "ended for a restart: ";
  /** What a rank or the launcher says in such a case, and what that means. */
  private static final Map<String, String> NOT_TO_BE_MENDED = Map.of(
      "before all were through MPI_Init", "the kill came inside MPI_Init",
      "before all had begun their Reinit run", "the kill came inside MPI_Init",
      "when no Reinit run could mend it any more", "the kill came inside MPI_Finalize");
  /** The same where more than one process was killed. */
  private static final Map<String, String> NOT_TO_BE_MENDED_TOGETHER = Map.of(
      "a recovery has not ended in time", "kills overlapped",
      "was told to roll back when it could not", "kills overlapped");

  private final MpiHome mpi;
  private final SplittableRandom random;
  private final Path folder;
  private final List<String> jvmOptions;
  private final List<Double> millis = new ArrayList<>();
  private final Tally tally = new Tally();

  private RandomKills(MpiHome mpi, long seed, Path folder, List<String> jvmOptions) {
    this.mpi = mpi;
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    this.jvmOptions = jvmOptions;
  }

  /** The series as it was asked for. */
  @Command(name = "make soak", description = "HPCCG with deaths at random moments, every answer compared bit for bit.")
  private static final class Series implements Callable<Integer> {
    @Option(names = "--flavour", paramLabel = "FLAVOUR", required = true, description = "$${COMPLETION-CANDIDATES}")
    private Flavour flavour;

    @Option(names = "--runs", paramLabel = "N", required = true, converter = AtLeastOne.class, description = "how many jobs")
    private int runs;

    @Option(names = "--seed", paramLabel = "SEED", required = true, description = "of all that is random")
    private long seed;

    @Parameters(paramLabel = "OPTION", description = "options for the ranks' JVMs, after --")
    private List<String> jvm = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
      MpiHome mpi = MpiHome.find(null, flavour, System.getenv());
      List<String> options = new ArrayList<>(List.of("-Dkintsugi.recovery.timeout.seconds=" + RECOVERY_SECONDS));
      options.addAll(jvm);
      Path folder = Files.createTempDirectory("kintsugi-soak-");
      int code = new RandomKills(mpi, seed, folder, options).series(runs);
      if (code == 0) {
        Files.deleteIfExists(folder.resolve("result.json"));
        Files.deleteIfExists(folder.resolve("output.txt"));
        Files.delete(folder);
      }
      return code;
    }
  }

  /** Runs the series. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Series()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  private int series(int runs) throws IOException, InterruptedException {
    JsonNode[] undisturbed = {run(4, 1, new JobSpec(), 0), run(3, 2, new JobSpec(), 0)};
    for (int i = 0; i < runs; i++) {
      boolean small = i % 2 == 1;
      int ranks = small ? 3 : 4;
      int spares = small ? 2 : 1;
      JobSpec spec = new JobSpec().ranks(ranks);
      long killAfterMillis = 0;
      String what;
      if (i / 2 % 2 == 0) {
        List<String> kills = new ArrayList<>();
        for (int kill = 0; kill < spares; kill++) {
          kills.add("random:" + random.nextInt(1_000_000) + "@149");
        }
        kills.forEach(spec::kill);
        what = String.join(", ", kills);
      } else {
        killAfterMillis = 1 + random.nextInt(800); // the solve takes about half a second
        what = "from outside " + killAfterMillis + " ms after MPI was begun";
      }
      JsonNode result = run(ranks, spares, spec, killAfterMillis);
      String problem = problem(result, undisturbed[small ? 1 : 0]);
      System.out.printf("%3d  %d + %d  %-36s %s%n", i + 1, ranks, spares, what, problem == null ? "identical" : problem);
      int kills = killAfterMillis > 0 ? 1 : spares;
      if (problem == null) {
        int struck = Math.min(kills, deaths(result));
        tally.right(struck, kills - struck);
      } else if (problem.startsWith(FOR_A_RESTART)) {
        tally.givenUp(problem.substring(FOR_A_RESTART.length()), kills);
      } else {
        tally.bad();
        keepOutput(i + 1);
      }
    }
    Collections.sort(millis);
    System.out.println();
    if (!millis.isEmpty()) {
      System.out.printf("%d recoveries, last good moment to resumed loop %.1f / %.1f / %.1f ms (minimum, median, maximum)%n",
          millis.size(), millis.get(0), millis.get(millis.size() / 2), millis.get(millis.size() - 1));
    }
    return SaveKills.closed(tally);
  }

  /** How many processes were mended. A recovery that lost no rank is that of a spare. */
  private static int deaths(JsonNode result) {
    int deaths = 0;
    for (JsonNode recovery : result.get("recoveries")) {
      deaths += Math.max(1, recovery.get("failedRanks").size());
    }
    return deaths;
  }

  private void keepOutput(int run) throws IOException {
    Path kept = folder.resolve("output-" + run + ".txt");
    Files.move(folder.resolve("output.txt"), kept);
    System.out.println("     see " + kept);
  }

  /** What is wrong with a result; null: nothing. */
  private static String problem(JsonNode result, JsonNode undisturbed) {
    if (result.has("problem")) {
      return result.get("problem").asText();
    }
    for (String what : List.of("residuals", "maxError", "sumX", "iterations")) {
      if (!result.get(what).equals(undisturbed.get(what))) {
        return "WRONG: " + what + " differs";
      }
    }
    return null;
  }

  private JsonNode run(int ranks, int spares, JobSpec spec, long killAfterMillis) throws IOException, InterruptedException {
    Path json = folder.resolve("result.json");
    Files.deleteIfExists(json);
    List<String> line = new ArrayList<>(jvmOptions);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Hpccg.class.getName()));
    line.addAll(SIZE);
    line.addAll(List.of("--json", json.toString()));
    spec.ranks(ranks).spares(spares).javaArguments(line);
    AtomicInteger code = new AtomicInteger();
    Thread job = new Thread(() -> code.set(
        new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(folder.resolve("output.txt")).run()));
    job.start();
    if (killAfterMillis > 0) {
      killOne(job, killAfterMillis);
    }
    job.join(TimeUnit.SECONDS.toMillis(2 * TIMEOUT_SECONDS));
    ObjectMapper mapper = new ObjectMapper();
    if (code.get() != 0 || !Files.exists(json)) {
      return mapper.createObjectNode().put("problem", failure(code.get(), killAfterMillis > 0 || spares < 2));
    }
    JsonNode result = mapper.readTree(json.toFile());
    result.get("recoveries").forEach(recovery -> millis.add(recovery.get("totalMillis").asDouble()));
    return result;
  }

  private String failure(int code, boolean isOneKill) throws IOException {
    if (code == Job.TIMED_OUT) {
      return "HUNG: ended after " + TIMEOUT_SECONDS + " s";
    }
    if (code == Mpi.RESTART_CODE) {
      Map<String, String> reasons = new HashMap<>(NOT_TO_BE_MENDED);
      if (!isOneKill && mpi.flavour() == Flavour.REINIT) {
        reasons.putAll(NOT_TO_BE_MENDED_TOGETHER);
      }
      String output = Files.readString(folder.resolve("output.txt"));
      for (Map.Entry<String, String> reason : reasons.entrySet()) {
        if (output.contains(reason.getKey())) {
          return FOR_A_RESTART + reason.getValue();
        }
      }
    }
    return "ENDED with " + code;
  }

  /** SIGKILL to one of the job's processes. */
  private void killOne(Thread job, long afterMillis) throws InterruptedException {
    while (job.isAlive() && !isMpiThere()) {
      job.join(LOOK_MILLIS);
    }
    job.join(afterMillis);
    List<ProcessHandle> ranks = ranks();
    if (ranks.isEmpty()) {
      return; // all is over
    }
    ProcessHandle victim = ranks.get(random.nextInt(ranks.size()));
    if (!victim.destroyForcibly()) {
      throw new LaunchException("cannot kill process " + victim.pid());
    }
  }

  /**
   * Ranks, those that stand in for them, JVMs that wait, and who keeps these. On the Reinit++ fork not all are descendants
   * of this process; they are known by the job's folder among their arguments.
   */
  private static List<ProcessHandle> ranks() {
    List<ProcessHandle> children = ProcessHandle.current().descendants().filter(RandomKills::isRank).toList();
    String folder = children.stream().flatMap(RandomKills::jobFolder).findFirst().orElse(null);
    return folder == null ? children : ProcessHandle.allProcesses().filter(RandomKills::isRank)
        .filter(process -> jobFolder(process).anyMatch(folder::equals)).toList();
  }

  private static boolean isRank(ProcessHandle process) {
    String command = process.info().command().orElse("");
    return command.endsWith("/java") || command.endsWith("/kintsugi-rank");
  }

  private static Stream<String> jobFolder(ProcessHandle process) {
    return Arrays.stream(process.info().arguments().orElse(new String[0])).filter(argument -> argument.startsWith(JOB_FOLDER))
        .map(argument -> argument.substring(JOB_FOLDER.length()));
  }

  /** Whether the first rank has begun MPI: it has left a mark in the job's folder then. */
  private static boolean isMpiThere() {
    return ranks().stream().flatMap(RandomKills::jobFolder).map(folder -> new File(folder).list())
        .anyMatch(files -> files != null && Arrays.stream(files).anyMatch(file -> file.startsWith("mpi-")));
  }
}
