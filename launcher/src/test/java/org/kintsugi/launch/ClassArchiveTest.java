// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.host.StandIns;
import org.kintsugi.launch.internal.natives.ClassArchive;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/**
 * The jobs that take their classes from an archive.
 *
 * <p>The mpirun of this test makes no archives; InstallationTest does.
 */
class ClassArchiveTest {
  @TempDir
  private Path folder;

  private MpiHome mpi;
  private String api;
  private String natives;

  @BeforeEach
  void install() throws IOException {
    Path prefix = StandIns.ulfm(folder.resolve("mpi"));
    mpi = new MpiHome(prefix, Flavour.ULFM);
    api = jar("kintsugi.jar", "org/kintsugi/mpi/Mpi.class", "org/kintsugi/runtime/Flavour.class",
        "org/kintsugi/reinit/TypicalProgram.class");
    natives = jar("bindings.jar", "org/kintsugi/bindings/MPI.class",
        "org/bytedeco/javacpp/Pointer.class");
  }

  private String jar(String name, String... entries) throws IOException {
    Path jar = folder.resolve(name);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
      for (String entry : entries) {
        zip.putNextEntry(new ZipEntry(entry));
      }
    }
    return jar.toString();
  }

  /**
   * Whether the launcher tried to make one. Its file is then in the cache, empty if that failed.
   */
  private boolean isMadeFor(Map<String, String> variables, String... words) throws IOException {
    Path cache = Files.createTempDirectory(folder, "cache");
    Map<String, String> all = new TreeMap<>(variables);
    all.put("XDG_CACHE_HOME", cache.toString());
    JobSpec job = new JobSpec().ranks(1).javaArguments(List.of(words));
    assertThat(ClassArchive.of(job, new JvmArguments(List.of(words), all), mpi, null, all, Job::writeClassArchive))
        .as("this mpirun makes none").isNull();
    return Files.exists(cache.resolve("kintsugi")) && cache.resolve("kintsugi").toFile().list().length == 1;
  }

  @Test
  void isMadeOfKintsugisJars() throws IOException {
    assertThat(isMadeFor(Map.of(), "-cp", "/classes:" + natives + ":" + api, "Main")).isTrue();
    assertThat(isMadeFor(Map.of("CLASSPATH", natives + ":" + api), "-Xmx1g", "Main", "-Xshare:off")).isTrue();
  }

  @Test
  void isNotMadeWhereRanksCouldNotUseIt() throws IOException {
    String both = natives + ":" + api;
    assertThat(isMadeFor(Map.of(), "-cp", api, "Main")).as("half of Kintsugi").isFalse();
    Path classes = folder.resolve("classes/org/kintsugi/mpi");
    Files.createFile(Files.createDirectories(classes).resolve("Mpi.class"));
    assertThat(isMadeFor(Map.of(), "-cp", folder.resolve("classes") + ":" + both, "Main")).as("from a folder").isFalse();
    assertThat(isMadeFor(Map.of(), "-Xshare:off", "-cp", both, "Main")).isFalse();
    assertThat(isMadeFor(Map.of(), "-XX:SharedArchiveFile=mine", "-cp", both, "Main")).isFalse();
    assertThat(isMadeFor(Map.of(), "-XX:AOTCache=mine", "-cp", both, "Main")).isFalse();
    assertThat(isMadeFor(Map.of("JAVA_TOOL_OPTIONS", "-Xshare:off"), "-cp", both, "Main")).isFalse();
    assertThat(isMadeFor(Map.of(), "-p", both, "-m", "app/Main")).as("modules").isFalse();
    assertThat(isMadeFor(Map.of(), "-jar", api)).isFalse();
    Path file = Files.writeString(folder.resolve("arguments"), "-cp " + both + " Main");
    assertThat(isMadeFor(Map.of(), "@" + file)).as("the main class in an argument file").isFalse();
    String whole = jar("whole.jar", "org/kintsugi/mpi/Mpi.class", "org/kintsugi/runtime/Flavour.class",
        "org/kintsugi/bindings/MPI.class", "org/bytedeco/javacpp/Pointer.class");
    assertThat(isMadeFor(Map.of(), "-cp", natives + ":" + jar("a b.jar", "org/kintsugi/mpi/Mpi.class",
        "org/kintsugi/runtime/Flavour.class"), "Main")).as("a path with a blank").isFalse();
    assertThat(isMadeFor(Map.of(), "-cp", whole, "Main")).as("a jar of the program with everything in it").isFalse();
  }

  /** The JVM writes an archive at its end, even after a failure. */
  @Test
  void thatOfAJobThatFailsIsNotKept() throws IOException {
    Path mpirun = mpi.prefix().resolve("bin/mpirun");
    Files.writeString(mpirun, """
        #!/bin/sh
        for word; do
          case $word in -XX:ArchiveClassesAtExit=*) echo half > "${word#*=}" ;; esac
        done
        exit 1
        """);
    assertThat(isMadeFor(Map.of(), "-cp", natives + ":" + api, "Main")).isTrue();
  }

  /** Natives may be in a jar of their own. A failed attempt is not repeated with each job. */
  @Test
  void theJobThatMakesItHasTheNatives() throws IOException {
    Path libraries = Files.createDirectory(folder.resolve("libraries"));
    Files.createFile(libraries.resolve("libkintsugi.so"));
    Files.writeString(mpi.prefix().resolve("bin/mpirun"), """
        #!/bin/sh
        case "$*" in *-Dkintsugi.library.path=%s*) ;; *) exit 1 ;; esac
        for word; do
          case $word in -XX:ArchiveClassesAtExit=*) echo whole > "${word#*=}" ;; esac
        done
        """.formatted(libraries));
    Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.resolve("cache").toString());
    JobSpec job = new JobSpec().ranks(1).javaArguments(List.of("-cp", natives + ":" + api, "Main"));
    JvmArguments jvm = new JvmArguments(job.javaArguments(), environment);
    assertThat(ClassArchive.of(job, jvm, mpi, null, environment, Job::writeClassArchive)).as("without the natives").isNull();
    Path failed = Files.list(folder.resolve("cache/kintsugi")).findFirst().orElseThrow();
    assertThat(failed).isEmptyFile();
    assertThat(ClassArchive.of(job, jvm, mpi, libraries, environment, Job::writeClassArchive)).as("just after").isNull();
    Files.setLastModifiedTime(failed, FileTime.from(Instant.now().minus(2, ChronoUnit.DAYS)));
    assertThat(ClassArchive.of(job, jvm, mpi, libraries, environment, Job::writeClassArchive)).as("two days later").isNotNull();
    assertThat(failed).hasContent("whole");
  }

  @Test
  void theProgramKeepsItsOptionsAndItsClassPath() {
    ClassArchive archive = new ClassArchive(Path.of("/cache/a.jsa"), List.of(Path.of("/k.jar"), Path.of("/b.jar")));
    JvmArguments jvm = new JvmArguments(List.of("-cp", "app:/b.jar:/k.jar", "-Dx=1", "Main", "-cp", "none"), Map.of());
    assertThat(jvm.takesClassPath()).isTrue();
    assertThat(jvm.withClassPath(archive::before)).containsExactly("-cp", "app:/b.jar:/k.jar", "-Dx=1", "-cp",
        "/k.jar:/b.jar:app:/b.jar:/k.jar", "Main", "-cp", "none");
    assertThat(archive.options(17)).contains("-XX:SharedArchiveFile=/cache/a.jsa").doesNotContain("-Xlog:aot=off");
    assertThat(archive.options(25)).contains("-Xlog:aot=off");
  }
}
