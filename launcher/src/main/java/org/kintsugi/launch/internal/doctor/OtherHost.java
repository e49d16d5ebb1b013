// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.kintsugi.launch.internal.commandline.ClassPathEntry;
import org.kintsugi.launch.internal.commandline.RankWords;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.RankLocale;
import org.kintsugi.runtime.MpiHome;

/**
 * Checks whether other hosts have what a job needs.
 *
 * <p>Versions must be those of this host. A script prints what is missing, and the versions. It
 * runs here and, over ssh, there. It is the input of ssh, because then any login shell will do, and
 * a class path may be long. Other output of a login is ignored.
 */
final class OtherHost {
  private static final int CONNECT_SECONDS = 5;
  private static final int LIMIT_SECONDS = 15;
  private static final String SSH_REMEDY =
      "ssh must work without a password, for mpirun as well; leave the host out until it does";
  private static final String MISSING = "kintsugi: missing ";
  private static final String ASKED = "kintsugi: asked";
  private static final String JAVA = "Java: ";
  private static final Pattern VERSION = Pattern.compile("(" + JAVA + "|Open MPI: |Kintsugi: |Program: ).*");

  private final MpiHome mpi;
  private final Installation installation;
  private final JvmArguments program;
  private final String script;
  private final List<String> here;

  /**
   * Asks this host.
   *
   * @param mpi the Open MPI of the job
   * @param natives the folder of the natives; null: they are not in one, or in one that each host makes
   * @param installation that the command runs from, or null
   * @param program what ranks would be started with; no program if there are no words in it
   */
  OtherHost(MpiHome mpi, Path natives, Installation installation, JvmArguments program) {
    this.mpi = mpi;
    this.installation = installation;
    this.program = program;
    script = script(natives);
    List<String> said;
    try {
      said = answers(List.of("sh", "-s"));
    } catch (IOException e) {
      said = null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      said = null;
    }
    here = said;
  }

  /** The answer of one host. */
  Finding ask(String host) {
    try {
      List<String> there =
          answers(List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=" + CONNECT_SECONDS, host, "sh", "-s"));
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
      return compared(host, there);
    } catch (IOException e) {
      return new Finding(host, false, true, e.getMessage() + ": " + SSH_REMEDY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Finding(host, false, true, "not asked: this command was interrupted");
    }
  }

  /** Compares the versions. Javas may differ; Open MPI, Kintsugi and the program may not. */
  private Finding compared(String host, List<String> there) {
    if (here == null || !here.contains(ASKED)) {
      return new Finding(host, false, false, "has all that was asked for; this host could not be asked for its versions (within "
          + LIMIT_SECONDS + " s), so they were not compared");
    }
    List<String> theirs = there.stream().filter(line -> VERSION.matcher(line).matches() && !here.contains(line)).toList();
    if (theirs.isEmpty()) {
      return new Finding(host, true, false, "has Java, Open MPI" + (installation == null ? "" : ", Kintsugi")
          + (program.namesProgram() ? " and the program's class path" : "") + " where this host has them");
    }
    List<String> ours = here.stream().filter(line -> VERSION.matcher(line).matches() && !there.contains(line)).toList();
    return new Finding(host, false, theirs.stream().anyMatch(line -> !line.startsWith(JAVA)), "has "
        + String.join("; ", theirs) + ", and this host has " + String.join("; ", ours)
        + ": install the same on both, under the same paths");
  }

  private String script(Path natives) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<Path> needed = new ArrayList<>(List.of(java, mpi.mpirun()));
    if (natives != null) {
      needed.add(natives);
    }
    if (installation != null) {
      needed.add(installation.home());
    }
    List<Path> classPath = program.namesProgram()
        ? program.classPath().stream().map(ClassPathEntry::path).filter(Files::exists).toList() : List.of();
    needed.addAll(classPath);
    List<String> lines = new ArrayList<>();
    for (Path path : needed) {
      lines.add("test -e " + RankWords.quoted(path.toString()) + " || echo " + RankWords.quoted(MISSING + path));
    }
    String locale = RankLocale.ofRanks(System.getenv());
    if (locale.matches("(?i).*utf-?8.*")) {
      // Ranks there get this host's. Where it is missing they know ASCII only.
      lines.add("! command -v locale >/dev/null || test \"$(LC_ALL=" + RankWords.quoted(locale)
          + " locale charmap 2>/dev/null)\" = UTF-8 || echo " + RankWords.quoted(MISSING + "locale " + locale));
    }
    lines.add("echo \"" + JAVA + "$(" + RankWords.quoted(java.toString()) + " -version 2>&1 </dev/null | grep ' version ')\"");
    // The stamp names the patches of an Open MPI that Kintsugi has built.
    String stamp = RankWords.quoted(mpi.prefix().resolve("kintsugi.stamp").toString());
    lines.add(
        "echo \"Open MPI: $(" + RankWords.quoted(mpi.mpirun().toString())
            + " --version 2>/dev/null </dev/null | head -n 1), $(if test -r " + stamp
            + "; then echo built by Kintsugi, stamp $(cksum <" + stamp + "); else echo not built by Kintsugi; fi)\"");
    if (installation != null) {
      lines.add("echo \"Kintsugi: jars with the sum $(cat " + RankWords.quoted(installation.home().toString())
          + "/lib/*.jar 2>/dev/null | cksum)\"");
    }
    String jars =
        String.join(" ", classPath.stream().filter(Files::isRegularFile).map(path -> RankWords.quoted(path.toString())).toList());
    if (!jars.isEmpty()) {
      lines.add("echo \"Program: jars with the sum $(cat " + jars + " 2>/dev/null | cksum)\"");
    }
    lines.add("echo '" + ASKED + "'");
    return String.join("\n", lines) + "\n";
  }

  /** The lines that a shell prints for the script; null: it has not ended. */
  private List<String> answers(List<String> shell) throws IOException, InterruptedException {
    Path said = Files.createTempFile("kintsugi-doctor", null);
    Path asked = Files.createTempFile("kintsugi-doctor", ".sh");
    Process process = null;
    try {
      Files.writeString(asked, script);
      process = new ProcessBuilder(shell).redirectErrorStream(true).redirectInput(asked.toFile())
          .redirectOutput(said.toFile()).start();
      return process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)
          ? List.of(Files.readString(said, StandardCharsets.ISO_8859_1).split("\n")) : null;
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      Files.delete(said);
      Files.delete(asked);
    }
  }
}
