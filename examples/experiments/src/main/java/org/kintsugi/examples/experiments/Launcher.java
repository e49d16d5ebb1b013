// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kintsugi.examples.experiments.Catalog.Design;
import org.kintsugi.examples.experiments.Catalog.Engine;

/** Starts jobs by {@code jmpirun}. */
final class Launcher {
  /** jmpirun ends a job at its own limit; this is for a jmpirun that does not end. */
  private static final int GRACE_SECONDS = 30;
  private static final int PREPARATION_SECONDS = 60;

  private final Path jmpirun;
  private final List<String> options;
  private final String classPath;
  private final Map<String, String> refusals = new HashMap<>();

  /**
   * @param jmpirun the command
   * @param options more of its options, for all jobs: a host file, for instance
   * @param classPath of the ranks
   */
  Launcher(Path jmpirun, List<String> options, String classPath) {
    this.jmpirun = jmpirun;
    this.options = List.copyOf(options);
    this.classPath = classPath;
  }

  /** The whole command of a job. */
  List<String> command(PlannedRun run, Catalog catalog, Path folder) {
    Design design = catalog.design(run.design());
    Engine engine = catalog.engine(run.engine());
    List<String> words = new ArrayList<>(List.of(jmpirun.toString(), "-n", String.valueOf(run.ranks()), "--flavour",
        design.flavour()));
    words.addAll(design.options(run.faults()));
    run.injected(catalog).forEach(fault -> words.addAll(List.of("--kill", "process:" + fault.rank() + "@" + fault.iteration())));
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

  /** In memory, as the papers have it, where the host has such a folder. */
  static Path localFolder(Path folder) {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory) ? memory.resolve("kintsugi-experiment-" + folder.getFileName()) : folder.resolve("local");
  }

  /** Why jobs of this design with this engine cannot run here, in a line; null: they can. Asked once. */
  String refusal(PlannedRun run, Catalog catalog, Path folder) throws IOException, InterruptedException {
    String kind = catalog.design(run.design()).flavour() + " " + run.engine();
    if (!refusals.containsKey(kind)) {
      List<String> command = command(run, catalog, folder);
      command.add(1, "--dry-run");
      Path output = folder.resolve("dry-run");
      Process process = start(command, output);
      if (!process.waitFor(PREPARATION_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("jmpirun --dry-run did not end in " + PREPARATION_SECONDS + " s: " + String.join(" ", command));
      }
      refusals.put(kind, process.exitValue() == 0 ? null
          : Files.readString(output).lines().filter(line -> !line.isBlank()).findFirst().orElse("code " + process.exitValue()));
    }
    return refusals.get(kind);
  }

  /** Runs a job. @return its exit code; null: jmpirun itself did not end in time */
  Integer run(PlannedRun run, List<String> command, Path output) throws IOException, InterruptedException {
    Process process = start(command, output);
    Thread ending = new Thread(process::destroy);
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      if (process.waitFor(run.limitSeconds() + (long) GRACE_SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      return null;
    } finally {
      try {
        Runtime.getRuntime().removeShutdownHook(ending);
      } catch (IllegalStateException endsAlready) {
        // It runs.
      }
    }
  }

  private static Process start(List<String> command, Path output) throws IOException {
    File nothing = new File("/dev/null");
    return new ProcessBuilder(command).redirectInput(nothing).redirectErrorStream(true).redirectOutput(output.toFile()).start();
  }
}
