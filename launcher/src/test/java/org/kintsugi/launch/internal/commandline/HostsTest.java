// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.mpirun.FlavourFlags;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/** The hosts on a command line. */
class HostsTest {
  private static final int CORES = 4;

  private static Hosts of(String... options) {
    return of(Map.of(), options);
  }

  private static Hosts of(Map<String, String> environment, String... options) {
    return of(new MpiHome(Path.of("/mpi"), Flavour.ULFM), environment, options);
  }

  private static Hosts of(MpiHome mpi, Map<String, String> environment, String... options) {
    return Hosts.of(new MpirunLine(List.of(options), environment, FlavourFlags.prefixes(mpi)), mpi);
  }

  @Test
  void whatNamesNoHostIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hosts"), "# none yet\n\n");
    assertThatThrownBy(() -> of("--hostfile", file.toString())).isInstanceOf(LaunchException.class)
        .hasMessage("the host file " + file + " names no host: expected a line for each, as in node1 slots=4");
    assertThatThrownBy(() -> of("--host", ",")).isInstanceOf(LaunchException.class)
        .hasMessageContaining("--host , names no host");
    assertThat(of("--default-hostfile", file.toString()).isKnown()).as("mpirun passes it over").isFalse();
  }

  @Test
  void withoutOptionsItIsThisHost() {
    Hosts hosts = of("--mca", "coll", "basic");
    assertThat(hosts.areOthersToo()).isFalse();
    assertThat(hosts.slots(CORES)).isEqualTo(CORES);
    assertThat(hosts.mostOnOne(6, CORES)).isEqualTo(6);
    assertThat(of("--host", "localhost:8").areOthersToo()).isFalse();
  }

  @Test
  void aListSaysSlots() {
    assertThat(of("--host", "a,b:3,a,c:*").slots()).isEqualTo(Map.of("a", 2, "b", 3, "c", 0));
    Hosts hosts = of("--host=a,b");
    assertThat(hosts.areOthersToo()).isTrue();
    assertThat(hosts.slots(CORES)).isEqualTo(2);
    assertThat(hosts.mostOnOne(1, CORES)).isEqualTo(1);
    assertThat(hosts.mostOnOne(5, CORES)).isEqualTo(3);
  }

  @Test
  void aFileSaysSlots(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hosts"), "# a comment\nme@a slots=2\nb slots = 1 # more\n\nc\nd\nd\n");
    Hosts hosts = of("--hostfile", file.toString());
    assertThat(hosts.slots()).isEqualTo(Map.of("a", 2, "b", 1, "c", 0, "d", 2));
    assertThat(hosts.slots(CORES)).isEqualTo(9);
    assertThatThrownBy(() -> of("--hostfile", folder.resolve("none").toString())).hasMessageContaining("host file");
  }

  @Test
  void aLimitIsNoReasonToFail(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(folder.resolve("hosts"), "a slots=2 max-slots=4\nmaxwell1 max_slots = 8 slots=3\nrank7 slots-max=2\n");
    assertThat(of("--hostfile", file.toString()).slots()).isEqualTo(Map.of("a", 2, "maxwell1", 3, "rank7", 0));
  }

  @Test
  void severalFilesInAnyEncoding(@TempDir Path folder) throws IOException {
    Path one = Files.write(folder.resolve("one"), new byte[] {'a', ' ', '#', ' ', (byte) 0xfc, '\n'});
    Path other = Files.writeString(folder.resolve("other"), "b\n");
    assertThat(of("--hostfile", one + "," + other).slots()).containsOnlyKeys("a", "b");
  }

  @Test
  void anOptionWithoutAValueIsRefused() {
    assertThatThrownBy(() -> of("--hostfile")).isInstanceOf(LaunchException.class).hasMessage("--hostfile: a file is missing");
    assertThatThrownBy(() -> of("--host", "--nolocal")).hasMessage("--host: a host is missing in front of --nolocal");
  }

  @Test
  void aDefaultHostFileIsMpirunsBusiness(@TempDir Path prefix) throws IOException {
    MpiHome fork = new MpiHome(prefix, Flavour.REINIT);
    MpiHome ulfm = new MpiHome(prefix, Flavour.ULFM);
    Files.createDirectories(prefix.resolve("etc"));
    Files.writeString(prefix.resolve("etc/openmpi-default-hostfile"), "# none\n\n");
    Files.writeString(prefix.resolve("etc/prte-default-hostfile"), "# ours\na slots=2\n");
    assertThat(of(fork, Map.of()).isKnown()).isTrue();
    assertThat(of(ulfm, Map.of()).isKnown()).isFalse();
    assertThat(of(ulfm, Map.of("PRTE_MCA_prte_default_hostfile", "none")).isKnown()).isTrue();
    assertThat(of(Map.of("PRTE_MCA_prte_default_hostfile", "/hosts")).isKnown()).isFalse();
    assertThat(of("--prtemca", "prte_default_hostfile", "/hosts").isKnown()).isFalse();
    assertThat(of(fork, Map.of("OMPI_MCA_orte_default_hostfile", "/hosts")).isKnown()).isFalse();
    assertThat(of(ulfm, Map.of(), "--host", "a").isKnown()).isTrue();
  }

  @Test
  void whatOnlyMpirunKnowsIsLeftToIt(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("hosts"), "a slots=2 /* all\n");
    for (Hosts hosts : List.of(of("--host", "+n0"), of("--hostfile", file.toString()),
        of("--host", "a", "--hostfile", file.toString()), of(Map.of("SLURM_JOB_ID", "7")))) {
      assertThat(hosts.isKnown()).isFalse();
      assertThat(hosts.areOthersToo()).isTrue();
    }
  }
}
