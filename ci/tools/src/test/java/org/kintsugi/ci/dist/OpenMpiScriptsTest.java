// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.ci.checkout.Checkout;

/**
 * The script that builds Open MPI, with a tarball whose build takes no time.
 *
 * <p>The configure of that tarball prints its arguments.
 */
class OpenMpiScriptsTest {
  private static final Path SCRIPTS = Checkout.FOLDER.resolve("native/openmpi");
  private static final Pattern WORD = Pattern.compile("(?m)--(?:with|without|disable|enable)-[-a-z0-9]+(?:=\\w+)?|CFLAGS=\".*\"");
  private static final String PATCH = "--- a/said\n+++ b/said\n@@ -1 +1 @@\n-%s\n+%s\n";
  private static final int LIMIT_SECONDS = 60;

  @TempDir
  private Path folder;

  private String script(String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(folder.resolve("openmpi/build-from-tarball.sh").toString()));
    line.addAll(List.of(words));
    return Commands.run(folder, LIMIT_SECONDS, Map.of(), line);
  }

  /** The files of an installation, and a source tarball of a version. */
  private Path tarball(String version) throws IOException, InterruptedException {
    Path own = folder.resolve("openmpi");
    if (!Files.exists(own)) {
      Files.createDirectories(own.resolve("patches/mpi"));
      Files.createDirectories(own.resolve("patches/prrte"));
      for (String script : List.of("build-from-tarball.sh", "apply.sh", "network.sh")) {
        Files.copy(SCRIPTS.resolve(script), own.resolve(script));
      }
      Files.writeString(own.resolve("versions.properties"), "openmpi.version=5.0.7\n");
      // The second one fits after the first one only.
      Files.writeString(own.resolve("patches/prrte/0002-a.patch"), PATCH.formatted("before", "between"));
      Files.writeString(own.resolve("patches/mpi/0001-a.patch"), PATCH.formatted("between", "after"));
      Files.writeString(own.resolve("patches/patched.sha256"), "");
    }
    Path source = Files.createDirectories(folder.resolve("openmpi-" + version));
    String[] numbers = version.split("\\.");
    Files.writeString(source.resolve("VERSION"),
        "major=" + numbers[0] + "\nminor=" + numbers[1] + "\nrelease=" + numbers[2] + "\n");
    Files.writeString(source.resolve("said"), "before\n");
    Path configure = Files.writeString(source.resolve("configure"), """
        #!/bin/sh
        for word; do case $word in --prefix=*) prefix=${word#*=} ;; esac; done
        printf 'all:\\ninstall:\\n\\tmkdir -p $(DESTDIR)%s/bin\\n\\tcp said $(DESTDIR)%s/bin/mpirun\\n' $prefix $prefix >Makefile
        { echo "$*"; cat "$(dirname "$0")/said"; } >said
        """);
    assertThat(configure.toFile().setExecutable(true)).isTrue();
    Path tarball = folder.resolve("openmpi-" + version + ".tar.gz");
    assertThat(Commands.run(folder, LIMIT_SECONDS, Map.of(), List.of("tar", "-C", folder.toString(), "-czf", tarball.toString(),
        source.getFileName().toString()))).isEqualTo("0 ");
    return tarball;
  }

  @Test
  void aTarballBecomesAnMpiWithThePatches() throws IOException, InterruptedException {
    String tarball = tarball("5.0.7").toString();
    Path prefix = folder.resolve("data/kintsugi/openmpi-ulfm"); // by Commands
    assertThat(script(tarball)).startsWith("0 ").contains("patch: prrte/0002-a.patch\n  patch: mpi/0001-a.patch",
        "is in " + prefix);
    assertThat(Files.readString(prefix.resolve("bin/mpirun"))).contains("--prefix=" + prefix + " --with-ft=mpi", "\nafter\n");
    assertThat(prefix.resolve("kintsugi.stamp")).isNotEmptyFile();
    try (var left = Files.list(prefix.getParent())) {
      assertThat(left.map(file -> file.getFileName().toString())).containsExactlyInAnyOrder("openmpi-ulfm",
          "openmpi-ulfm.build.log");
    }
    assertThat(script(tarball)).startsWith("1 ").contains(prefix + " is there already");
    // Hosts are compared by it: from another folder, with another slash.
    Path elsewhere = folder.resolve("elsewhere");
    assertThat(script(Files.move(Path.of(tarball), folder.resolve("a.tar.gz")).toString(), elsewhere + "/")).startsWith("0 ");
    assertThat(elsewhere.resolve("kintsugi.stamp")).hasSameTextualContentAs(prefix.resolve("kintsugi.stamp"));
  }

  @Test
  void whatCannotBeBuiltIsNamed() throws IOException, InterruptedException {
    String prefix = folder.resolve("prefix").toString();
    assertThat(refused(tarball("5.0.8").toString(), prefix)).contains("is Open MPI 5.0.8, and Kintsugi's patches are for 5.0.7");
    assertThat(refused(tarball("5.0.7").toString(), folder.resolve("a prefix").toString())).contains("with blanks in its name");
    for (String help : List.of("--help", "-h")) {
      assertThat(script(help)).startsWith("0 build-from-tarball.sh [--network=CHOICE] TARBALL [PREFIX]: ")
          .contains("$XDG_DATA_HOME/kintsugi/openmpi-ulfm");
    }
    assertThat(refused(folder.resolve("none").toString(), prefix)).contains("none: no such file");
    String tarball = tarball("5.0.7").toString();
    assertThat(refused(tarball, "here")).contains("here: expected an absolute path");
    Files.writeString(folder.resolve("openmpi/patches/mpi/0002-b.patch"), PATCH.formatted("other", "c"));
    assertThat(refused(tarball, prefix)).contains("mpi/0002-b.patch does not apply");
    assertThat(Path.of(prefix)).doesNotExist();
  }

  /** Which libraries are on this machine does not matter: this one is a header alone, in a folder of its own. */
  @Test
  void fastNetworksAreBuiltInAsAskedFor() throws IOException, InterruptedException {
    String tarball = tarball("5.0.7").toString();
    Path ucx = folder.resolve("ucx");
    Files.createDirectories(ucx.resolve("include/uct/api"));
    Files.writeString(ucx.resolve("include/uct/api/uct.h"), "");
    Path with = folder.resolve("with");
    assertThat(script("--network=ucx=" + ucx, tarball, with.toString())).startsWith("0 ").contains("fast networks: ucx=" + ucx);
    assertThat(Files.readString(with.resolve("bin/mpirun"))).contains("--with-ucx=" + ucx + " --without-ofi",
        "--enable-mca-dso=btl-ofi,btl-uct,");
    assertThat(with.resolve("kintsugi.network")).hasContent("ucx=" + ucx);
    Path without = folder.resolve("without");
    assertThat(script("--network=none", tarball, without.toString())).startsWith("0 ").contains("fast networks: none");
    assertThat(Files.readString(without.resolve("bin/mpirun"))).contains("--without-ucx --without-ofi").doesNotContain("mca-dso");
    assertThat(script("--network=ofi=" + ucx, tarball, folder.resolve("no").toString())).startsWith("1 ")
        .contains("network: ofi=" + ucx + ": no rdma/fabric.h in " + ucx + "/include: install the library's development files");
    assertThat(script("--network=ib", tarball, folder.resolve("no").toString())).startsWith("1 ")
        .contains("network: ib: expected auto, none, or ucx and ofi");
    assertThat(folder.resolve("no")).doesNotExist();
  }

  private String refused(String tarball, String prefix) throws IOException, InterruptedException {
    String said = script(tarball, prefix);
    assertThat(said).startsWith("1 ");
    return said;
  }

  /** Nobody builds anew because a header was written better. */
  @Test
  void theStampIsOfTheSourcesAndNotOfThePatches() throws IOException, InterruptedException {
    tarball("5.0.7");
    Path own = folder.resolve("openmpi");
    for (String script : List.of("build.sh", "stamp.sh")) {
      Files.copy(SCRIPTS.resolve(script), own.resolve(script));
    }
    Files.copy(own.resolve("versions.properties"), folder.resolve("versions.properties"));
    String stamp = stamp(own);
    Path patch = own.resolve("patches/mpi/0001-a.patch");
    Files.writeString(patch, "mpi: a fault\n\n" + Files.readString(patch));
    assertThat(stamp(own)).isEqualTo(stamp);
    // As build.sh finds the checksums.
    String sums = Commands.run(folder, LIMIT_SECONDS, Map.of(),
        List.of(own.resolve("apply.sh").toString(), "--sums", folder.resolve("openmpi-5.0.7").toString()));
    assertThat(sums).matches("0 [0-9a-f]{64}  said\n");
    Files.writeString(own.resolve("patches/patched.sha256"), sums.substring(2));
    assertThat(stamp(own)).isNotEqualTo(stamp);
  }

  private String stamp(Path own) throws IOException, InterruptedException {
    String stamp = Commands.run(folder, LIMIT_SECONDS, Map.of(), List.of(own.resolve("stamp.sh").toString()));
    assertThat(stamp).matches("0 [0-9a-f]{64}\n");
    return stamp;
  }

  /** Two scripts, as the text of the one is part of the stamp of the builds that it makes. */
  @Test
  void bothScriptsConfigureTheSame() throws IOException {
    assertThat(words("build-from-tarball.sh")).hasSizeGreaterThan(15).isEqualTo(words("build.sh"));
  }

  private static List<String> words(String script) throws IOException {
    String text = Files.readString(SCRIPTS.resolve(script));
    return WORD.matcher(text.substring(text.indexOf("step \"configure\""))).results().map(match -> match.group()).toList();
  }
}
