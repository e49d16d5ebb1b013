// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.ranks.OptionalNatives;
import org.kintsugi.ci.ranks.Yields;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.NativeFolders;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/** A second Open MPI, which the natives were not compiled against: a copy of the first one. */
@Tag("flavours")
@Tag("once")
class OtherMpiTest {
  private static final int LIMIT_SECONDS = 180;
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private static final String SEGMENT = "segment";

  private static TemporaryFolder folder;
  private static Path first;
  private static Path second;

  /** Runs in the ranks, and alone. */
  static final class Tells {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args); Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
        if (System.getenv("PMIX_NAMESPACE") == null) {
          RankJob.report(args[0], SEGMENT, maps.filter(line -> line.contains("/sm_segment.")).distinct()
              .map(line -> line.substring(line.indexOf('/'))).collect(Collectors.joining("\n")));
        }
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), Mpi.libraryVersion());
      }
    }
  }

  @BeforeAll
  static void copy() throws IOException, InterruptedException {
    first = RankJob.mpiOrSkip().prefix().toRealPath();
    folder = TemporaryFolder.create("kintsugi-other-mpi-");
    second = folder.path().toRealPath().resolve("mpi");
    assertThat(new ProcessBuilder("cp", "-a", first.toString(), second.toString()).inheritIO().start().waitFor()).isZero();
  }

  @AfterAll
  static void remove() {
    if (folder != null) {
      folder.close();
    }
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Runs a command. The first word of the result is the exit code, then its output follows. */
  private static String run(Path reports, List<String> line) throws IOException, InterruptedException {
    Path output = reports.resolve("output");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.environment().putAll(Map.of("OMPI_ALLOW_RUN_AS_ROOT", "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"));
    builder.environment().remove("LD_LIBRARY_PATH");
    if (line.get(0).startsWith(second.toString())) {
      builder.environment().put("OPAL_PREFIX", second.toString()); // jmpirun sees by itself that it is a copy
    }
    Process job = builder.start();
    try {
      assertThat(job.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as("ends").isTrue();
      return job.exitValue() + " " + Files.readString(output);
    } finally {
      job.destroyForcibly();
    }
  }

  private static List<String> jmpirun(Path mpi, Path reports, String... options) {
    return jmpirun(mpi, Tells.class, reports, options);
  }

  private static List<String> jmpirun(Path mpi, Class<?> program, Path reports, String... options) {
    List<String> line = new ArrayList<>(List.of(java(), "-XX:-UsePerfData", "-cp", CLASS_PATH, Jmpirun.class.getName(), "-n", "1",
        "--timeout", String.valueOf(LIMIT_SECONDS / 2), "--mpi", mpi.toString()));
    line.addAll(List.of(options));
    line.addAll(List.of("-cp", CLASS_PATH, program.getName(), reports.toString()));
    return line;
  }

  private static void assertRefused(String said) {
    assertThat(said).doesNotStartWith("0 ").contains("was started with the Open MPI of " + second)
        .contains("has loaded " + first.resolve("lib"));
  }

  private static void assumeLibraryPathCounts() {
    RankJob.assumeFlavour(Flavour.ULFM, "mpirun of the Reinit++ fork itself puts its libraries in front");
  }

  @Test
  void ranksLoadTheLibraryOfTheMpiThatWasNamed() throws IOException, InterruptedException {
    try (TemporaryFolder reports = TemporaryFolder.create("kintsugi-reports-")) {
      String said = run(reports.path(), jmpirun(second, reports.path()));
      assertThat(said).startsWith("0 ");
      assertThat(reports.path().resolve("report-0")).content().startsWith("Open MPI v")
          .contains(", loaded from " + second.resolve("lib/libmpi.so"));
    }
  }

  @Test
  void theFileOfParametersOfTheMpiThatWasNamedCounts() throws IOException, InterruptedException {
    RankJob.assumeFlavour(Flavour.ULFM, "ThreadLevel.MULTIPLE");
    Path parameters = second.resolve("etc/openmpi-mca-params.conf");
    String before = Files.exists(parameters) ? Files.readString(parameters) : "";
    Files.createDirectories(parameters.getParent());
    try (TemporaryFolder reports = TemporaryFolder.create("kintsugi-reports-")) {
      assertThat(run(reports.path(), jmpirun(second, Yields.class, reports.path()))).startsWith("0 ");
      assertThat(reports.path().resolve("report-rank-0")).as("nobody has set it").hasContent("true");
      Files.delete(reports.path().resolve("report-rank-0"));
      Files.writeString(parameters, before + "\nmpi_yield_when_idle = 0\n");
      assertThat(run(reports.path(), jmpirun(second, Yields.class, reports.path()))).startsWith("0 ");
      assertThat(reports.path().resolve("report-rank-0")).hasContent("false");
    } finally {
      Files.writeString(parameters, before);
    }
  }

  @Test
  void anotherLibraryIsRefused() throws IOException, InterruptedException {
    assumeLibraryPathCounts();
    try (TemporaryFolder reports = TemporaryFolder.create("kintsugi-reports-")) {
      assertRefused(run(reports.path(), jmpirun(second, reports.path(), "-x", "LD_LIBRARY_PATH=" + first.resolve("lib"))));
    }
  }

  @Test
  void anotherLibraryIsRefusedUnderPlainMpirun() throws IOException, InterruptedException {
    assumeLibraryPathCounts();
    try (TemporaryFolder reports = TemporaryFolder.create("kintsugi-reports-")) {
      assertRefused(run(reports.path(), List.of(second.resolve("bin/mpirun").toString(), "-n", "1", java(), "-cp", CLASS_PATH,
          Tells.class.getName(), reports.path().toString())));
    }
  }

  /** As with natives that were compiled on another machine. */
  @Test
  void aProgramUnderJavaAloneTakesTheMpiThatTheLauncherWouldTake() throws IOException, InterruptedException {
    RankJob.assumeFlavour(Flavour.ULFM, "the Reinit++ fork's MPI_Init wants its mpirun");
    try (TemporaryFolder reports = TemporaryFolder.create("kintsugi-reports-")) {
      Path natives = Path.of("../bindings/target/classes", NativeFolders.of(Flavour.ULFM)).toRealPath();
      Path elsewhere = Files.createDirectory(reports.path().resolve("natives"));
      try (Stream<Path> files = Files.list(natives)) {
        for (Path file : files.filter(file -> file.toString().endsWith(".so")).toList()) {
          // The folder that is compiled in becomes another one of the same length.
          String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
          String other = bytes.replace(first + "/lib", first.toString().replaceAll(".$", "?") + "/lib");
          assertThat(other).as(file.toString()).isNotEqualTo(bytes);
          Files.writeString(elsewhere.resolve(file.getFileName()), other, StandardCharsets.ISO_8859_1);
        }
      }
      List<String> program = List.of(java(), "-Dkintsugi.library.path=" + elsewhere, "-cp", CLASS_PATH, Tells.class.getName(),
          reports.path().toString());
      List<String> line = new ArrayList<>(List.of("env", "MPI_HOME=" + first));
      line.addAll(program);
      assertThat(run(reports.path(), line)).startsWith("0 ");
      assertThat(reports.path().resolve("report-0")).content().contains(", loaded from " + first.resolve("lib/libmpi.so"));
      assertThat(Files.readString(reports.path().resolve("report-" + SEGMENT)).lines())
          .isNotEmpty().allSatisfy(segment -> assertThat(Path.of(segment)).doesNotExist());
      Files.delete(reports.path().resolve("report-" + SEGMENT));
      Files.delete(reports.path().resolve("report-0"));
      line.set(1, "MPI_HOME=" + second);
      assertThat(run(reports.path(), line)).isEqualTo("0 ");
      line.set(1, "MPI_HOME=" + reports.path());
      assertThat(run(reports.path(), line)).startsWith("1 ").contains("MPI_HOME=" + reports.path() + ": no bin/mpirun in it");
    }
  }

  @Test
  void nativesOfAnotherFlavourAreRefused() throws IOException, InterruptedException {
    RankJob.assumeFlavour(Flavour.ULFM, "natives of this flavour, with the library of the Reinit++ fork");
    MpiHome fork = OptionalNatives.forkOrSkip();
    try (TemporaryFolder reports = TemporaryFolder.create("kintsugi-reports-")) {
      Path natives = Path.of("../bindings/target/classes", NativeFolders.of(Flavour.ULFM)).toRealPath();
      assertThat(run(reports.path(), jmpirun(fork.prefix(), reports.path(), "-Dkintsugi.library.path=" + natives)))
          .startsWith("2 ").contains("they were compiled against an Open MPI 5.", "is of the flavour reinit");
      // Where nobody has written down what they were compiled against, the ranks compare what they have loaded.
      Path unrecorded = Files.createDirectory(reports.path().resolve("natives"));
      try (Stream<Path> files = Files.list(natives)) {
        for (Path file : files.filter(file -> file.toString().endsWith(".so")).toList()) {
          Files.createSymbolicLink(unrecorded.resolve(file.getFileName()), file);
        }
      }
      assertThat(run(reports.path(), jmpirun(fork.prefix(), reports.path(), "-Dkintsugi.library.path=" + unrecorded)))
          .doesNotStartWith("0 ").contains("were compiled against Open MPI 5.")
          .contains("has loaded " + fork.prefix().toRealPath());
    }
  }
}
