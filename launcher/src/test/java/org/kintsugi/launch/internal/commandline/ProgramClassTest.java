// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages about programs that no rank would find. */
class ProgramClassTest {
  private static final int FEATURE = 17;
  private static final Path JAVA = Path.of("/jdk/bin/java");

  @TempDir
  private Path folder;

  private static String objection(String... words) {
    return new ProgramClass(new JvmArguments(List.of(words), Map.of())).objection(FEATURE, JAVA);
  }

  private String jar(String name, String mainClass) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    if (mainClass != null) {
      manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
    }
    Path file = folder.resolve(name);
    try (OutputStream bytes = Files.newOutputStream(file)) {
      new JarOutputStream(bytes, manifest).close();
    }
    return file.toString();
  }

  @Test
  void theClassComesLast() {
    assertThat(objection("-cp", "classes"))
        .isEqualTo("no program after -cp: the class comes last, as in -cp CLASSPATH Main");
  }

  @Test
  void aJarIsAFileWithAClassToStart() throws IOException {
    assertThat(objection("-jar", folder + "/missing.jar")).startsWith("-jar " + folder + "/missing.jar: no such file");
    assertThat(objection("-jar", folder.toString())).startsWith("-jar " + folder + ": a folder, and no jar");
    Path half = Files.writeString(folder.resolve("half.jar"), "PK");
    assertThat(objection("-jar", half.toString())).startsWith("-jar " + half + ": no jar file, or only a part of one (");
    String silent = jar("silent.jar", null);
    assertThat(objection("-jar", silent)).startsWith("-jar " + silent + ": its manifest names no Main-Class");
    assertThat(objection("-jar", jar("main.jar", "Main"))).isNull();
  }

  @Test
  void aClassIsOnThePathAndForThisJava() throws IOException {
    assertThat(objection("-cp", folder.toString(), "Main"))
        .startsWith("class Main is not on the class path: looked at " + folder);
    byte[] start = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0, 99};
    Files.write(folder.resolve("Main.class"), start);
    assertThat(objection("-cp", folder.toString(), "Main"))
        .isEqualTo("class Main was compiled for Java 55, and the ranks' " + JAVA + " is of Java " + FEATURE
            + ": compile it with --release " + FEATURE + ", or set JAVA_HOME to the folder of a newer Java");
    start[7] = 61;
    Files.write(folder.resolve("Main.class"), start);
    assertThat(objection("-cp", folder.toString(), "Main")).isNull();
    assertThat(objection("-cp", "app.jar:", "Main")).as("an empty entry is the folder that the JVM starts in")
        .startsWith("class Main is not on the class path: looked at ").contains(Path.of("").toAbsolutePath().toString());
  }

  @Test
  void aModuleInOneWordIsAProgram() {
    for (String[] words : new String[][] {{"-p", "mods", "--module=app/app.Main", "arg"}, {"--module=app/app.Main", "--mca", "5"},
        {"-m", "app/app.Main"}}) {
      assertThat(objection(words)).as(String.join(" ", words)).isNull();
      JvmArguments arguments = new JvmArguments(List.of(words), Map.of());
      assertThat(arguments.namesProgram()).isTrue();
      assertThat(arguments.mainClass()).isNull();
      assertThat(arguments.takesClassPath()).isFalse();
    }
    assertThat(new JvmArguments(List.of("--module=app/app.Main", "--mca", "5"), Map.of()).programWords()).isEqualTo(2);
    assertThat(new JvmArguments(List.of("-cp", "x", "Main", "a", "b", "c"), Map.of()).programWords()).isEqualTo(3);
    assertThat(new JvmArguments(List.of("-jar", "x.jar", "a"), Map.of()).programWords()).isEqualTo(1);
  }
}
