// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.runtime.MpiHome;

/**
 * Measures the proxy applications, and the originals in C or C++ beside them: the same arguments, the same ranks, the same MPI.
 * The originals are not part of this project: programs with the names of the applications, in a folder of the user's. Without
 * them only Java is measured.
 *
 * <ul>
 * <li>Time of an iteration, in jobs by turns. Java's is the mean of the second half of the iterations, when all is compiled; the
 * mean of all of them is given apart. The original's is the one that it prints.
 * <li>Memory: how much more a rank holds at most than one with hardly any data. Java's in a heap that grows no more than it must.
 * <li>Checkpoints in memory every 10 iterations, by turns with runs that save nothing. The ratio of
 * the time that rank 0 spent in saves to the time of undisturbed iterations; the same for the
 * second half of a run alone, as the first saves touch new memory and compile; and by how much the
 * whole run was longer.
 * </ul>
 */
final class AppsBench {
  private static final int TURNS = 3;
  private static final List<String> AS_THEY_ARE = List.of();
  /** With the usual options the collector does not remove garbage while there is room. */
  private static final List<String> SMALL_HEAP =
      List.of("-Xms16m", "-Xmn8m", "-XX:MinHeapFreeRatio=5", "-XX:MaxHeapFreeRatio=10");
  private static final String NEVER = "--checkpoint-every=0";

  private final AppJobs jobs;

  /** @param originals a folder with programs; null: only Java is measured */
  AppsBench(MpiHome mpi, Path originals) {
    jobs = new AppJobs(mpi, originals);
  }

  /** Prints tables, and returns their contents. */
  Map<String, Object> run() throws IOException {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put("times", times());
    tables.put("memory", memory());
    tables.put("checkpoints", checkpoints());
    return tables;
  }

  private List<Map<String, Object>> times() throws IOException {
    System.out.printf("%nproxy applications, ms per iteration, medians of %d jobs; load %s%n", TURNS,
        Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
    System.out.printf("%-9s %5s %10s %10s %10s %8s  %s%n", "", "ranks", "original", "Java", "from start", "ratio", "arguments");
    List<Map<String, Object>> rows = new ArrayList<>();
    double product = 1;
    int compared = 0;
    for (BenchedApp app : BenchedApp.values()) {
      for (int ranks : app.ranks()) {
        Map<String, Object> row = timesOf(app, ranks);
        rows.add(row);
        if (row.get("overOriginal") != null) {
          product *= (double) row.get("overOriginal");
          compared++;
        }
      }
    }
    if (compared > 0) {
      System.out.printf("geometric mean of %d: %.3f%n", compared, Math.pow(product, 1.0 / compared));
    }
    return rows;
  }

  private Map<String, Object> timesOf(BenchedApp app, int ranks) throws IOException {
    String arguments = app.timed(ranks);
    List<Double> original = new ArrayList<>();
    List<Double> steady = new ArrayList<>();
    List<Double> whole = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      if (jobs.hasOriginal(app)) {
        original.add(1e3 * app.secondsPerIteration(jobs.original(app, ranks, arguments)));
      }
      double[] seconds = iterations(jobs.java(AS_THEY_ARE, app, ranks, arguments, NEVER));
      steady.add(1e3 * sum(seconds, seconds.length / 2) / (seconds.length - seconds.length / 2));
      whole.add(1e3 * sum(seconds, 0) / seconds.length);
    }
    Double originalMillis = original.isEmpty() ? null : Median.of(original);
    Map<String, Object> row = row(app, ranks, arguments);
    row.put("originalMillis", originalMillis);
    row.put("millis", Median.of(steady));
    row.put("millisFromStart", Median.of(whole));
    row.put("overOriginal", originalMillis == null ? null : Median.of(steady) / originalMillis);
    System.out.printf("%-9s %5d %10s %10.3f %10.3f %8s  %s%n", app, ranks, text(originalMillis), Median.of(steady),
        Median.of(whole),
        text((Double) row.get("overOriginal")), arguments);
    return row;
  }

