// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

class ReportOptionsTest {
  @TempDir
  private Path folder;

  @Command
  private static final class Program {
    @Mixin
    private RunOptions options;

    @Mixin
    private PictureOption picture;
  }

  private static void check(String... args) {
    Program program = new Program();
    new CommandLine(program).parseArgs(args);
    program.options.check();
    program.picture.check(program.options);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/proc/x.json", "/dev/null", "", "..", "/nowhere/at/all.json"})
  void refusesWhereNoResultCanBe(String json) {
    assertThatThrownBy(() -> check("--json", json)).isInstanceOf(ParameterException.class)
        .hasMessageContaining("--json " + json + ": ");
  }

  @Test
  void refusesFoldersAndNamesThatAreTooLong() throws IOException {
    assertThatThrownBy(() -> check("--json", folder.toString())).hasMessageContaining("this is a folder");
    Files.createDirectory(folder.resolve("a.json.tmp"));
    assertThatThrownBy(() -> check("--json", folder.resolve("a.json").toString())).hasMessageContaining("temporary name");
    assertThatThrownBy(() -> check("--json", folder.resolve("a".repeat(253)).toString())).hasMessageContaining("name is refused");
  }

  @Test
  void refusesOneNameForTwoResults() {
    String picture = folder.resolve("a.svg").toString();
    for (String json : new String[] {picture, folder + "/./a.svg", picture + ".tmp"}) {
      assertThatThrownBy(() -> check("--json", json, "--picture", picture)).isInstanceOf(ParameterException.class)
          .hasMessageContaining("two names");
    }
  }

  @Test
  void leavesNoFiles() throws IOException {
    Path old = Files.writeString(folder.resolve("old.json"), "old");
    assertThatCode(() -> check("--json", old.toString(), "--picture", folder.resolve("a.svg").toString()))
        .doesNotThrowAnyException();
    assertThatCode(() -> check("--json", "here.json")).doesNotThrowAnyException();
    assertThat(folder).isDirectoryContaining(old::equals);
    assertThat(folder.toFile().list()).hasSize(1);
    assertThat(old).hasContent("old");
    OutputFile.write(old, "new");
    assertThat(old).hasContent("new");
    Path taken = Files.createDirectory(folder.resolve("taken"));
    assertThatThrownBy(() -> OutputFile.write(taken, "new")).isInstanceOf(IOException.class);
    assertThat(folder.toFile().list()).hasSize(2);
  }
}
