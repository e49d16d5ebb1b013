// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.natives;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.NativeFolders;

/** The natives of a program are found in each form of class path, and unpacked. */
class NativeLibrariesTest {
  private static final String NATIVES = NativeFolders.of(Flavour.ULFM) + "/";

  @TempDir
  private Path folder;

  private static void write(Path file, String classPath, Map<String, byte[]> entries) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (classPath != null) {
      manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
    }
    Files.createDirectories(file.getParent());
    try (OutputStream out = Files.newOutputStream(file); JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
  }

  private Path jar(String name, String classPath, String... natives) throws IOException {
    Map<String, byte[]> entries = new HashMap<>();
    for (String one : natives) {
      entries.put(NATIVES + one, one.getBytes(StandardCharsets.UTF_8));
    }
    write(folder.resolve(name), classPath, entries);
    return folder.resolve(name);
  }

  private Path unpacked(Map<String, String> environment, String... words) {
    return unpacked(null, environment, words);
  }

  private Path unpacked(Installation installation, Map<String, String> environment, String... words) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    all.put("XDG_DATA_HOME", folder.resolve("data").toString());
    MpiHome mpi = new MpiHome(folder, Flavour.ULFM);
    return NativeLibraries.unpacked(new JvmArguments(List.of(words), all), mpi, all, installation);
  }

  @Test
  void findsThemInEveryFormOfClassPath() throws IOException {
    jar("lib/some-bindings.jar", null, "libkintsugi.so", "kintsugi-rank");
    jar("lib/other.jar", null);
    String app = jar("app.jar", "missing.jar lib/other.jar lib/some-bindings.jar").toString();
    String fat = jar("fat.jar", null, "libkintsugi.so", "kintsugi-rank").toString();
    String lib = folder.resolve("lib").toString();
    String file = Files.writeString(folder.resolve("arguments"), "# ours\n-Xmx1g -cp \"" + app + "\"\n").toString();
    List<List<String>> lines = List.of(List.of("-jar", app), List.of("-cp", app, "Main"), List.of("-cp", fat, "Main"),
        List.of("-cp", "x:" + lib + "/*", "Main"), List.of("--class-path=" + fat, "Main"), List.of("@" + file, "Main"),
        List.of("-cp", "x", "--add-modules", "a", "-classpath", fat, "Main", "-cp", "y"), List.of("-p", lib, "-m", "a/b"));
    for (List<String> line : lines) {
      assertThat(unpacked(Map.of(), line.toArray(new String[0]))).as("%s", line).isNotNull();
    }
    assertThat(unpacked(Map.of("CLASSPATH", fat), "Main")).isDirectoryContaining("glob:**/kintsugi-rank");
    assertThat(unpacked(Map.of("JDK_JAVA_OPTIONS", "-cp '" + fat + "'"), "Main")).isNotNull();
    assertThat(unpacked(Map.of("CLASSPATH", fat), "-cp", "x", "Main")).isNull();
    assertThat(unpacked(Map.of(), "-cp", "x", "Main", "-cp", fat)).isNull();
    assertThat(unpacked(Map.of(), "-cp", fat, "Main", "@missing")).as("the program's own").isNotNull();
    assertThatThrownBy(() -> unpacked(Map.of(), "@missing", "Main")).hasMessageContaining("the argument file @missing");
    Files.createFile(folder.resolve("lib/libkintsugi.so"));
    assertThat(unpacked(Map.of(), "-Dkintsugi.library.path=" + lib, "Main")).hasToString(lib);
  }

  @Test
  void whoIsNamedWinsAndTheInstallationComesLast() throws IOException {
    Installation installation = new Installation(folder.resolve("installed"));
    final String bare = jar("bare.jar", null).toString();
    final String fat = jar("fat.jar", null, "libkintsugi.so").toString();
    assertThatThrownBy(() -> unpacked(installation, Map.of(), "-cp", bare, "Main")).isInstanceOf(LaunchException.class)
        .hasMessageContaining("-Dkintsugi.library.path (not set)").hasMessageContaining("KINTSUGI_LIBRARY_PATH (not set)")
        .hasMessageContaining("the class path (no " + NATIVES + "libkintsugi.so in it)")
        .hasMessageContaining("installed/lib/natives/ulfm (no libkintsugi.so in it)");
    Path own = Files.createDirectories(installation.natives(Flavour.ULFM));
    Files.createFile(own.resolve("libkintsugi.so"));
    assertThat(unpacked(installation, Map.of(), "-cp", bare, "Main")).isEqualTo(own);
    assertThat(unpacked(installation, Map.of(), "-cp", fat, "Main")).startsWith(folder.resolve("cache"));
    Path named = Files.createDirectories(folder.resolve("named"));
    Map<String, String> variable = Map.of("KINTSUGI_LIBRARY_PATH", named.toString());
    assertThatThrownBy(() -> unpacked(installation, variable, "-cp", fat, "Main"))
        .hasMessageContaining("KINTSUGI_LIBRARY_PATH=" + named + ": no libkintsugi.so in it");
    Files.createFile(named.resolve("libkintsugi.so"));
    assertThat(unpacked(installation, variable, "-cp", fat, "Main")).isEqualTo(named);
    for (String wrong : List.of(folder + ": no libkintsugi.so in it", folder + "/missing: no libkintsugi.so in it",
        "libs: not an absolute path")) {
      assertThatThrownBy(() -> unpacked(installation, variable, "-Dkintsugi.library.path=" + wrong.split(":")[0], "Main"))
          .hasMessageStartingWith("-Dkintsugi.library.path=" + wrong);
    }
    Files.createFile(folder.resolve("libkintsugi.so"));
    assertThat(unpacked(installation, variable, "-Dkintsugi.library.path=" + folder, "-cp", fat, "Main")).isEqualTo(folder);
  }

  private Path site(Path file, String name, String record) throws IOException {
    Path natives = Files.createDirectories(folder.resolve(name));
    Files.createFile(natives.resolve("libkintsugi.so"));
    if (record != null) {
      Files.writeString(natives.resolve("natives.properties"), record);
    }
    Files.createDirectories(file.getParent());
    Files.writeString(file, "ulfm=" + natives + "\n");
    return natives;
  }

  /**
   * The site's file precedes the class path; the user's own file comes first.
   *
   * <p>A file that is for another MPI or another Kintsugi does not count.
   */
  @Test
  void whatTheSiteHasCompiledIsTaken() throws IOException {
    Installation installation = new Installation(folder.resolve("installed"));
    final String fat = jar("fat.jar", null, "libkintsugi.so").toString();
    Path shared = site(folder.resolve("installed/lib/natives/site.properties"), "shared", null);
    assertThat(unpacked(installation, Map.of(), "-cp", fat, "Main")).isEqualTo(shared);
    Path own = site(folder.resolve("data/kintsugi/natives/site.properties"), "own", null);
    assertThat(unpacked(installation, Map.of(), "-cp", fat, "Main")).isEqualTo(own);
    Files.writeString(own.resolve("natives.properties"), "kintsugi=0.0.1\nflavour=ulfm\nmpi.version=5.0.1\n");
    assertThat(unpacked(installation, Map.of(), "-cp", fat, "Main")).isEqualTo(shared);
    Files.delete(shared.resolve("libkintsugi.so"));
    assertThat(unpacked(installation, Map.of(), "-cp", fat, "Main")).startsWith(folder.resolve("cache"));
    assertThatThrownBy(() -> unpacked(installation, Map.of(), "-cp", "x", "Main"))
        .hasMessageContaining(own + " (compiled from Kintsugi 0.0.1, and this is a checkout)")
        .hasMessageContaining(shared + " (no libkintsugi.so in it)").hasMessageContaining("kintsugi build --mpi " + folder);
  }

  /** Within a major version Open MPI only adds. */
  @Test
  void whatIsCompiledForAnotherMpiIsRefusedByName() throws IOException {
    Path named = site(folder.resolve("nobody/site.properties"), "named", "kintsugi=1\nflavour=ulfm\nmpi.version=5.1.3\n");
    Path header = Files.createDirectories(folder.resolve("include")).resolve("mpi.h");
    for (String fitting : List.of("5.1.0", "5.2.0")) {
      Files.writeString(header, header(fitting));
      assertThat(unpacked(null, Map.of("KINTSUGI_LIBRARY_PATH", named.toString()), "Main")).isEqualTo(named);
    }
    for (String other : List.of("5.0.9", "6.1.3")) {
      Files.writeString(header, header(other));
      assertThatThrownBy(() -> unpacked(null, Map.of("KINTSUGI_LIBRARY_PATH", named.toString()), "Main"))
          .hasMessageContaining("KINTSUGI_LIBRARY_PATH=" + named).hasMessageContaining("compiled against an Open MPI 5.1.3")
          .hasMessageContaining(folder + " is " + other);
    }
    Files.writeString(named.resolve("natives.properties"), "kintsugi=1\nflavour=reinit\nmpi.version=4.0.0\n");
    assertThatThrownBy(() -> unpacked(null, Map.of(), "-Dkintsugi.library.path=" + named, "Main"))
        .hasMessageContaining("(flavour reinit), and " + folder + " is of the flavour ulfm");
  }

  /** Natives in a jar carry their record with them. */
  @Test
  void whatTheClassPathHasForAnotherMpiIsPassedOver() throws IOException {
    Files.writeString(Files.createDirectories(folder.resolve("include")).resolve("mpi.h"), header("5.0.9"));
    Path jar = folder.resolve("natives.jar");
    write(jar, null, Map.of(NATIVES + "libkintsugi.so", new byte[1], NATIVES + "natives.properties",
        "kintsugi=1\nflavour=ulfm\nmpi.version=5.1.3\n".getBytes(StandardCharsets.UTF_8)));
    assertThatThrownBy(() -> unpacked(Map.of(), "-cp", jar.toString(), "Main")).isInstanceOf(LaunchException.class)
        .hasMessageContaining("the class path: " + jar).hasMessageContaining("compiled against an Open MPI 5.1.3")
        .hasMessageContaining(folder + " is 5.0.9").hasMessageContaining("make publish-local")
        .hasMessageContaining("MPI_HOME=" + folder);
    Path other = jar("other.jar", null, "libkintsugi.so");
    assertThat(unpacked(Map.of(), "-cp", jar + ":" + other, "Main")).isDirectoryContaining("glob:**/libkintsugi.so")
        .isDirectoryNotContaining("glob:**/natives.properties");
    Installation installation = new Installation(folder.resolve("installed"));
    Path own = Files.createDirectories(installation.natives(Flavour.ULFM));
    Files.createFile(own.resolve("libkintsugi.so"));
    assertThat(unpacked(installation, Map.of(), "-cp", jar.toString(), "Main")).isEqualTo(own);
  }

  /** A project may set versions itself, and change one of them. */
  @Test
  void nativesOfAnotherKintsugiThanTheJavaBesideThemAreRefused() throws IOException {
    Path natives = folder.resolve("natives.jar");
    write(natives, null, Map.of(NATIVES + "libkintsugi.so", new byte[1], NATIVES + "natives.properties",
        "kintsugi=0.0.1\nflavour=ulfm\nmpi.version=5.0.7\n".getBytes(StandardCharsets.UTF_8)));
    Path api = folder.resolve("kintsugi.jar");
    writeApi(api, "0.0.1", Map.of());
    assertThat(unpacked(Map.of(), "-cp", natives + ":" + api, "Main")).isDirectoryContaining("glob:**/natives.properties");
    // Everything in one jar, with a version of its own in the manifest.
    Path fat = folder.resolve("fat.jar");
    writeApi(fat, "0.0.1", Map.of(NATIVES + "libkintsugi.so", new byte[1], NATIVES + "natives.properties",
        "kintsugi=0.0.1\nflavour=ulfm\nmpi.version=5.0.7\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(unpacked(Map.of(), "-cp", fat.toString(), "Main")).isDirectoryContaining("glob:**/natives.properties");
    writeApi(api, "0.0.2", Map.of());
    assertThatThrownBy(() -> unpacked(Map.of(), "-cp", natives + ":" + api, "Main")).isInstanceOf(LaunchException.class)
        .hasMessageContaining(natives + ": these native libraries are of Kintsugi 0.0.1, and the class path has Kintsugi 0.0.2")
        .hasMessageContaining("kintsugi-bom");
  }

  /** As Maven makes it, in a jar whose manifest has another version. */
  private static void writeApi(Path file, String version, Map<String, byte[]> more) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "9");
    Map<String, byte[]> entries = new HashMap<>(more);
    entries.put("org/kintsugi/mpi/Mpi.class", new byte[0]);
    entries.put("META-INF/maven/org.kintsugi/kintsugi/pom.properties", ("version=" + version).getBytes(StandardCharsets.UTF_8));
    try (OutputStream out = Files.newOutputStream(file); JarOutputStream jar = new JarOutputStream(out, manifest)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        jar.putNextEntry(new JarEntry(entry.getKey()));
        jar.write(entry.getValue());
      }
    }
  }

  private static String header(String version) {
    String[] parts = version.split("\\.");
    return "#define OMPI_MAJOR_VERSION " + parts[0] + "\n#define OMPI_MINOR_VERSION " + parts[1]
        + "\n#define OMPI_RELEASE_VERSION " + parts[2] + "\n";
  }

  @Test
  void anotherJarOfTheSameSizeAndTimeHasItsOwn() throws IOException {
    Path jar = jar("a.jar", null, "libkintsugi.so", "liba.so");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
    final Path first = unpacked(Map.of(), "-cp", jar.toString(), "Main");
    Path other = jar("b.jar", null, "libkintsugi.so", "libb.so");
    Files.setLastModifiedTime(other, FileTime.fromMillis(0));
    assertThat(Files.size(jar)).isEqualTo(Files.size(other));
    assertThat(unpacked(Map.of(), "-cp", other.toString(), "Main")).isNotEqualTo(first).isDirectoryContaining("glob:**/libb.so");
    assertThat(unpacked(Map.of(), "-cp", jar.toString(), "Main")).isEqualTo(first).isDirectoryContaining("glob:**/liba.so");
  }

  /** Otherwise the natives of each build of Kintsugi would stay. */
  @Test
  void thoseThatNoJobHasUsedForLongAreRemovedWithTheNext() throws IOException {
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(61)));
    String first = jar("a.jar", null, "libkintsugi.so", "liba.so").toString();
    String second = jar("b.jar", null, "libkintsugi.so", "libb.so").toString();
    final Path used = unpacked(Map.of(), "-cp", first, "Main");
    final Path unused = unpacked(Map.of(), "-cp", second, "Main");
    Files.setLastModifiedTime(used, longAgo);
    Files.setLastModifiedTime(unused, longAgo);
    assertThat(unpacked(Map.of(), "-cp", first, "Main")).isEqualTo(used);
    unpacked(Map.of(), "-cp", jar("c.jar", null, "libkintsugi.so", "libc.so").toString(), "Main");
    assertThat(used).exists();
    assertThat(unused).doesNotExist();
  }

  @Test
  void nothingHalfUnpackedIsLeft() throws IOException {
    byte[] noise = new byte[100000];
    new Random(1).nextBytes(noise);
    Path jar = folder.resolve("broken.jar");
    write(jar, null, Map.of(NATIVES + "libkintsugi.so", noise));
    byte[] bytes = Files.readAllBytes(jar);
    Arrays.fill(bytes, 1000, 90000, (byte) 0xff);
    Files.write(jar, bytes);
    assertThatThrownBy(() -> unpacked(Map.of(), "-cp", jar.toString(), "Main")).isInstanceOf(LaunchException.class)
        .hasMessageContaining("cannot unpack").hasMessageContaining("broken.jar");
    assertThat(folder.resolve("cache/kintsugi")).isEmptyDirectory();
  }

  @Test
  void aCollectorIsNamedWhereverTheJvmLooks() throws IOException {
    Path file = Files.writeString(folder.resolve("arguments"), "-Xmx1g\n-XX:+UseG1GC\n");
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      assertThat(new JvmArguments(List.of("Main"), Map.of(name, "-Dx='a b' -XX:+UseParallelGC")).nameCollector()).as(name)
          .isTrue();
    }
    assertThat(new JvmArguments(List.of("@" + file, "Main"), Map.of()).nameCollector()).isTrue();
    assertThat(new JvmArguments(List.of("-cp", "x", "-XX:+UseZGC", "Main"), Map.of()).nameCollector()).isTrue();
    assertThat(new JvmArguments(List.of("-cp", "x", "Main", "-XX:+UseZGC"), Map.of()).nameCollector()).isFalse();
    for (String option : List.of("-Xint", "-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=10",
        "-XX:-TieredCompilation")) {
      assertThat(new JvmArguments(List.of(option, "Main"), Map.of()).nameCompilers()).as(option).isTrue();
    }
    assertThat(new JvmArguments(List.of("-XX:+UseZGC", "-Xmx1g", "Main", "-Xint"), Map.of()).nameCompilers()).isFalse();
  }
}
