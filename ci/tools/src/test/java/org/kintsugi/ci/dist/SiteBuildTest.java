// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** {@code kintsugi build}: natives for a site's MPI, from an installation alone. */
@Tag("flavours")
@Tag("once")
class SiteBuildTest {
  private static final int LIMIT_SECONDS = 900;

  private static TemporaryFolder folder;
  private static MpiHome mpi;
  private static Path home;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    mpi = RankJob.mpiOrSkip();
    folder = TemporaryFolder.create("kintsugi-site-build-");
    home = folder.path().resolve("a place with blanks");
    assertThat(run(List.of(Checkout.FOLDER.resolve("dist/install.sh").toString(), home.toString()))).startsWith("0 ");
  }

  @AfterAll
  static void remove() throws IOException {
    if (folder != null) {
      folder.close();
    }
  }

  private static String run(List<String> line) throws IOException, InterruptedException {
    return Commands.run(folder.path(), LIMIT_SECONDS, Map.of(), line);
  }

  private static String kintsugi(String... words) throws IOException, InterruptedException {
    // A build takes all processors, beside tests that have limits.
    List<String> line = new ArrayList<>(List.of("nice", home.resolve("bin/kintsugi").toString()));
    line.addAll(List.of(words));
    return run(line);
  }

  private static Path installed() {
    return home.resolve("lib/natives/" + mpi.flavour());
  }

  private static String symbols(Path library) throws IOException, InterruptedException {
    return run(List.of("nm", "-D", "--defined-only", "--format=posix", library.toString())).replaceAll(" (\\w) [^\\n]*", " $1");
  }

  private static String libraryPath() throws IOException, InterruptedException {
    return run(
        List.of(home.resolve("bin/jmpirun").toString(), "--mpi", mpi.prefix().toString(), "-n", "1", "--dry-run", "-cp", "x",
            "Main"))
        .replaceAll("(?s).*-Dkintsugi.library.path=(.*?natives/[-a-z]+).*", "$1");
  }

  @Test
  void makesWhatTheCheckoutMakesAndJobsTakeIt() throws IOException, InterruptedException {
    assertThat(libraryPath()).isEqualTo(installed().toString());
    assertThat(kintsugi("build", "--mpi", mpi.prefix().toString())).startsWith("0 ");
    Path site = home.resolve("lib/natives/site-" + mpi.flavour());
    try (Stream<Path> files = Files.list(installed())) {
      for (Path file : files.toList()) {
        Path made = site.resolve(file.getFileName());
        assertThat(made).exists();
        if (file.toString().endsWith(".so")) {
          assertThat(symbols(made)).startsWith("0 ").isEqualTo(symbols(file));
        }
      }
    }
    assertThat(libraryPath()).isEqualTo(site.toString());
    assertThat(kintsugi("info")).contains("site's, " + mpi.flavour(), site.toString());
    assertThat(kintsugi("run", "hpccg", "--mpi", mpi.prefix().toString(), "--timeout", "60", "-n", "2", "--spares", "1", "--kill",
        "process:1@20", "--", "4", "4", "4")).startsWith("0 ").contains("recovered from the loss of rank(s) [1]");
    // Moved: the file names them by their place beside it.
    home = Files.move(home, home.resolveSibling("moved"));
    assertThat(libraryPath()).isEqualTo(home.resolve("lib/natives").resolve(site.getFileName()).toString());
    refusesWhatDoesNotFit();
    // Libraries of an MPI that is gone, and of another Kintsugi.
    assertThat(kintsugi("build", "--mpi", folder.path().toString())).startsWith("2 ").contains("no bin/mpirun in it");
    assertThat(kintsugi("build", "--mpi", mpi.prefix().toString(), "--prefix", home.resolve("bin").toString())).startsWith("2 ")
        .contains("it is there, and was not made by kintsugi build");
  }

  /** Both records, so that nothing is left that would fit. */
  private static void refusesWhatDoesNotFit() throws IOException, InterruptedException {
    Path record = home.resolve("lib/natives/site-" + mpi.flavour() + "/natives.properties");
    Path installed = installed().resolve("natives.properties");
    String before = Files.readString(record);
    assertThat(before).isEqualTo(Files.readString(installed));
    Files.writeString(record, before.replaceAll("mpi.version=.*", "mpi.version=9.1.2"));
    assertThat(libraryPath()).as("those of the installation fit").isEqualTo(installed().toString());
    Files.writeString(installed, before.replaceAll("mpi.version=.*", "mpi.version=8.1.2"));
    String version = mpi.version();
    assertThat(kintsugi("doctor", "--mpi", mpi.prefix().toString())).startsWith("1 ").contains(
        "site-" + mpi.flavour() + " (they were compiled against an Open MPI 9.1.2 (flavour " + mpi.flavour() + "), and "
            + mpi.prefix() + " is " + version + ")",
        "compiled against an Open MPI 8.1.2", "the class path (no ", "KINTSUGI_LIBRARY_PATH (not set)", "kintsugi build --mpi");
    Files.writeString(installed, before);
    Files.writeString(record, before.replaceAll("kintsugi=.*", "kintsugi=0.0.1"));
    assertThat(libraryPath()).as("of another Kintsugi").isEqualTo(installed().toString());
  }

  /** An MPI that has another number in its header than the one that the Java was generated for. */
  @Test
  void anotherHeaderIsRefused() throws IOException, InterruptedException {
    Path other = Files.createDirectory(folder.path().resolve("other"));
    for (String name : List.of("bin", "lib")) {
      Files.createSymbolicLink(other.resolve(name), mpi.prefix().resolve(name));
    }
    run(List.of("cp", "-r", mpi.prefix().resolve("include").toString(), other.toString()));
    Path header = other.resolve("include/mpi.h");
    boolean isFork = mpi.flavour().toString().equals("reinit");
    String text = Files.readString(header);
    String changed = isFork ? text.replaceFirst("int MPI_TAG;", "long MPI_TAG;")
        : text.replaceFirst("(#define MPI_ANY_TAG +)[^\\n/]*", "$1 (-7)");
    assertThat(changed).isNotEqualTo(text);
    Files.writeString(header, changed);
    Path into = folder.path().resolve("not made");
    assertThat(kintsugi("build", "--mpi", other.toString(), "--prefix", into.toString())).startsWith("2 ")
        .contains("has other numbers in its mpi.h").contains(isFork ? "sizeof" : "MPI_ANY_TAG. Name another one");
    assertThat(into).doesNotExist();
  }
}
