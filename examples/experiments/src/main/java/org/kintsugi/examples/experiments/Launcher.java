// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.kintsugi.examples.experiments.Catalog.Design;
import org.kintsugi.examples.experiments.Catalog.Engine;
import org.kintsugi.runtime.Flavour;

/** Starts jobs by {@code jmpirun}. */
public final class Launcher {
  /** jmpirun ends each start of a job at its own limit; this is for a jmpirun that does not end. */
  private static final int GRACE_SECONDS = 30;
  /** A job that is started again has that limit each time. */
  private static final int MOST_STARTS = 4;
  private static final int ENDING_SECONDS = 15;
  private static final int PREPARATION_SECONDS = 60;
  private static final String ULFM = "ulfm";

  private final Path jmpirun;
  private final List<String> options;
  private final String classPath;
  private final String installed;
  private final boolean hasHosts;
  private final Map<String, String> refusals = new HashMap<>();

  /**
   * @param jmpirun the command
   * @param options more of its options, for all jobs: a host file, for instance
   * @param classPath of the ranks
   * @param installed what {@code kintsugi info} prints
   * @param hasHosts whether the options or the batch system name hosts
   */
  Launcher(Path jmpirun, List<String> options, String classPath, String installed, boolean hasHosts) {
    this.jmpirun = jmpirun;
    this.options = List.copyOf(options);
    this.classPath = classPath;
    this.installed = installed;
    this.hasHosts = hasHosts;
  }

  /** The whole command of a job on these hosts. */
  private List<String> command(PlannedRun run, Catalog catalog, JobHosts hosts, Path folder) {
    Design design = catalog.design(run.design());
    Engine engine = catalog.engine(run.engine());
    List<String> words = new ArrayList<>(List.of(jmpirun.toString(), "-n", String.valueOf(run.ranks()), "--flavour",
        design.flavour()));
    words.addAll(design.options(run.faults(), run.ranksPerNode()));
    words.addAll(hosts.options(Flavour.of(design.flavour())));
    run.injected(catalog).forEach(fault -> words.addAll(List.of("--kill", fault.word())));
    words.addAll(List.of("--timeout", String.valueOf(run.limitSeconds())));
    words.addAll(options);
    Map<String, String> properties = new HashMap<>(design.properties());
    properties.putAll(engine.properties());
    properties.put("kintsugi.checkpoint.dir", folder.resolve("versions").toString());
    properties.put("kintsugi.checkpoint.local.dir", localFolder(folder).toString());
    properties.entrySet().stream().sorted(Map.Entry.comparingByKey())
        .forEach(property -> words.add("-D" + property.getKey() + "=" + property.getValue()));
    words.addAll(List.of("-cp", classPath, catalog.application(run.application()).main()));
    words.addAll(catalog.input(run.application(), run.input()).arguments(run.ranks()));
    words.addAll(List.of("--checkpoint-every", String.valueOf(engine.hasCheckpoints() ? run.checkpointEvery() : 0), "--json",
        folder.resolve("result.json").toString(), "--stamps", folder.resolve("stamps").toString()));
    return words;
  }

  /**
   * The command of a job that is not an application's of the catalog: of ULFM, with the options of this experiment's jobs.
   *
   * @param jobOptions of jmpirun, spares and failures for instance
   * @param properties of the JVMs
   */
  public List<String> command(int ranks, int limitSeconds, List<String> jobOptions, Map<String, String> properties, Class<?> main,
      List<String> arguments) {
    List<String> words = new ArrayList<>(List.of(jmpirun.toString(), "-n", String.valueOf(ranks), "--flavour", ULFM));
    words.addAll(jobOptions);
    words.addAll(List.of("--timeout", String.valueOf(limitSeconds)));
    words.addAll(options);
    properties.entrySet().stream().sorted(Map.Entry.comparingByKey())
        .forEach(property -> words.add("-D" + property.getKey() + "=" + property.getValue()));
    words.addAll(List.of("-cp", classPath, main.getName()));
    words.addAll(arguments);
    return words;
  }

  /** In memory, as the papers have it, where the host has such a folder. */
  public static Path localFolder(Path folder) {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? memory.resolve(folder.getFileName()) : folder.resolve("local");
  }

  /** Why jobs of this design with this engine cannot run here, in a line; null: they can. Asked once. */
  String refusal(PlannedRun run, Catalog catalog, Path folder) throws IOException, InterruptedException {
    String kind = catalog.design(run.design()).flavour() + " " + run.engine() + (run.faults().isOfNode() ? " node" : "");
    if (!refusals.containsKey(kind)) {
      refusals.put(kind, newRefusal(run, catalog, folder));
    }
    return refusals.get(kind);
  }

