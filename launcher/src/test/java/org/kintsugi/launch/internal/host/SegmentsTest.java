// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names of segments under Open MPI 5.0.7 and the Reinit++ fork. */
class SegmentsTest {
  @Test
  void knowsTheNumberOfAJobByItsLauncher() {
    assertThat(Segments.family("prterun-n0-15984")).isEqualTo(0x0662);
    assertThat(Segments.family("prterun-n0-14510")).isEqualTo(0x3c22);
    assertThat(Segments.family("prterun-n0-15042")).isEqualTo(0x3d26);
  }

  @Test
  void knowsTheNumberOfAJobOfTheForkByItsHostAndProcess() {
    assertThat(Segments.forkFamily("n0", 29120)).isEqualTo(0x5a80);
  }

  /** On a host called n9.example.org, both. */
  @Test
  void aDomainIsNoPartOfAHostsName() {
    assertThat(Segments.forkFamily(HostName.shortOf("n9.example.org"), 23906)).isEqualTo(0xefe9);
    assertThat("prterun-" + HostName.shortOf("n9.example.org") + "-23891").isEqualTo("prterun-n9-23891");
  }

  /** Removes the segments of a job: for a process of another user. */
  static final class Removes {
    public static void main(String[] args) throws IOException {
      String host = HostName.shortOf(HostName.ofThis());
      int family = Segments.family("prterun-" + host + "-" + ProcessHandle.current().pid());
      Path segment = Segments.FOLDER.resolve("sm_segment." + host + ".4242424." + Integer.toHexString(family << 16) + ".0");
      Files.createFile(segment);
      Segments.removeOf(ProcessHandle.current().pid());
      System.out.println(Files.exists(segment) ? "left" : "removed");
      Files.deleteIfExists(segment);
    }
  }

  /** Java calls such a user "?". */
  @Test
  void usersWithoutANameHaveSegmentsToo() throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    List<String> asUser = List.of("setpriv", "--reuid", "4242424", "--regid", "4242424", "--clear-groups", "env", "-C", "/");
    List<String> classes = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
    List<String> ours =
        classes.stream().filter(entry -> Path.of(entry).endsWith("classes") || Path.of(entry).endsWith("test-classes"))
            .toList();
    List<String> look = new ArrayList<>(asUser);
    look.addAll(List.of("sh", "-c", "test -x \"$1\" && shift && for folder; do ls \"$folder\" >/dev/null || exit 1; done", "sh",
        java.toString()));
    look.addAll(ours);
    assumeTrue(isRoot() && new ProcessBuilder(look).start().waitFor() == 0,
        "only root can be another user, by setpriv, and that user must be able to read the classes");
    List<String> line = new ArrayList<>(asUser);
    line.addAll(
        List.of(java.toString(), "-XX:-UsePerfData", "-cp", String.join(File.pathSeparator, ours), Removes.class.getName()));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("removed\n");
  }

  private static boolean isRoot() throws IOException {
    return OwnedPath.user() == 0 && Files.isExecutable(Path.of("/usr/bin/setpriv"));
  }
}
