// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.examples.amg.Amg;
import org.kintsugi.examples.comd.Comd;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.examples.lulesh.Lulesh;
import org.kintsugi.examples.minife.MiniFe;
import org.kintsugi.examples.minivite.MiniVite;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.TemporaryFolder;

/**
 * Measures the time of an iteration of each proxy application, and of the original in C or C++, in jobs by turns: the same
 * arguments, the same ranks, the same MPI. The originals are not part of this project: programs with the names of the
 * applications, in a folder of the user's. Without them only Java is measured.
 *
 * <p>Java's time is the mean of the second half of the iterations, when all is compiled; the mean of all of them is given apart.
 * The original's is the one that it prints.
 */
public final class AppsBench {
  private static final int TURNS = 3;
  private static final long LIMIT_SECONDS = 300;
  private static final String NUMBER = "([-+.\\deE]+)";

  /** The applications as they are measured. */
  enum App {
    HPCCG(Hpccg.class, "Time Summary:[\\s:]*Total[\\s:]*" + NUMBER, "Number of iterations[\\s:]*" + NUMBER, 1, 2),
    LULESH(Lulesh.class, "Grind time \\(us/z/c\\)\\s*=\\s*" + NUMBER, null, 1, 8),
    COMD(Comd.class, "(?m)^timestep\\s+\\d+\\s+[.\\d]+\\s+" + NUMBER, null, 1, 2),
    AMG(Amg.class, "AMG-PCG Solve Time:[\\s=]*(?:PCG Solve:)?\\s*wall clock time\\s*=\\s*" + NUMBER, "\nIterations = " + NUMBER,
        1, 2),
    MINIFE(MiniFe.class, "Time per iteration:\\s*" + NUMBER, null, 1, 2),
    MINIVITE(MiniVite.class, "(?:Time \\(in s\\):|Average total time \\(in s\\), #Processes:)\\s*" + NUMBER,
        "Iterations:\\s*(?:\\S+, )?" + NUMBER, 1, 2);

    private final Class<?> main;
    private final Pattern time;
    /** Null: the time is that of an iteration. */
    private final Pattern count;
    private final int[] ranks;

    App(Class<?> main, String time, String count, int... ranks) {
      this.main = main;
      this.time = Pattern.compile(time);
      this.count = count == null ? null : Pattern.compile(count);
      this.ranks = ranks;
    }

    /** The arguments, a space between them; the same for both. */
    String line(int size) {
      return switch (this) {
        case HPCCG -> "64 64 64";
        // One region that is computed once: of more regions the original computes some again and again, to no effect.
        case LULESH -> "-s " + LULESH_EDGE + " -i 60 -r 1 -c 0";
        case COMD -> "-x " + 20 * size + " -y 20 -z 20 -N " + COMD_STEPS + " -n 10 -i " + size;
        case AMG -> "-problem 1 -n 40 40 40 -P " + size + " 1 1";
        case MINIFE -> "-nx " + 60 * size + " -ny 60 -nz 60";
        case MINIVITE -> "-p 3 -l -n " + 131_072 * size;
      };
    }

    /** Parses the original's output. */
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

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final int LULESH_EDGE = 30;
  private static final int COMD_STEPS = 50;

  private final MpiHome mpi;
  private final Path originals;

  /** @param originals a folder with programs; null: only Java is measured */
  public AppsBench(MpiHome mpi, Path originals) {
    this.mpi = mpi;
    this.originals = originals;
  }

  /** Prints a table, and returns what is in it. */
  public List<Map<String, Object>> run() throws IOException {
    System.out.printf("%nproxy applications, ms per iteration, medians of %d jobs; load %s%n", TURNS,
        Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
    System.out.printf("%-9s %5s %10s %10s %10s %8s  %s%n", "", "ranks", "original", "Java", "from start", "ratio", "arguments");
    List<Map<String, Object>> rows = new ArrayList<>();
    double product = 1;
    int compared = 0;
    for (App app : App.values()) {
      for (int ranks : app.ranks) {
        Map<String, Object> row = row(app, ranks);
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

  private Map<String, Object> row(App app, int ranks) throws IOException {
    Path program = originals == null ? null : originals.resolve(app.toString());
    boolean isThere = program != null && Files.isExecutable(program);
    List<Double> original = new ArrayList<>();
    List<Double> steady = new ArrayList<>();
    List<Double> whole = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      if (isThere) {
        original.add(1e3 * original(app, program, ranks));
      }
      double[] seconds = java(app, ranks);
      steady.add(1e3 * mean(seconds, seconds.length / 2));
      whole.add(1e3 * mean(seconds, 0));
    }
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("app", app.toString());
    row.put("ranks", ranks);
    row.put("arguments", app.line(ranks));
    row.put("originalMillis", isThere ? median(original) : null);
    row.put("millis", median(steady));
    row.put("millisFromStart", median(whole));
    row.put("overOriginal", isThere ? median(steady) / median(original) : null);
    System.out.printf("%-9s %5d %10s %10.3f %10.3f %8s  %s%n", app, ranks,
        isThere ? String.format("%.3f", median(original)) : "-", median(steady), median(whole),
        isThere ? String.format("%.3f", median(steady) / median(original)) : "-", app.line(ranks));
    return row;
  }

  private double[] java(App app, int ranks) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-bench-")) {
      Path json = folder.path().resolve("result.json");
      List<String> line = new ArrayList<>(List.of("-cp", System.getProperty("java.class.path"), app.main.getName()));
      line.addAll(List.of(app.line(ranks).split(" ")));
      line.addAll(List.of("--checkpoint-every", "0", "--json", json.toString()));
      run(app, new JobSpec().ranks(ranks).javaArguments(line), folder.path().resolve("output"));
      JsonNode seconds = new ObjectMapper().readTree(json.toFile()).get("iterationSeconds");
      double[] iterations = new double[seconds.size() - 1];
      for (int i = 0; i < iterations.length; i++) {
        iterations[i] = seconds.get(i + 1).asDouble();
      }
      return iterations;
    }
  }

  /** Runs the original in a folder of its own, as some write files. What a JVM would be told has to be right, and is left out. */
  private double original(App app, Path program, int ranks) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-bench-")) {
      Path output = folder.path().resolve("output");
      Path work = Files.createDirectory(folder.path().resolve("work"));
      Path starter = Files.writeString(folder.path().resolve("starter"),
          "#!/bin/sh\ncd '" + work + "' && exec '" + program.toAbsolutePath() + "' " + app.line(ranks) + "\n");
      Files.setPosixFilePermissions(starter, PosixFilePermissions.fromString("rwx------"));
      List<String> line = List.of("-cp", System.getProperty("java.class.path"), app.main.getName());
      run(app, new JobSpec().ranks(ranks).java(starter).javaArguments(line).classArchive(false), output);
      StringBuilder printed = new StringBuilder(Files.readString(output));
      try (Stream<Path> files = Files.list(work)) {
        for (Path file : files.toList()) {
          printed.append('\n').append(Files.readString(file));
        }
      }
      return app.secondsPerIteration(printed.toString());
    }
  }

  private void run(App app, JobSpec spec, Path output) throws IOException {
    int code = new Job(spec, mpi).timeoutSeconds(LIMIT_SECONDS).outputTo(output).run();
    if (code != 0) {
      throw new IOException(app + " ended with " + code + ":\n" + Files.readString(output));
    }
  }

  private static double mean(double[] values, int first) {
    double sum = 0;
    for (int i = first; i < values.length; i++) {
      sum += values[i];
    }
    return sum / (values.length - first);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }
}
