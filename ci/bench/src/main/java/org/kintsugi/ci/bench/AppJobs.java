// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kintsugi.ci.soak.JobProcess;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.TemporaryFolder;

/** Jobs of the proxy applications, and of their originals, under the same MPI. */
final class AppJobs {
  private static final long LIMIT_SECONDS = 300;
  private static final long LOOK_MILLIS = 20;
  private static final double KIB_PER_MIB = 1024;
  /**
   * Has the C library keep the memory that the originals free.
   *
   * <p>To return it and to fault it in again in each step is expensive on a virtual machine.
   */
  private static final String KEEPS_MEMORY = "MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296";

  private final MpiHome mpi;
  private final Path originals;

  /** @param originals a folder with programs; null: there are none */
  AppJobs(MpiHome mpi, Path originals) {
    this.mpi = mpi;
    this.originals = originals;
  }

  boolean hasOriginal(BenchedApp app) {
    return originals != null && Files.isExecutable(originals.resolve(app.toString()));
  }

  /** A Java program's report. */
  JsonNode java(List<String> jvmOptions, BenchedApp app, int ranks, String arguments, String... options) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-bench-")) {
      Path json = folder.path().resolve("result.json");
      List<String> line = new ArrayList<>(jvmOptions);
      line.addAll(List.of("-cp", System.getProperty("java.class.path"), app.main().getName()));
      line.addAll(List.of(arguments.split(" ")));
      line.addAll(List.of("--json", json.toString()));
      line.addAll(List.of(options));
      run(app, new JobSpec().ranks(ranks).javaArguments(line), folder.path().resolve("output"));
      return new ObjectMapper().readTree(json.toFile());
    }
  }

  /** What an original prints, and what it writes into its folder. */
  String original(BenchedApp app, int ranks, String arguments) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-bench-")) {
      Path output = folder.path().resolve("output");
      Path work = Files.createDirectory(folder.path().resolve("work"));
      // The script drops the JVM's arguments, but they must be right, as the launcher checks them.
      Path starter =
          Files.writeString(folder.path().resolve("starter"), "#!/bin/sh\ncd '" + work + "' && exec env " + KEEPS_MEMORY
              + " '" + originals.resolve(app.toString()).toAbsolutePath() + "' " + arguments + "\n");
      Files.setPosixFilePermissions(starter, PosixFilePermissions.fromString("rwx------"));
      List<String> line = List.of("-cp", System.getProperty("java.class.path"), app.main().getName());
      run(app, new JobSpec().ranks(ranks).java(starter).javaArguments(line).classArchive(false), output);
      StringBuilder printed = new StringBuilder(Files.readString(output));
      try (Stream<Path> files = Files.list(work)) {
        for (Path file : files.toList()) {
          printed.append('\n').append(Files.readString(file));
        }
      }
      return printed.toString();
    }
  }

  private void run(BenchedApp app, JobSpec spec, Path output) throws IOException {
    int code = new Job(spec, mpi).timeoutSeconds(LIMIT_SECONDS).outputTo(output).run();
    if (code != 0) {
      throw new IOException(app + " ended with " + code + ":\n" + Files.readString(output));
    }
  }

  /** A job. */
  interface Measured {
    void run() throws IOException;
  }

  /** The most that one process of a job, all of which have this name, held in memory at any time, in MiB. */
  static double peak(String name, Measured job) throws IOException {
    CompletableFuture<IOException> end = CompletableFuture.supplyAsync(() -> {
      try {
        job.run();
        return null;
      } catch (IOException failed) {
        return failed;
      }
    });
    long most = 0;
    while (!end.isDone()) {
      for (JobProcess process : JobProcess.named(name)) {
        most = Math.max(most, process.status("VmHWM"));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
    if (end.join() != null) {
      throw end.join();
    }
    return most / KIB_PER_MIB;
  }
}
