// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders and jars on a class path give the same answers. */
class ClassPathEntryTest {
  private static final String FILE = "a/Main.class";

  @TempDir
  private Path folder;

  @Test
  void aFolderAndAJarOfItGiveTheSameAnswers() throws IOException {
    Path classes = folder.resolve("classes");
    Files.createDirectories(classes.resolve("a"));
    Files.writeString(classes.resolve(FILE), "0123456789");
    Path jar = folder.resolve("app.jar");
    try (ZipOutputStream files = new ZipOutputStream(Files.newOutputStream(jar))) {
      files.putNextEntry(new ZipEntry(FILE));
      files.write("0123456789".getBytes(StandardCharsets.UTF_8));
    }
    for (Path path : List.of(classes, jar)) {
      ClassPathEntry entry = new ClassPathEntry(path);
      assertThat(entry.has(FILE)).as("%s", path).isTrue();
      assertThat(entry.which(List.of("b/Main.class", FILE))).as("%s", path).containsExactly(FILE);
      assertThat(entry.read(FILE, 4)).as("%s", path).isEqualTo("0123".getBytes(StandardCharsets.UTF_8));
      assertThat(entry.read("b/Main.class", 4)).as("%s", path).isNull();
      assertThat(entry.find(name -> name.endsWith("/Main.class"))).as("%s", path).isEqualTo(FILE);
      assertThat(entry.find(name -> name.endsWith("/Other.class"))).as("%s", path).isNull();
    }
  }

  @Test
  void aFileThatIsNoJarHasNoContent() throws IOException {
    ClassPathEntry entry = new ClassPathEntry(Files.writeString(folder.resolve("half.jar"), "PK"));
    assertThat(entry.has(FILE)).isFalse();
    assertThat(entry.read(FILE, 4)).isNull();
    assertThat(entry.find(name -> true)).isNull();
    assertThat(entry.hasForNewerJavas(FILE)).isFalse();
  }
}