  private List<Map<String, Object>> memory() throws IOException {
    System.out.printf(
        "%nthe most memory of a rank (VmHWM, MiB), with these arguments and with hardly any data; Java with %s, and as usual%n",
        String.join(" ", SMALL_HEAP));
    System.out.printf("%-9s %5s %12s %12s %8s %8s  %s%n", "", "ranks", "original", "Java", "ratio", "usual", "arguments");
    List<Map<String, Object>> rows = new ArrayList<>();
    for (BenchedApp app : BenchedApp.values()) {
      int ranks = app.mostRanks();
      String arguments = app.large(ranks);
      String tiny = app.tiny(ranks);
      Map<String, Object> row = row(app, ranks, arguments);
      double usual = AppJobs.peak("java", () -> jobs.java(AS_THEY_ARE, app, ranks, arguments, NEVER));
      double java = AppJobs.peak("java", () -> jobs.java(SMALL_HEAP, app, ranks, arguments, NEVER));
      double javaTiny = AppJobs.peak("java", () -> jobs.java(SMALL_HEAP, app, ranks, tiny, NEVER));
      row.put("mebibytesUsual", usual);
      row.put("mebibytes", java);
      row.put("mebibytesTiny", javaTiny);
      String original = "-";
      Double ratio = null;
      if (jobs.hasOriginal(app)) {
        double peak = AppJobs.peak(app.toString(), () -> jobs.original(app, ranks, arguments));
        double peakTiny = AppJobs.peak(app.toString(), () -> jobs.original(app, ranks, tiny));
        row.put("originalMebibytes", peak);
        row.put("originalMebibytesTiny", peakTiny);
        original = String.format("%.0f %.0f", peak, peakTiny);
        ratio = (java - javaTiny) / (peak - peakTiny);
      }
      row.put("overOriginal", ratio);
      System.out.printf("%-9s %5d %12s %12s %8s %8.0f  %s%n", app, ranks, original, String.format("%.0f %.0f", java, javaTiny),
          text(ratio), usual, arguments);
      rows.add(row);
    }
    return rows;
  }

  private List<Map<String, Object>> checkpoints() throws IOException {
    System.out.printf(
        "%ncheckpoints in memory every 10 iterations, over the time of undisturbed iterations, medians of %d jobs by turns: "
            + "time in saves; in the second half; by how much iterations and saves together are longer%n",
        TURNS);
    System.out.printf("%-9s %5s %12s %10s %8s %11s %8s  %s%n", "", "ranks", "ms/iteration", "MiB/save", "saves", "second half",
        "in all", "arguments");
    List<Map<String, Object>> rows = new ArrayList<>();
    for (BenchedApp app : BenchedApp.values()) {
      rows.add(checkpointsOf(app));
    }
    return rows;
  }

  private Map<String, Object> checkpointsOf(BenchedApp app) throws IOException {
    int ranks = app.mostRanks();
    String arguments = app.slow(ranks);
    List<Double> undisturbed = new ArrayList<>();
    List<Double> undisturbedLate = new ArrayList<>();
    List<Double> saves = new ArrayList<>();
    List<Double> savesLate = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    int count = 0;
    double mebibytes = 0;
    for (int turn = 0; turn < TURNS; turn++) {
      double[] without = iterations(jobs.java(AS_THEY_ARE, app, ranks, arguments, NEVER));
      JsonNode report = jobs.java(AS_THEY_ARE, app, ranks, arguments, "--checkpoint-every=10");
      double[] seconds = iterations(report);
      double[] inSaves = values(report.get("saveSeconds"));
      count = without.length;
      undisturbed.add(sum(without, 0));
      undisturbedLate.add(sum(without, count / 2));
      saves.add(sum(inSaves, 0));
      savesLate.add(sum(inSaves, count / 2));
      all.add(sum(seconds, 0) + sum(inSaves, 0));
      JsonNode saved = report.get("checkpoints").get(0);
      mebibytes = saved.get("bytes").asDouble() / saved.get("saves").asInt() / (1 << 20);
    }
    double millis = 1e3 * Median.of(undisturbed) / count;
    double cost = Median.of(saves) / Median.of(undisturbed);
    double late = Median.of(savesLate) / Median.of(undisturbedLate);
    double inAll = Median.of(all) / Median.of(undisturbed) - 1;
    Map<String, Object> row = row(app, ranks, arguments);
    row.put("undisturbedMillis", millis);
    row.put("mebibytesPerSave", mebibytes);
    row.put("savesOverUndisturbed", cost);
    row.put("savesOverUndisturbedLate", late);
    row.put("longerInAll", inAll);
    System.out.printf("%-9s %5d %12.1f %10.1f %7.1f%% %10.1f%% %7.1f%%  %s%n", app, ranks, millis, mebibytes, 100 * cost,
        100 * late, 100 * inAll, arguments);
    return row;
  }

  private static Map<String, Object> row(BenchedApp app, int ranks, String arguments) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("app", app.toString());
    row.put("ranks", ranks);
    row.put("arguments", arguments);
    return row;
  }

  /** The seconds of each iteration on rank 0. */
  private static double[] iterations(JsonNode report) {
    return values(report.get("iterationSeconds"));
  }

  /** A value for each iteration; the report's first is of none. */
  private static double[] values(JsonNode list) {
    double[] values = new double[list.size() - 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = list.get(i + 1).asDouble();
    }
    return values;
  }

  private static double sum(double[] values, int first) {
    double sum = 0;
    for (int i = first; i < values.length; i++) {
      sum += values[i];
    }
    return sum;
  }

  private static String text(Double value) {
    return value == null ? "-" : String.format("%.3f", value);
  }
}
