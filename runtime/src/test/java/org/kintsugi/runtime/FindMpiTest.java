// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which MPI is found, for a job ({@link MpiHome}) and for the build ({@link FindMpi}, which native/openmpi/find.sh starts): the
 * same one. Besides, the build refuses one of ours that was built from other patches, and one that is older than ULFM.
 */
class FindMpiTest {
  private static final Path SCRIPT = Path.of("..", "native", "openmpi", "find.sh").toAbsolutePath().normalize();
  private static final String STAMP = "sum of our patches";

  @TempDir
  private Path folder;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void emptyMachine() {
    environment.put("XDG_DATA_HOME", folder.resolve("data").toString());
    environment.put("HOME", folder.toString());
    // Not the machine's, which may have an mpirun.
    environment.put("PATH", folder.resolve("tools").toString());
  }

  @Test
  void mpiHomeDecides() throws Exception {
    Path named = ulfm("named");
    ours("data/kintsugi/openmpi-ulfm");
    environment.put("MPI_HOME", named.toString());
    assertBothFind(Flavour.ULFM, named);
    environment.put("MPI_HOME", folder.resolve("nowhere").toString());
    assertBothRefuse(Flavour.ULFM, "MPI_HOME=" + folder.resolve("nowhere"));
    environment.put("MPI_HOME", named.toString());
    Files.setPosixFilePermissions(named.resolve("bin/mpirun"), PosixFilePermissions.fromString("rw-r--r--"));
    assertBothRefuse(Flavour.ULFM, "MPI_HOME=" + named);
  }

  /** As in a folder of links that is on the PATH of all users. */
  @Test
  void aLinkToAnMpirunLeadsToItsMpi() throws Exception {
    Path named = ulfm("named");
    Path links = Files.createDirectories(folder.resolve("links/bin"));
    Files.createSymbolicLink(links.resolve("mpirun"), named.resolve("bin/mpirun"));
    environment.put("PATH", links + ":" + folder.resolve("tools"));
    assertBothFind(Flavour.ULFM, named);
  }

  @Test
  void anEmptyVariableCountsAsNone() throws Exception {
    Path own = ours(".local/share/kintsugi/openmpi-ulfm");
    Path fork = fork(".local/share/kintsugi/reinit");
    for (String variable : new String[] {"MPI_HOME", "REINIT_HOME", "XDG_DATA_HOME", "KINTSUGI_OPTIONAL_NATIVES"}) {
      environment.put(variable, "");
    }
    assertBothFind(Flavour.ULFM, own);
    assertBothFind(Flavour.REINIT, fork);
  }

  /** And not the one that the system has for the user. */
  @Test
  void theUsersFolderIsInHome() throws Exception {
    environment.remove("XDG_DATA_HOME");
    assertBothFind(Flavour.ULFM, ours(".local/share/kintsugi/openmpi-ulfm"));
    assertBothFind(Flavour.REINIT, fork(".local/share/kintsugi/reinit"));
  }

  /** What this machine has in /opt/kintsugi, if anything, is found by both. */
  @Test
  void theMachinesFolderComesAfterTheUsers() throws Exception {
    for (Map.Entry<Flavour, String> one : Map.of(Flavour.ULFM, "openmpi-ulfm", Flavour.REINIT, "reinit").entrySet()) {
      Path ofMachine = Path.of("/opt/kintsugi", one.getValue());
      if (build(one.getKey()).startsWith("code")) {
        String[] inOrder = {folder.resolve("data/kintsugi").resolve(one.getValue()) + "", ofMachine + ""};
        assertThat(build(one.getKey())).containsSubsequence(inOrder);
        assertThat(javas(one.getKey())).containsSubsequence(inOrder);
      } else {
        assertBothFind(one.getKey(), ofMachine);
      }
    }
  }

