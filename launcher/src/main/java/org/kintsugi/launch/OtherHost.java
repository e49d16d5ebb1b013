// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.MpiHome;

/**
 * Whether another host has what a job needs where this host has it, and of the same version. The same script, which prints what is
 * missing and which versions there are, runs here and, over ssh, there.
 *
 * @param mpi the Open MPI of the job
 * @param installation that the command runs from, or null
 * @param program what ranks would be started with; no program if there are no words in it
 */
record OtherHost(MpiHome mpi, Installation installation, JvmArguments program) {
  private static final int CONNECT_SECONDS = 5;
  private static final int LIMIT_SECONDS = 15;
  private static final String SSH_REMEDY =
      "ssh must work without a password, for mpirun as well; leave the host out until it does";
  private static final String MISSING = "missing ";
  private static final String ASKED = "asked";
  private static final String JAVA = "Java: ";

  /** The answer of one host. */
  Finding ask(String host) {
    String script = script();
    try {
      List<String> there = answers("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_SECONDS, host, script);
      if (there == null) {
        return new Finding(host, false, true, "ssh has no answer after " + LIMIT_SECONDS + " s: " + SSH_REMEDY);
      }
      if (!there.contains(ASKED)) {
        return new Finding(host, false, true, String.join(" ", there) + ": " + SSH_REMEDY);
      }
      List<String> missing = there.stream().filter(line -> line.startsWith(MISSING)).map(line -> line.substring(MISSING.length()))
          .toList();
      if (!missing.isEmpty()) {
        return new Finding(host, false, true,
            "has no " + String.join(", no ", missing) + ": install what is missing there, under the same path");
      }
      return compared(host, there, answers("sh", "-c", script));
    } catch (IOException e) {
      return new Finding(host, false, true, e.getMessage() + ": " + SSH_REMEDY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Finding(host, false, true, "not asked: this command was interrupted");
    }
  }

  /** Javas may differ, and jobs run all the same; Open MPI and Kintsugi may not. */
  private Finding compared(String host, List<String> there, List<String> here) {
    List<String> others = there.stream().filter(line -> here != null && !here.contains(line)).toList();
    if (others.isEmpty()) {
      return new Finding(host, true, false, "has Java, Open MPI" + (installation == null ? "" : ", Kintsugi")
          + (program.namesProgram() ? " and the program's class path" : "") + " where this host has them");
    }
    List<String> ours = here.stream().filter(line -> !there.contains(line)).toList();
    return new Finding(host, false, others.stream().anyMatch(line -> !line.startsWith(JAVA)), "has "
        + String.join("; ", others) + ", and this host has " + String.join("; ", ours)
        + ": install the same on both, under the same paths");
  }

  private String script() {
    List<Path> needed = new ArrayList<>();
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    needed.add(java);
    needed.add(mpi.mpirun());
    if (installation != null) {
      needed.add(installation.home());
    }
    if (program.namesProgram()) {
      program.classPath().stream().filter(Files::exists).forEach(entry -> needed.add(entry.toAbsolutePath().normalize()));
    }
    StringBuilder script = new StringBuilder();
    for (Path path : needed) {
      script.append("test -e ").append(quoted(path)).append(" || echo ").append(quoted(MISSING + path)).append("; ");
    }
    script.append("echo \"" + JAVA + "$(").append(quoted(java)).append(" -version 2>&1 | grep version)\"; ");
    // The stamp names the patches of an Open MPI that Kintsugi has built.
    script.append("echo \"Open MPI: $(").append(quoted(mpi.mpirun())).append(" --version 2>&1 | head -n 1) $(cksum 2>&1 <")
        .append(quoted(mpi.prefix().resolve("kintsugi.stamp"))).append(")\"; ");
    if (installation != null) {
      script.append("echo \"Kintsugi: jars with the sum $(cat ").append(quoted(installation.home()))
          .append("/lib/*.jar | cksum)\"; ");
    }
    return script.append("echo ").append(ASKED).toString();
  }

  private static String quoted(Object word) {
    return "'" + word.toString().replace("'", "'\\''") + "'";
  }

  /** The lines that a command prints; null: it has not ended. */
  private static List<String> answers(String... command) throws IOException, InterruptedException {
    Path said = Files.createTempFile("kintsugi-doctor", null);
    Process process = null;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null"))
          .redirectOutput(said.toFile()).start();
      return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)
          ? List.of(Files.readString(said, StandardCharsets.ISO_8859_1).split("\n")) : null;
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      Files.delete(said);
    }
  }
}