  private String newRefusal(PlannedRun run, Catalog catalog, Path folder) throws IOException, InterruptedException {
    String missing = missing(catalog.engine(run.engine()).library(), catalog.design(run.design()).flavour());
    if (missing != null) {
      return missing;
    }
    if (run.faults().isOfNode() && !hasHosts) {
      String none = SimulatedHosts.refusal();
      if (none != null) {
        return "node failures need several hosts: name them by --jmpirun-option --hostfile, or start inside of a batch "
            + "allocation (" + none + ")";
      }
    }
    return dryRun(command(run.undisturbed(), catalog, JobHosts.GIVEN, folder), folder);
  }

  /** Why jobs with a command like this one, which need that library (null: none), cannot run here; null: they can. */
  public String refusal(String library, List<String> command, Path folder) throws IOException, InterruptedException {
    String missing = missing(library, ULFM);
    if (missing == null && !refusals.containsKey(ULFM)) {
      refusals.put(ULFM, dryRun(command, folder));
    }
    return missing != null ? missing : refusals.get(ULFM);
  }

  private String missing(String library, String flavour) {
    String entry = library + ", " + flavour;
    boolean isMissing = library != null && installed.lines()
        .anyMatch(line -> line.startsWith(entry) && line.substring(entry.length()).strip().startsWith("none"));
    return isMissing ? library + " is not installed for the flavour " + flavour : null;
  }

  private static String dryRun(List<String> command, Path folder) throws IOException, InterruptedException {
    List<String> dry = new ArrayList<>(command);
    dry.add(1, "--dry-run");
    Path output = folder.resolve("dry-run");
    Process process = JobHosts.GIVEN.start(dry, output, PREPARATION_SECONDS);
    if (!process.waitFor(PREPARATION_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      return "jmpirun --dry-run did not end in " + PREPARATION_SECONDS + " s";
    }
    return process.exitValue() == 0 ? null
        : Files.readString(output).lines().filter(line -> !line.isBlank()).findFirst().orElse("code " + process.exitValue());
  }

  /**
   * Runs a job.
   *
   * @param folder that is removed if this JVM is ended meanwhile, after the job
   * @param result gets the command, and in a run without failures what the waiting processes cost
   * @return its exit code; null: jmpirun itself did not end in time
   */
  Integer run(PlannedRun run, Catalog catalog, Path folder, ObjectNode result) throws IOException, InterruptedException {
    try (JobHosts hosts = run.faults().isOfNode() && !hasHosts ? SimulatedHosts.of(run.ranks(), run.ranksPerNode())
        : JobHosts.GIVEN) {
      List<String> command = command(run, catalog, hosts, folder);
      result.put("command", String.join(" ", command));
      int starts = catalog.design(run.design()).endsJob() ? MOST_STARTS : 1;
      long limitSeconds = (long) starts * run.limitSeconds() + GRACE_SECONDS;
      Process process = hosts.start(command, folder.resolve("output"), limitSeconds);
      if (!run.faults().isNone()) {
        return waitFor(process, limitSeconds, folder);
      }
      try (WaitingProcesses waiting = new WaitingProcesses(process, catalog.application(run.application()).main())) {
        Integer code = waitFor(process, limitSeconds, folder);
        waiting.addTo(result, Timeline.processes(folder.resolve("stamps")));
        return code;
      }
    }
  }

  /**
   * Runs a job with a command of {@link #command}, once.
   *
   * @param folder as above
   * @param result gets the command
   * @return as above
   */
  public Integer run(List<String> command, int limitSeconds, Path folder, ObjectNode result)
      throws IOException, InterruptedException {
    result.put("command", String.join(" ", command));
    long limit = (long) limitSeconds + GRACE_SECONDS;
    return waitFor(JobHosts.GIVEN.start(command, folder.resolve("output"), limit), limit, folder);
  }

  private static Integer waitFor(Process process, long limitSeconds, Path folder) throws InterruptedException {
    Thread ending = new Thread(() -> end(process, folder));
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      if (process.waitFor(limitSeconds, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      return null;
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(ending);
      } catch (IllegalStateException endsAlready) {
        // This JVM ends, and there is no result: wait for that.
        new CountDownLatch(1).await();
      }
    }
  }

  private static void end(Process process, Path folder) {
    process.destroy();
    try {
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
    } catch (InterruptedException endsAnyhow) {
      Thread.currentThread().interrupt();
    }
    WorkFolder.remove(folder);
  }
}