  @Test
  void theOneOnThePathComesFirst() throws Exception {
    Path own = ours("data/kintsugi/openmpi-ulfm");
    assertBothFind(Flavour.ULFM, own);
    Path onPath = ulfm("on path");
    environment.put("PATH", onPath.resolve("bin") + ":" + folder.resolve("tools"));
    assertBothFind(Flavour.ULFM, onPath);
    // One without ULFM is passed over.
    Files.delete(onPath.resolve("include/openmpi/mpiext/mpiext_ftmpi_c.h"));
    assertBothFind(Flavour.ULFM, own);
    // Of several only the first is what a shell would start.
    environment.put("PATH", onPath.resolve("bin") + ":" + ulfm("second on path").resolve("bin") + ":" + folder.resolve("tools"));
    assertBothFind(Flavour.ULFM, own);
    // And only one that can be started.
    Path third = ulfm("third on path");
    Files.setPosixFilePermissions(onPath.resolve("bin/mpirun"), PosixFilePermissions.fromString("rw-r--r--"));
    environment.put("PATH", onPath.resolve("bin") + ":" + third.resolve("bin") + ":" + folder.resolve("tools"));
    assertBothFind(Flavour.ULFM, third);
  }

  @Test
  void reinitHomeDecides() throws Exception {
    Path own = fork("data/kintsugi/reinit");
    assertBothFind(Flavour.REINIT, own);
    Path named = fork("named");
    environment.put("REINIT_HOME", named.toString());
    assertBothFind(Flavour.REINIT, named);
    Path other = ulfm("other");
    environment.put("REINIT_HOME", other.toString());
    assertBothRefuse(Flavour.REINIT, "REINIT_HOME=" + other);
    environment.put("REINIT_HOME", folder.resolve("nowhere").toString());
    assertBothRefuse(Flavour.REINIT, "REINIT_HOME=" + folder.resolve("nowhere"));
  }

  @Test
  void theForkCanBeHidden() throws Exception {
    fork("data/kintsugi/reinit");
    environment.put("KINTSUGI_OPTIONAL_NATIVES", "none");
    assertBothRefuse(Flavour.REINIT, "KINTSUGI_OPTIONAL_NATIVES=none");
    environment.put("REINIT_HOME", fork("named").toString());
    assertBothRefuse(Flavour.REINIT, "KINTSUGI_OPTIONAL_NATIVES=none");
    // ULFM is not optional.
    assertBothFind(Flavour.ULFM, ours("data/kintsugi/openmpi-ulfm"));
  }

  @Test
  void theBuildRefusesAnotherBuildOfOurs() throws Exception {
    Path own = ours("data/kintsugi/openmpi-ulfm");
    Files.writeString(own.resolve("kintsugi.stamp"), "other patches\n");
    assertThat(build(Flavour.ULFM)).startsWith("code " + FindMpi.ABSENT).contains(own.toString(), "make setup");
    assertThat(MpiHome.find(null, Flavour.ULFM, environment)).isEqualTo(new MpiHome(own, Flavour.ULFM));
    environment.put("MPI_HOME", own.toString());
    assertThat(build(Flavour.ULFM)).startsWith("code " + FindMpi.REFUSED);
    Files.delete(own.resolve("kintsugi.stamp"));
    assertThat(build(Flavour.ULFM)).startsWith("code " + FindMpi.REFUSED);
  }

  @Test
  void theBuildAsksForTheVersion() throws Exception {
    Path named = install("named", "4.1.0", "include/openmpi/mpiext/mpiext_ftmpi_c.h", "");
    environment.put("MPI_HOME", named.toString());
    assertThat(build(Flavour.ULFM)).startsWith("code " + FindMpi.REFUSED).contains("MPI_HOME=" + named, "4.1.0");
    assertThat(MpiHome.find(null, Flavour.ULFM, environment)).isEqualTo(new MpiHome(named, Flavour.ULFM));
    Files.delete(named.resolve("include/mpi.h"));
    assertThat(build(Flavour.ULFM)).startsWith("code " + FindMpi.REFUSED).contains("MPI_HOME=" + named, "mpi.h");
  }

  /** make build looks for both flavours at once. */
  @Test
  void severalFlavoursHaveALineEach() throws Exception {
    Path own = ours("data/kintsugi/openmpi-ulfm");
    Path reinit = fork("data/kintsugi/reinit");
    assertThat(build(Flavour.ULFM, Flavour.REINIT)).isEqualTo(own + "\n" + reinit + "\n");
    environment.put("REINIT_HOME", folder.resolve("nowhere").toString());
    assertThat(build(Flavour.ULFM, Flavour.REINIT)).startsWith("code " + FindMpi.REFUSED + ": " + own + "\n\n")
        .contains("nowhere");
    Files.writeString(own.resolve("kintsugi.stamp"), "other patches\n");
    environment.remove("REINIT_HOME");
    assertThat(build(Flavour.ULFM, Flavour.REINIT)).startsWith("code " + FindMpi.ABSENT + ": \n" + reinit + "\n")
        .contains("make setup");
  }

