// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.launch.MpiHome;

/**
 * Made to be watched: HPCCG undisturbed, then with the death of a rank, and the two answers compared bit for bit. Exit code 0
 * only if they agree.
 */
public final class Demo {
  private static final int RANKS = 4;
  private static final int VICTIM = 2;
  private static final int WHEN = 60;
  private static final List<String> SIZE = List.of("48", "48", "48");
  private static final long TIMEOUT_SECONDS = 300;

  private Demo() {}

  /** Runs it. */
  public static void main(String[] args) throws IOException {
    MpiHome mpi = MpiHome.find(null, System.getenv());
    Path folder = Files.createTempDirectory("kintsugi-demo-");
    try {
      System.out.printf("HPCCG, %s points per rank, on %d ranks and 1 spare, under %s%n%n1. undisturbed%n",
          String.join(" x ", SIZE), RANKS, mpi.mpirun());
      JsonNode undisturbed = run(mpi, folder.resolve("undisturbed.json"), null);
      System.out.printf("%n2. rank %d gets a SIGKILL at iteration %d%n", VICTIM, WHEN);
      JsonNode killed = run(mpi, folder.resolve("killed.json"), "process:" + VICTIM + "@" + WHEN);
      System.exit(compare(undisturbed, killed) ? 0 : 1);
    } finally {
      for (String name : List.of("undisturbed.json", "killed.json")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.deleteIfExists(folder);
    }
  }

  private static JsonNode run(MpiHome mpi, Path json, String kill) throws IOException {
    JobSpec spec = new JobSpec().ranks(RANKS).spares(1);
    if (kill != null) {
      spec.kill(kill);
    }
    spec.javaArguments(List.of("-cp", System.getProperty("java.class.path"), Hpccg.class.getName(),
        SIZE.get(0), SIZE.get(1), SIZE.get(2), "--json", json.toString(), "--progress"));
    int code = new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).run();
    if (code != 0 || !Files.exists(json)) {
      System.err.println("the job ended with " + code + " and no result");
      System.exit(1);
    }
    return new ObjectMapper().readTree(json.toFile());
  }

  private static boolean compare(JsonNode undisturbed, JsonNode killed) {
    System.out.println("\n3. what happened");
    for (JsonNode recovery : killed.get("recoveries")) {
      System.out.printf("   lost rank %s: detected in %.1f ms, repaired in %.1f ms, %.1f ms together%n",
          recovery.get("failedRanks"), recovery.get("detectionMillis").asDouble(),
          recovery.get("repairMillis").asDouble(), recovery.get("totalMillis").asDouble());
    }
    showIterations(killed);
    showTimes("undisturbed", undisturbed);
    showTimes("killed", killed);
    System.out.println("\n4. the residuals, undisturbed and killed");
    JsonNode one = undisturbed.get("residuals");
    JsonNode other = killed.get("residuals");
    for (int k : new int[] {0, 1, 10, 30, WHEN - 1, WHEN, WHEN + 1, 90, 120, one.size() - 1}) {
      System.out.printf("   %4d   %-24s %-24s %s%n", k, one.get(k), other.get(k),
          one.get(k).equals(other.get(k)) ? "=" : "DIFFERENT");
    }
    boolean same = one.equals(other) && undisturbed.get("sumX").equals(killed.get("sumX"))
        && undisturbed.get("maxError").equals(killed.get("maxError"));
    boolean recovered = killed.get("recoveries").size() == 1 && undisturbed.get("recoveries").isEmpty();
    System.out.printf("%n%s%n", same && recovered
        ? "All " + one.size() + " residuals, the sum of x and the largest error agree bit for bit."
        : "The two runs DO NOT agree, or nothing was recovered.");
    return same && recovered;
  }

  /** The first iterations after the takeover beside the steady ones, on rank 0. */
  private static void showIterations(JsonNode killed) {
    JsonNode seconds = killed.get("iterationSeconds");
    double steady = 0;
    int count = 0;
    for (int k = WHEN + 30; k < seconds.size(); k++) {
      steady += seconds.get(k).asDouble();
      count++;
    }
    System.out.printf("   first iterations after the takeover, ms:");
    for (int k = WHEN - 9; k < WHEN - 4; k++) {
      System.out.printf(" %.2f", seconds.get(k).asDouble() * 1e3);
    }
    System.out.printf("; steady ones: %.2f%n", steady / count * 1e3);
  }

  private static void showTimes(String name, JsonNode result) {
    JsonNode times = result.get("times");
    double total = times.get("total").asDouble();
    System.out.printf("   time, %-12s", name + ":");
    for (String part : List.of("application", "checkpoint", "recovery")) {
      double share = times.get(part).asDouble();
      System.out.printf(" %s %.3f s (%.0f %%)", part, share, 100 * share / total);
    }
    System.out.println();
  }
}
