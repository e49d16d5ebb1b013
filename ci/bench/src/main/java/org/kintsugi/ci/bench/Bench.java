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
import java.util.stream.IntStream;
import org.kintsugi.ci.cluster.NamespaceNodes;
import org.kintsugi.ci.network.SoftwareRoute;
import org.kintsugi.ci.figures.Recorder;
import org.kintsugi.examples.experiments.report.PersistReport;
import org.kintsugi.examples.hpccg.Hpccg;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.OptionalHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;
import org.kintsugi.test.cluster.Cluster;

/** Runs all benchmarks on one flavour of MPI, prints a table, and writes target/bench.json (target/bench-reinit.json). */
public final class Bench {
  private static final String ALL = "all";
  private static final int KILLS = 20;
  private static final long TIMEOUT_SECONDS = 300;
  /** The speed of the links between simulated nodes. */
  private static final String LINK = "10gbit";

  /** Jobs of each kind, in turns, and barriers before each death: some 2 s, in which another JVM becomes warm. */
  private static final int TURNS = 2;
  private static final int ITERATIONS = 1000;
  /** Jobs of each kind, in turns. */
  private static final int CHECKED_TURNS = 5;
  private static final int UNDERTAKER_TURNS = 5;
  private static final int COLD_KILLS = 5;
  private static final int RANKS = 4;
  private static final String REVOCATIONS = "2000";

  /** Far more ranks than cores: a barrier takes the time of ten with few ranks. */
  private static final int SPARES_OF_MANY = 2;
  private static final int ITERATIONS_OF_MANY = 200;

  private final MpiHome mpi;
  private final Path root;
  private final Path natives;
  /** The folder of the proxy applications' originals; null: there are none. */
  private final Path originals;
  private final Map<String, Object> results = new LinkedHashMap<>();
  private final Recorder recorder = Recorder.ofThisJvm();
  /** What the names of metrics begin with: the flavour, unless it is ULFM. */
  private final String prefix;
  private String part;

  private Bench(Path root, Flavour flavour, Path originals) {
    this.root = root;
    this.originals = originals;
    prefix = flavour == Flavour.ULFM ? "" : flavour + " ";
    mpi = MpiHome.find(null, flavour, System.getenv());
    natives = root.resolve("native/target/cmake-" + flavour);
  }