  @Test
  @Timeout(60)
  void theScriptStartsTheSearch() throws Exception {
    Path named = ulfm("named");
    assertThat(script(named)).isEqualTo("0 " + named);
    assertThat(script(folder.resolve("nowhere"))).isEqualTo(FindMpi.REFUSED + " ");
  }

  private String script(Path named) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "ulfm").redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("MPI_HOME", named.toString());
    Process process = builder.start();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    return process.waitFor() + " " + printed;
  }

  @Test
  void mpiHomeOfAJobMayBeTheFork() throws Exception {
    Path own = ours("data/kintsugi/openmpi-ulfm");
    fork("data/kintsugi/reinit");
    Path named = fork("named");
    environment.put("MPI_HOME", named.toString());
    assertThat(MpiHome.find(null, environment)).isEqualTo(new MpiHome(named, Flavour.REINIT));
    assertThat(MpiHome.find(null, Flavour.REINIT, environment)).isEqualTo(new MpiHome(named, Flavour.REINIT));
    assertThat(MpiHome.find(null, Flavour.ULFM, environment)).isEqualTo(new MpiHome(own, Flavour.ULFM));
    // And so of the build.
    assertThat(build(Flavour.REINIT)).isEqualTo(named + "\n");
    assertThat(build(Flavour.ULFM)).isEqualTo(own + "\n");
  }

  private void assertBothFind(Flavour flavour, Path expected) throws Exception {
    assertThat(MpiHome.find(null, flavour, environment)).isEqualTo(new MpiHome(expected, flavour));
    assertThat(build(flavour)).isEqualTo(expected + "\n");
  }

  private void assertBothRefuse(Flavour flavour, String why) throws Exception {
    assertThat(javas(flavour)).contains(why);
    assertThat(build(flavour)).startsWith("code").contains(why);
  }

  private String javas(Flavour flavour) {
    try {
      return MpiHome.find(null, flavour, environment).toString();
    } catch (SetupException e) {
      return e.getMessage();
    }
  }

  /** The prefix that the build gets; if it gets none, the exit code and the message. */
  private String build(Flavour... flavours) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] args = Stream.concat(Stream.of(flavours).map(Flavour::toString), Stream.of(STAMP)).toArray(String[]::new);
    int code = FindMpi.run(args, environment, new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8));
    assertThat(code == FindMpi.FOUND).isEqualTo(err.size() == 0);
    return code == FindMpi.FOUND ? out.toString(UTF_8) : "code " + code + ": " + out.toString(UTF_8) + err.toString(UTF_8);
  }

  private Path ulfm(String name) throws IOException {
    return install(name, "5.0.7", "include/openmpi/mpiext/mpiext_ftmpi_c.h", "");
  }

  private Path fork(String name) throws IOException {
    return install(name, "4.0.0", "include/mpi-ext.h", "#define OMPI_HAVE_MPI_EXT_REINIT 1\n");
  }

  /** As make setup would have built it from this checkout. */
  private Path ours(String name) throws IOException {
    Path prefix = ulfm(name);
    Files.writeString(prefix.resolve("kintsugi.stamp"), STAMP + "\n");
    return prefix;
  }

  private Path install(String name, String version, String header, String text) throws IOException {
    Path prefix = folder.resolve(name);
    Files.createDirectories(prefix.resolve(header).getParent());
    Files.writeString(prefix.resolve(header), text);
    String[] numbers = version.split("\\.");
    Files.writeString(prefix.resolve("include/mpi.h"),
        "#define OMPI_MAJOR_VERSION " + numbers[0] + "\n#define OMPI_MINOR_VERSION "
            + numbers[1] + "\n#define OMPI_RELEASE_VERSION " + numbers[2] + "\n");
    Path mpirun = prefix.resolve("bin/mpirun");
    Files.createDirectories(mpirun.getParent());
    Files.writeString(mpirun, "#!/bin/sh\necho 'mpirun (Open MPI) " + version + "'\n");
    Files.setPosixFilePermissions(mpirun, PosixFilePermissions.fromString("rwxr-xr-x"));
    return prefix;
  }
}
