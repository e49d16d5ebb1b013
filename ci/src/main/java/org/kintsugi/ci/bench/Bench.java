// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.kintsugi.ci.ranks.TemporaryFolder;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.launch.MpiHome;
import org.kintsugi.launch.MpiHome.Flavour;

/** Runs all benchmarks on one flavour of MPI, prints a table, and writes target/bench.json (target/bench-reinit.json). */
public final class Bench {
  private static final String ALL = "all";
  private static final List<String> PARTS = List.of(ALL, "messages", "hpccg", "recovery", "persist");
  private static final int KILLS = 20;
  private static final long TIMEOUT_SECONDS = 300;

  /** Jobs of each kind, in turns, and barriers before each death: some 2 s, in which another JVM becomes warm. */
  private static final int TURNS = 2;
  private static final int ITERATIONS = 1000;
  private static final int COLD_KILLS = 5;

  private final MpiHome mpi;
  private final Path root;
  private final Path natives;
  private final Map<String, Object> results = new LinkedHashMap<>();

  private Bench(Path root, Flavour flavour) {
    this.root = root;
    mpi = MpiHome.find(null, flavour, System.getenv());
    natives = root.resolve("native/target/cmake-" + flavour.word());
  }

  /** Arguments: the checkout, the flavour if it is not ulfm, and the part if it is not all ({@code PARTS}). */
  public static void main(String[] args) throws IOException {
    Flavour flavour = args.length > 1 ? Flavour.valueOf(args[1].toUpperCase(Locale.ROOT)) : Flavour.ULFM;
    Bench bench = new Bench(Path.of(args[0]), flavour);
    String part = args.length > 2 ? args[2] : ALL;
    if (!PARTS.contains(part)) {
      throw new IllegalArgumentException("PART=" + part + ": expected one of " + PARTS);
    }
    if (part.equals(ALL) || part.equals("messages")) {
      bench.figures("messages", MessageBench.class);
    }
    if (part.equals(ALL) || part.equals("hpccg")) {
      bench.figures("hpccg", HpccgBench.class);
    }
    if (part.equals(ALL) || part.equals("recovery")) {
      if (flavour == Flavour.ULFM) {
        bench.recovery();
      } else {
        bench.recoveryBesideC();
      }
    }
    if (part.equals(ALL) || part.equals("persist")) {
      bench.persist();
    }
    Path json = bench.root.resolve("target/bench" + (flavour == Flavour.ULFM ? "" : "-" + flavour.word()) + ".json");
    Files.createDirectories(json.getParent());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), bench.results);
    System.out.println("\nalso in " + json);
  }

  private void persist() throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-persist-bench-")) {
      figures("storing", PersistLatency.class, folder.path().toString());
    }
    results.put("persist", new PersistBench(mpi, root.resolve("target"), false).run());
  }

  private JobSpec spec(int ranks, int spares, Class<?> main, List<String> jvmOptions, String... arguments) {
    List<String> line = new ArrayList<>(jvmOptions);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    line.addAll(List.of(arguments));
    return new JobSpec().ranks(ranks).spares(spares).javaArguments(line);
  }

  private void figures(String name, Class<?> main, String... arguments) throws IOException {
    Path output = Files.createTempFile("kintsugi-bench-", ".txt");
    try {
      Path twins = natives.resolve("lib/libkintsugi_twins.so");
      JobSpec spec = spec(2, 0, main, List.of("-Dkintsugi.twins=" + twins), arguments);
      int code = new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(output).run();
      if (code != 0) {
        throw new IOException(name + " ended with " + code + ":\n" + Files.readString(output));
      }
      System.out.printf("%n%-24s %-16s %14s %10s%n", name + ", 2 ranks", "", "microseconds", "ratio");
      List<Map<String, Object>> rows = new ArrayList<>();
      for (String line : Files.readAllLines(output)) {
        String[] cells = line.split("\t");
        if (cells.length == 4) {
          System.out.printf("%-24s %-16s %14s %10s%n", (Object[]) cells);
          rows.add(Map.of("name", cells[0], "variant", cells[1], "micros", Double.valueOf(cells[2]),
              "overC", Double.valueOf(cells[3])));
        }
      }
      results.put(name, rows);
    } finally {
      Files.delete(output);
    }
  }

  private void recovery() throws IOException {
    List<Double> detection = new ArrayList<>();
    List<Double> repair = new ArrayList<>();
    List<Double> together = new ArrayList<>();
    for (int i = 0; i < KILLS; i++) {
      Path json = Files.createTempFile("kintsugi-bench-", ".json");
      Path output = Files.createTempFile("kintsugi-bench-", ".txt");
      try {
        JobSpec spec = spec(4, 1, Hpccg.class, List.of(), "24", "24", "24", "--json", json.toString())
            .kill("process:" + i % 4 + "@" + (60 + i));
        int code = new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(output).run();
        if (code != 0) {
          throw new IOException("kill " + i + " ended with " + code + ":\n" + Files.readString(output));
        }
        JsonNode recovery = new ObjectMapper().readTree(json.toFile()).get("recoveries").get(0);
        detection.add(recovery.get("detectionMillis").asDouble());
        repair.add(recovery.get("repairMillis").asDouble());
        together.add(recovery.get("totalMillis").asDouble());
      } finally {
        Files.delete(json);
        Files.delete(output);
      }
    }
    System.out.printf("%nrecovery of HPCCG, 4 + 1 ranks, %d kills, ms as rank 0 saw it%n", KILLS);
    System.out.printf("%-26s %10s %10s %10s%n", "", "minimum", "median", "maximum");
    row("detection", detection, "");
    row("repair", repair, "");
    row("together", together, "");
  }

  private void recoveryBesideC() throws IOException {
    Path twin = natives.resolve("bin/recovery");
    RecoveryBench bench = new RecoveryBench(mpi, twin, KILLS, ITERATIONS);
    RecoveryBench overTcp = new RecoveryBench(mpi, twin, COLD_KILLS, ITERATIONS).overTcp();
    List<Double> c = new ArrayList<>();
    List<Double> warm = new ArrayList<>();
    List<Double> tcpC = new ArrayList<>();
    List<Double> tcpWarm = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      c.addAll(bench.c());
      warm.addAll(bench.java(1));
      tcpC.addAll(overTcp.c());
      tcpWarm.addAll(overTcp.java(1));
    }
    List<Double> cold = new RecoveryBench(mpi, twin, COLD_KILLS, ITERATIONS).java(0);
    System.out.printf("%nrecovery, 4 ranks, %d kills (cold: %d), ms from the last barrier to the first collective of all%n",
        TURNS * KILLS, COLD_KILLS);
    System.out.printf("%-26s %10s %10s %10s %10s%n", "", "minimum", "median", "maximum", "over C");
    rowOverC("C", c, c);
    rowOverC("Java, warm JVMs", warm, c);
    rowOverC("Java, cold JVMs", cold, c);
    rowOverC("C, PMIx over TCP", tcpC, tcpC);
    rowOverC("Java warm, PMIx over TCP", tcpWarm, tcpC);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private void rowOverC(String name, List<Double> values, List<Double> c) {
    row(name, values, String.format(" %10.3f", median(values) / median(c)));
  }

  private void row(String name, List<Double> values, String more) {
    Collections.sort(values);
    System.out.printf("%-26s %10.1f %10.1f %10.1f%s%n", name, values.get(0), median(values), values.get(values.size() - 1), more);
    results.put("recovery " + name + " ms", values);
  }
}