  /** Arguments: the checkout, the flavour if it is not ulfm, the part if it is not all, and a folder with originals. */
  public static void main(String[] args) throws IOException {
    Flavour flavour = args.length > 1 ? Flavour.valueOf(args[1].toUpperCase(Locale.ROOT)) : Flavour.ULFM;
    Path originals = args.length > 3 && !args[3].isEmpty() ? Path.of(args[3]) : null;
    if (originals != null && !Files.isDirectory(originals)) {
      System.err.println("ORIGINALS=" + originals + ": this folder does not exist");
      System.exit(2);
    }
    Bench bench = new Bench(Path.of(args[0]), flavour, originals);
    Map<String, Part> parts = bench.parts();
    String wanted = args.length > 2 ? args[2] : ALL;
    if (!wanted.equals(ALL) && !parts.containsKey(wanted)) {
      System.err.println("PART=" + wanted + ": expected " + ALL + " or one of " + parts.keySet());
      System.exit(2);
    }
    for (Map.Entry<String, Part> part : parts.entrySet()) {
      if (wanted.equals(ALL) || wanted.equals(part.getKey())) {
        bench.part = part.getKey();
        part.getValue().print();
      }
    }
    Path json = bench.root.resolve("target/bench" + (flavour == Flavour.ULFM ? "" : "-" + flavour) + ".json");
    Files.createDirectories(json.getParent());
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), bench.results);
    System.out.println("\nalso in " + json);
  }

  /** A table of the whole. */
  private interface Part {
    void print() throws IOException;
  }

  private Map<String, Part> parts() {
    Map<String, Part> parts = new LinkedHashMap<>();
    parts.put("messages", () -> figures("messages", 2, MessageBench.class));
    parts.put("arrays", () -> figures("arrays", 2, ArraysBench.class, List.of("-Xmx128m")));
    parts.put("hpccg", () -> figures("hpccg", 2, HpccgBench.class));
    parts.put("apps", () -> results.put("apps", new AppsBench(mpi, originals).run()));
    parts.put("recovery", mpi.flavour() == Flavour.ULFM ? this::recoveries : this::recoveryBesideC);
    if (mpi.flavour() == Flavour.ULFM) {
      parts.put("revoke", () -> figures("revoke", RANKS, RevokeBench.class, REVOCATIONS));
    }
    parts.put("checkpoint", this::checkpoints);
    parts.put("scr", this::scr);
    parts.put("fti", this::fti);
    parts.put("persist", this::persist);
    parts.put("start", this::starts);
    parts.put("check", this::checked);
    if (mpi.flavour() == Flavour.ULFM) {
      parts.put("network", this::networks);
    }
    parts.put("memory-holder", this::memoryHolder);
    return parts;
  }

  /** The experiment in the size of a laptop, as its report has it. */
  private void persist() throws IOException {
    PersistReport report = new PersistBench(root).run();
    // The names of the metrics are older than the experiment.
    report.latencies().forEach((store, ratio) -> recorder.value("storing/store 1024 B/" + metric(store), ratio));
    report.intervalParameters().forEach((store, c) -> recorder.value("persist/c/" + metric(store), c));
    results.put("persist", report.intervalParameters());
    results.put("storing", report.latencies());
  }

  private static String metric(String store) {
    return store.equals("sqlite") ? "jdbc" : store;
  }

  private JobSpec spec(int ranks, int spares, Class<?> main, List<String> jvmOptions, String... arguments) {
    return new JobSpec().ranks(ranks).spares(spares).javaArguments(java(main, jvmOptions, arguments));
  }

  private List<String> java(Class<?> main, List<String> jvmOptions, String... arguments) {
    List<String> line = new ArrayList<>(jvmOptions);
    line.add("-Dkintsugi.twins=" + natives.resolve("lib/libkintsugi_twins.so"));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    line.addAll(List.of(arguments));
    return line;
  }

  private boolean isInstalled(String library) {
    try {
      OptionalHome.find(library, mpi.flavour());
      return true;
    } catch (UnsupportedOperationException e) {
      System.out.println("\n" + library + " is left out: " + e.getMessage());
      return false;
    }
  }

  /** Two ranks that reach each other over a network, and not by shared memory: each route that works without hardware for it. */
  private void networks() throws IOException {
    for (SoftwareRoute route : SoftwareRoute.values()) {
      if (!route.isIn(mpi)) {
        System.out.println("\n" + route + " is left out: " + route.whyNot());
        continue;
      }
      figures("network " + route + (route.doesSurvive() ? "" : ", without fault tolerance"), 2,
          spec(2, 0, MessageBench.class, List.of(), MessageBench.PING_PONG, "8", "1048576")
              .network(route.network()).faultTolerance(route.doesSurvive()).mpirunOptions(route.options()));
    }
  }

  /** Saves by FTI, at each of its levels, where it is installed. */
  private void fti() throws IOException {
    if (!isInstalled("fti")) {
      return;
    }
    for (String level : List.of("1", "2", "3", "4")) {
      for (String mebibytes : List.of("1", "64")) {
        try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-bench-")) {
          figures("fti L" + level + " " + mebibytes + " MiB", 2, FtiBench.class, List.of("-Dkintsugi.checkpoint.store=fti",
              "-Dkintsugi.checkpoint.dir=" + folder.path().resolve("shared"),
              "-Dkintsugi.checkpoint.local.dir=" + folder.path().resolve("local"), "-Dkintsugi.fti.levels=" + level), level,
              mebibytes);
        }
      }
    }
  }

  /** On the disk that the checkout is on: temporary folders are in memory on many machines. */
  private void checkpoints() throws IOException {
    Path target = Files.createDirectories(root.resolve("target"));
    try (TemporaryFolder folder = TemporaryFolder.in(target, "bench-checkpoints-")) {
      figures("checkpoint", CheckpointBench.RANKS, CheckpointBench.class, folder.path().toString());
    }
    // Partners are on other nodes if there are any, and shared memory does not reach those.
    figures("checkpoint over TCP", CheckpointBench.RANKS, spec(CheckpointBench.RANKS, 0, CheckpointBench.class, List.of())
        .mpirunOptions(List.of("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")));
    checkpointsBetweenNodes();
  }

  /** Partners' copies go over a link as clusters have it; between namespaces alone they would go as fast as memory. */
  private void checkpointsBetweenNodes() throws IOException {
    int ranks = CheckpointBench.RANKS;
    try (Cluster cluster = Cluster.of(IntStream.range(0, ranks).map(node -> 1).toArray())) {
      cluster.limit(LINK);
      List<String> line = new ArrayList<>(cluster.jmpirun(mpi));
      line.addAll(List.of("-n", String.valueOf(ranks)));
      line.addAll(java(CheckpointBench.class, List.of()));
      figures("checkpoint, a node each, " + LINK, ranks, output -> {
        try {
          return cluster.start(TIMEOUT_SECONDS, output, line).waitFor();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return Job.TIMED_OUT;
        }
      });
    } catch (Cluster.UnavailableException e) {
      System.out.println("\nsaves with partners on other nodes are left out: " + e.getMessage());
    }
  }

  /** Saves by SCR, where it is installed. */
  private void scr() throws IOException {
    if (!isInstalled("scr")) {
      return;
    }
    // In memory, where SCR's cache is on clusters.
    try (TemporaryFolder folder = TemporaryFolder.in(Path.of("/dev/shm"), "kintsugi-bench-scr-")) {
      figures("scr", 2, ScrBench.class, List.of(ScrBench.options(folder.path())));
    }
    String refusal = NamespaceNodes.refusal();
    if (refusal != null) {
      System.out.println("\nSCR with redundancy is left out: " + refusal);
      return;
    }
    try (TemporaryFolder folder = TemporaryFolder.in(Path.of("/dev/shm"), "kintsugi-bench-scr-")) {
      figures("scr, a node each", 2, spec(2, 0, ScrBench.class, List.of(ScrBench.options(folder.path())))
          .java(NamespaceNodes.java(folder.path())));
    }
  }

  private void figures(String name, int ranks, Class<?> main, String... arguments) throws IOException {
    figures(name, ranks, main, List.of(), arguments);
  }

  private void figures(String name, int ranks, Class<?> main, List<String> jvmOptions, String... arguments) throws IOException {
    figures(name, ranks, spec(ranks, 0, main, jvmOptions, arguments));
  }

  private void figures(String name, int ranks, JobSpec spec) throws IOException {
    figures(name, ranks, output -> new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(output).run());
  }

  /** A job that prints its figures into a file. */
  private interface Measurement {
    int run(Path output) throws IOException;
  }

  private void figures(String name, int ranks, Measurement job) throws IOException {
    Path output = Files.createTempFile("kintsugi-bench-", ".txt");
    try {
      int code = job.run(output);
      if (code != 0) {
        throw new IOException(name + " ended with " + code + ":\n" + Files.readString(output));
      }
      System.out.printf("%n%-24s %-16s %14s %10s%n", name + ", " + ranks + " ranks", "", "microseconds", "ratio");
      List<Map<String, Object>> rows = new ArrayList<>();
      for (String line : Files.readAllLines(output)) {
        String[] cells = line.split("\t");
        if (cells.length == 4) {
          System.out.printf("%-24s %-16s %14s %10s%n", (Object[]) cells);
          // Not the part: it may have several jobs.
          recorder.value(prefix + name + "/" + cells[0] + "/" + cells[1], Double.parseDouble(cells[3]));
          rows.add(Map.of("name", cells[0], "variant", cells[1], "micros", Double.valueOf(cells[2]),
              "overC", Double.valueOf(cells[3])));
        }
      }
      results.put(name, rows);
    } finally {
      Files.delete(output);
    }
  }

  private void recoveries() throws IOException {
    recovery();
    recoveryOfMany();
  }

  /** Many processes on few cores, compared with a C program that takes the same steps. */
  private void recoveryOfMany() throws IOException {
    System.out.printf("%nrecovery, ms from the last barrier to the first collective of all, %d jobs of %d kills%n", TURNS,
        SPARES_OF_MANY);
    System.out.printf("%-26s %10s %10s %10s %10s%n", "", "minimum", "median", "maximum", "over C");
    for (int ranks : new int[] {RANKS, 32, 48}) {
      RecoveryBench bench = ofMany(ranks);
      RecoveryBench withoutRefill = ofMany(ranks).withoutRefill();
      List<Double> c = new ArrayList<>();
      List<Double> java = new ArrayList<>();
      List<Double> refilled = new ArrayList<>();
      for (int turn = 0; turn < TURNS; turn++) {
        c.addAll(bench.c());
        java.addAll(withoutRefill.java(SPARES_OF_MANY));
        refilled.addAll(bench.java(SPARES_OF_MANY));
      }
      String name = ranks + " + " + SPARES_OF_MANY + " ranks, ";
      rowOverC(name + "C", c, c);
      rowOverC(name + "Java", java, c);
      rowOverC(name + "refilled", refilled, c);
    }
  }

  private RecoveryBench ofMany(int ranks) {
    return new RecoveryBench(mpi, natives.resolve("bin/repair"), ranks, SPARES_OF_MANY, ITERATIONS_OF_MANY);
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
    row("recovery: detection", detection, "");
    row("recovery: repair", repair, "");
    row("recovery: together", together, "");
  }

  private void recoveryBesideC() throws IOException {
    Path twin = natives.resolve("bin/recovery");
    RecoveryBench bench = new RecoveryBench(mpi, twin, RANKS, KILLS, ITERATIONS);
    RecoveryBench overTcp = new RecoveryBench(mpi, twin, RANKS, COLD_KILLS, ITERATIONS).overTcp();
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
    List<Double> cold = new RecoveryBench(mpi, twin, RANKS, COLD_KILLS, ITERATIONS).java(0);
    System.out.printf("%nrecovery, 4 ranks, %d kills (cold: %d), ms from the last barrier to the first collective of all%n",
        TURNS * KILLS, COLD_KILLS);
    System.out.printf("%-26s %10s %10s %10s %10s%n", "", "minimum", "median", "maximum", "over C");
    rowOverC("recovery: C", c, c);
    rowOverC("recovery: Java, warm JVMs", warm, c);
    rowOverC("recovery: Java, cold JVMs", cold, c);
    rowOverC("recovery: C, TCP", tcpC, tcpC);
    rowOverC("recovery: Java warm, TCP", tcpWarm, tcpC);
  }

  /**
   * Measures the gain by the memory holder (memory_holder.c), for several sizes of the heap.
   *
   * <p>It is a second process that keeps a failed process's memory for a moment.
   */
  private void memoryHolder() throws IOException {
    System.out.printf("%nrecovery of 2 ranks, with a memory holder or without, by turns, ms as above%n");
    System.out.printf("%-26s %10s %10s %10s%n", "", "minimum", "median", "maximum");
    for (int mebibytes : new int[] {0, 256, 1024}) {
      List<Double> with = new ArrayList<>();
      List<Double> without = new ArrayList<>();
      for (int turn = 0; turn < UNDERTAKER_TURNS; turn++) {
        with.addAll(memoryHolder(true, mebibytes));
        without.addAll(memoryHolder(false, mebibytes));
      }
      row(mebibytes + " MiB, with", with, "");
      row(mebibytes + " MiB, without", without, "");
    }
  }

  private List<Double> memoryHolder(boolean there, int mebibytes) throws IOException {
    return new RecoveryBench(mpi, natives, 2, SPARES_OF_MANY, ITERATIONS_OF_MANY).jvm(List.of("-Xmx" + (mebibytes + 256) + "m",
        "-D" + JobConfig.MEMORY_HOLDER.property() + "=" + there, "-D" + RecoveryRanks.HEAP + "=" + mebibytes))
        .java(SPARES_OF_MANY);
  }

  /** Whole jobs from their start to their end, in C and in Java by turns: more processes than cores, as everywhere here. */
  private void starts() throws IOException {
    Path twin = natives.resolve("bin/start");
    System.out.printf("%njobs that begin, meet and end, %d of each, s%n", TURNS);
    System.out.printf("%-26s %10s %10s %10s %10s%n", "", "minimum", "median", "maximum", "over C");
    for (int ranks : new int[] {4, 64, 128}) {
      int spares = mpi.flavour() == Flavour.ULFM ? ranks / 16 : 0;
      List<Double> c = new ArrayList<>();
      List<Double> java = new ArrayList<>();
      for (int turn = 0; turn < TURNS; turn++) {
        c.add(start(spec(ranks + spares, 0, StartRanks.class, List.of()).java(twin)));
        // From jars, with an archive of classes, as users have it.
        java.add(start(new JobSpec().ranks(ranks).spares(spares).classArchive(false).javaArguments(RankJob.classes(mpi))
            .javaArguments(List.of(StartRanks.class.getName()))));
      }
      rowOverC(ranks + " + " + spares + " ranks, C", c, c);
      rowOverC(ranks + " + " + spares + " ranks, Java", java, c);
    }
  }

  /** HPCCG as it is and under {@code --check}, by turns: with small blocks the sums weigh most, then large ones. */
  private void checked() throws IOException {
    System.out.printf("%nHPCCG, 2 ranks, %d of each, s%n", CHECKED_TURNS);
    System.out.printf("%-26s %10s %10s %10s %10s%n", "", "minimum", "median", "maximum", "over plain");
    for (String edge : new String[] {"24", "64"}) {
      List<Double> plain = new ArrayList<>();
      List<Double> checked = new ArrayList<>();
      for (int turn = 0; turn < CHECKED_TURNS; turn++) {
        plain.add(hpccg(edge, false));
        checked.add(hpccg(edge, true));
      }
      rowOverC(edge + " cubed", plain, plain);
      rowOverC(edge + " cubed, checked", checked, plain);
    }
  }

  private double hpccg(String edge, boolean isChecked) throws IOException {
    Path json = Files.createTempFile("kintsugi-bench-", ".json");
    try {
      start(spec(2, 0, Hpccg.class, List.of(), edge, edge, edge, "--json", json.toString()).check(isChecked));
      return new ObjectMapper().readTree(json.toFile()).at("/times/total").asDouble();
    } finally {
      Files.delete(json);
    }
  }

  private double start(JobSpec spec) throws IOException {
    Path output = Files.createTempFile("kintsugi-bench-", ".txt");
    try {
      long begin = System.nanoTime();
      int code = new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(output).run();
      double seconds = (System.nanoTime() - begin) / 1e9;
      if (code != 0) {
        throw new IOException("a job ended with " + code + ":\n" + Files.readString(output));
      }
      return seconds;
    } finally {
      Files.delete(output);
    }
  }

  private void rowOverC(String name, List<Double> values, List<Double> c) {
    row(name, values, String.format(" %10.3f", Median.of(values) / Median.of(c)));
    recorder.value(prefix + part + "/" + name + ", over C", Median.of(values) / Median.of(c));
  }

  private void row(String name, List<Double> values, String more) {
    Collections.sort(values);
    System.out.printf("%-26s %10.1f %10.1f %10.1f%s%n", name, values.get(0), Median.of(values), values.get(values.size() - 1),
        more);
    results.put(name, values);
    recorder.median(prefix + part + "/" + name, values);
  }
}
