// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.kintsugi.launch.internal.host.Programs;
import org.kintsugi.launch.spec.LaunchException;

/**
 * The commands {@code srun} and {@code sinfo} that mpirun finds first, in the job's folder. They call Slurm's own, and fix two
 * problems: mpirun drops what srun says when it fails, and then suspects an old Slurm, because it cannot read the version of
 * Debian's ({@code slurm-wlm 22.05.8}).
 */
public final class SlurmCommands {
  private static final String SRUN = "srun";
  private static final String SINFO = "sinfo";
  private static final int MOST_LINES = 20;
  /** mpirun asks for no binding; a cluster that has none says so each time. */
  private static final String NO_BINDING = "lacks support for cpu binding";

  private final Path folder;
  private final Path words;

  private SlurmCommands(Path folder) {
    this.folder = folder;
    words = folder.resolve("said");
  }

  /**
   * Writes them.
   *
   * @param session the job's folder on this host, with which they are removed
   * @param path the variable PATH
   * @return null if this host has no srun: mpirun reports that
   */
  public static SlurmCommands in(Path session, String path) {
    Path srun = Programs.find(SRUN, path);
    Path sinfo = Programs.find(SINFO, path);
    if (srun == null || sinfo == null) {
      return null;
    }
    try {
      SlurmCommands commands = new SlurmCommands(Files.createDirectory(session.resolve("slurm")));
      commands.write(SRUN, "exec " + quoted(srun) + " \"$@\" 2>>" + quoted(commands.words));
      commands.write(SINFO, quoted(sinfo) + " \"$@\" | sed 's/^slurm-[a-z]* /slurm /'");
      return commands;
    } catch (IOException e) {
      throw new LaunchException("cannot write the commands for Slurm into the job's folder: " + e, e);
    }
  }

  private void write(String name, String line) throws IOException {
    Path file = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  private static String quoted(Path path) {
    return "'" + path.toString().replace("'", "'\\''") + "'";
  }

  /** The variable PATH with which mpirun finds them. */
  public String path(String given) {
    return folder + ":" + given;
  }

  /** Prints what srun has said of errors, after a job that has failed. */
  public void tell(PrintStream messages) {
    List<String> lines = lines();
    lines.subList(Math.max(0, lines.size() - MOST_LINES), lines.size())
        .forEach(line -> messages.println("jmpirun: Slurm says: " + line));
  }

  /** Whether Slurm has ended the step with the daemons of mpirun. */
  public boolean hasStepEnded() {
    return lines().stream().anyMatch(line -> line.contains("CANCELLED") || line.contains("Job step aborted"));
  }

  private List<String> lines() {
    try {
      List<String> lines = Files.exists(words) ? Files.readAllLines(words, StandardCharsets.ISO_8859_1) : List.of();
      return lines.stream().filter(line -> !line.isBlank() && !line.contains(NO_BINDING)).toList();
    } catch (IOException e) {
      return List.of("what srun has said cannot be read: " + e);
    }
  }
}
