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
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.launch.LaunchException;
import org.kintsugi.launch.MpiHome;
import org.kintsugi.mpi.Mpi;

/**
 * HPCCG again and again, each time with deaths at random: on 4 ranks + 1 spare and on 3 + 2 in turns, killed by themselves at
 * a random iteration and from outside at a random moment in turns (then whichever process it hits, spares too). Every run
 * must finish, with every bit of the residuals, of x and of its error as in the undisturbed run. Exit code 0 only then.
 */
public final class RandomKills {
  private static final long TIMEOUT_SECONDS = 120;
  private static final List<String> SIZE = List.of("24", "24", "24");

  private static final long LOOK_MILLIS = 10;
  private static final String TOO_EARLY = "ended for a restart: the kill came inside MPI_Init";

  private final MpiHome mpi = MpiHome.find(null, System.getenv());
  private final SplittableRandom random;
  private final Path folder;
  private final List<String> jvmOptions;
  private final List<Double> millis = new ArrayList<>();
  private int tooLate;
  private int tooEarly;

  private RandomKills(long seed, Path folder, List<String> jvmOptions) {
    this.random = new SplittableRandom(seed);
    this.folder = folder;
    this.jvmOptions = jvmOptions;
  }

  /** Arguments: how many runs, a seed, then options for the ranks' JVMs. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int runs = Integer.parseInt(args[0]);
    long seed = Long.parseLong(args[1]);
    List<String> options = List.of(args).subList(2, args.length);
    Path folder = Files.createTempDirectory("kintsugi-soak-");
    int bad = new RandomKills(seed, folder, options).series(runs);
    if (bad == 0) {
      Files.deleteIfExists(folder.resolve("result.json"));
      Files.deleteIfExists(folder.resolve("output.txt"));
      Files.delete(folder);
    }
    System.exit(bad == 0 ? 0 : 1);
  }

  private int series(int runs) throws IOException, InterruptedException {
    int bad = 0;
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
        what = "from outside " + killAfterMillis + " ms after MPI_Init";
      }
      String problem = problem(run(ranks, spares, spec, killAfterMillis), undisturbed[small ? 1 : 0]);
      System.out.printf("%3d  %d + %d  %-36s %s%n", i + 1, ranks, spares, what, problem == null ? "identical" : problem);
      if (TOO_EARLY.equals(problem)) {
        tooEarly++;
      } else if (problem != null) {
        bad++;
        keepOutput(i + 1);
      }
    }
    Collections.sort(millis);
    System.out.printf("%n%d of %d runs finished with every bit right; %d recoveries", runs - bad - tooEarly, runs,
        millis.size());
    if (!millis.isEmpty()) {
      System.out.printf(", last good moment to resumed loop %.1f / %.1f / %.1f ms (minimum, median, maximum)",
          millis.get(0), millis.get(millis.size() / 2), millis.get(millis.size() - 1));
    }
    System.out.printf("; in %d runs the kill came when it was all over, in %d before MPI was there (the job ended, to be "
        + "started again)%n", tooLate, tooEarly);
    return bad;
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
    int[] code = {0};
    Thread job = new Thread(() -> code[0] =
        new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(folder.resolve("output.txt")).run());
    job.start();
    if (killAfterMillis > 0) {
      killOne(job, killAfterMillis);
    }
    job.join(TimeUnit.SECONDS.toMillis(2 * TIMEOUT_SECONDS));
    ObjectMapper mapper = new ObjectMapper();
    if (code[0] != 0 || !Files.exists(json)) {
      boolean inInit = code[0] == Mpi.RESTART_CODE
          && Files.readString(folder.resolve("output.txt")).contains("before all were through MPI_Init");
      return mapper.createObjectNode().put("problem", inInit ? TOO_EARLY
          : code[0] == Job.TIMED_OUT ? "HUNG: ended after " + TIMEOUT_SECONDS + " s" : "ENDED with " + code[0]);
    }
    JsonNode result = mapper.readTree(json.toFile());
    result.get("recoveries").forEach(recovery -> millis.add(recovery.get("totalMillis").asDouble()));
    return result;
  }

  /** SIGKILL to one of the job's Java processes, known by its id as a descendant of this one. */
  private void killOne(Thread job, long afterMillis) throws InterruptedException {
    while (job.isAlive() && !isMpiThere()) {
      job.join(LOOK_MILLIS);
    }
    job.join(afterMillis);
    List<ProcessHandle> ranks = ranks();
    if (ranks.isEmpty()) {
      tooLate++;
      return;
    }
    ProcessHandle victim = ranks.get(random.nextInt(ranks.size()));
    if (!victim.destroyForcibly()) {
      throw new LaunchException("cannot kill process " + victim.pid());
    }
  }

  private static List<ProcessHandle> ranks() {
    return ProcessHandle.current().descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/java")).collect(Collectors.toList());
  }

  /** Whether the first rank is through MPI_Init: it has left a mark in the job's folder then. */
  private static boolean isMpiThere() {
    String option = "-Dkintsugi.job.dir=";
    return ranks().stream().flatMap(rank -> Arrays.stream(rank.info().arguments().orElse(new String[0])))
        .filter(argument -> argument.startsWith(option)).map(argument -> new File(argument.substring(option.length())).list())
        .anyMatch(files -> files != null && Arrays.stream(files).anyMatch(file -> file.startsWith("mpi-")));
  }
}
