// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * native/openmpi/find.sh, which make and Maven ask before there is any Java to run, finds what {@link MpiHome} finds. They differ
 * on purpose where the script looks more closely at an MPI that is to be compiled against: it refuses one of ours that was built
 * from other patches, and asks mpirun itself for its version, which would cost each job time. And it is always asked for one
 * flavour, as both are built: MPI_HOME is then that of ULFM only, which for a job may be the fork as well.
 */
class FindScriptTest {
  private static final Path SCRIPTS = Path.of("..", "native", "openmpi").toAbsolutePath().normalize();

  @TempDir
  private Path folder;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void emptyMachine() {
    environment.put("XDG_DATA_HOME", folder.resolve("data").toString());
    environment.put("HOME", folder.toString());
    // Not the machine's, which may have an mpirun; the script needs bash and a few tools.
    environment.put("PATH", tools());
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
    environment.put("PATH", links + ":" + tools());
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
      if (script(one.getKey()).startsWith("code")) {
        String[] inOrder = {folder.resolve("data/kintsugi").resolve(one.getValue()) + "", ofMachine + ""};
        assertThat(script(one.getKey())).containsSubsequence(inOrder);
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
    environment.put("PATH", onPath.resolve("bin") + ":" + tools());
    assertBothFind(Flavour.ULFM, onPath);
    // One without ULFM is passed over.
    Files.delete(onPath.resolve("include/openmpi/mpiext/mpiext_ftmpi_c.h"));
    assertBothFind(Flavour.ULFM, own);
    // Of several only the first is what a shell would start.
    environment.put("PATH", onPath.resolve("bin") + ":" + ulfm("second on path").resolve("bin") + ":" + tools());
    assertBothFind(Flavour.ULFM, own);
    // And only one that can be started.
    Path third = ulfm("third on path");
    Files.setPosixFilePermissions(onPath.resolve("bin/mpirun"), PosixFilePermissions.fromString("rw-r--r--"));
    environment.put("PATH", onPath.resolve("bin") + ":" + third.resolve("bin") + ":" + tools());
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
  void theScriptRefusesAnotherBuildOfOurs() throws Exception {
    Path own = ours("data/kintsugi/openmpi-ulfm");
    Files.writeString(own.resolve("kintsugi.stamp"), "other patches\n");
    assertThat(script(Flavour.ULFM)).isNotEqualTo(own + "\n");
    assertThat(MpiHome.find(null, Flavour.ULFM, environment)).isEqualTo(new MpiHome(own, Flavour.ULFM));
  }

  @Test
  void theScriptAsksForTheVersion() throws Exception {
    Path named = install("named", "4.1.0", "include/openmpi/mpiext/mpiext_ftmpi_c.h", "");
    environment.put("MPI_HOME", named.toString());
    assertThat(script(Flavour.ULFM)).startsWith("code 1").contains("MPI_HOME=" + named, "4.1.0");
    assertThat(MpiHome.find(null, Flavour.ULFM, environment)).isEqualTo(new MpiHome(named, Flavour.ULFM));
  }

  @Test
  void ofAJobMpiHomeMayBeTheFork() throws Exception {
    Path own = ours("data/kintsugi/openmpi-ulfm");
    Path ownFork = fork("data/kintsugi/reinit");
    Path named = fork("named");
    environment.put("MPI_HOME", named.toString());
    assertThat(MpiHome.find(null, environment)).isEqualTo(new MpiHome(named, Flavour.REINIT));
    assertThat(MpiHome.find(null, Flavour.REINIT, environment)).isEqualTo(new MpiHome(named, Flavour.REINIT));
    assertThat(MpiHome.find(null, Flavour.ULFM, environment)).isEqualTo(new MpiHome(own, Flavour.ULFM));
    assertThat(script(Flavour.REINIT)).isEqualTo(ownFork + "\n");
    assertThat(script(Flavour.ULFM)).startsWith("code 1").contains("MPI_HOME=" + named);
  }

  private void assertBothFind(Flavour flavour, Path expected) throws Exception {
    assertThat(MpiHome.find(null, flavour, environment)).isEqualTo(new MpiHome(expected, flavour));
    assertThat(script(flavour)).isEqualTo(expected + "\n");
  }

  private void assertBothRefuse(Flavour flavour, String why) throws Exception {
    assertThat(javas(flavour)).contains(why);
    assertThat(script(flavour)).startsWith("code 1").contains(why);
  }

  private String javas(Flavour flavour) {
    try {
      return MpiHome.find(null, flavour, environment).toString();
    } catch (SetupException e) {
      return e.getMessage();
    }
  }

  /** The script's output; if it fails, its code and its message. */
  private String script(Flavour flavour) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(SCRIPTS.resolve("find.sh").toString(), flavour.toString());
    builder.environment().clear();
    builder.environment().putAll(environment);
    Path said = folder.resolve("said");
    Process process = builder.redirectError(said.toFile()).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    return code == 0 ? printed : "code " + code + ": " + printed + Files.readString(said);
  }

  /** A PATH without any mpirun. */
  private String tools() {
    Path tools = folder.resolve("tools");
    try {
      if (!Files.exists(tools)) {
        Files.createDirectories(tools);
        for (String tool : new String[] {"bash", "env", "dirname", "head", "grep", "cat", "sha256sum", "cut", "sh",
            "readlink"}) {
          Path real = Path.of("/usr/bin", tool);
          Files.createSymbolicLink(tools.resolve(tool), Files.exists(real) ? real : Path.of("/bin", tool));
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return tools.toString();
  }

  private Path ulfm(String name) throws IOException {
    return install(name, "5.0.7", "include/openmpi/mpiext/mpiext_ftmpi_c.h", "");
  }

  private Path fork(String name) throws IOException {
    return install(name, "4.0.0", "include/mpi-ext.h", "#define OMPI_HAVE_MPI_EXT_REINIT 1\n");
  }

  /** As make setup would have built it from this checkout. */
  private Path ours(String name) throws Exception {
    Path prefix = ulfm(name);
    Process stamp = new ProcessBuilder(SCRIPTS.resolve("stamp.sh").toString()).start();
    Files.write(prefix.resolve("kintsugi.stamp"), stamp.getInputStream().readAllBytes());
    assertThat(stamp.waitFor()).isZero();
    return prefix;
  }

  private Path install(String name, String version, String header, String text) throws IOException {
    Path prefix = folder.resolve(name);
    Files.createDirectories(prefix.resolve(header).getParent());
    Files.writeString(prefix.resolve(header), text);
    Path mpirun = prefix.resolve("bin/mpirun");
    Files.createDirectories(mpirun.getParent());
    Files.writeString(mpirun, "#!/bin/sh\necho 'mpirun (Open MPI) " + version + "'\n");
    Files.setPosixFilePermissions(mpirun, PosixFilePermissions.fromString("rwxr-xr-x"));
    return prefix;
  }
}
