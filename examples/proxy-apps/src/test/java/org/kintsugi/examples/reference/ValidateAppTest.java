// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command, as {@code make validate-app} calls it. */
class ValidateAppTest {
  private static final int LIMIT_SECONDS = 60;

  @TempDir
  private Path folder;

  /** The exit code, and what was printed. */
  private String validate(String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), ValidateApp.class.getName()));
    line.addAll(List.of(words));
    Process process = new ProcessBuilder(line).directory(folder.toFile()).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
      return process.exitValue() + " " + said;
    } finally {
      process.destroyForcibly();
    }
  }

  private ObjectNode result() throws IOException {
    ReferenceCase reference = ReferenceCase.all("amg").get(0);
    ObjectNode result = new ObjectMapper().createObjectNode().put("app", "amg").put("ranks", reference.ranks());
    result.set("params", reference.params());
    result.set("figures", reference.figures().deepCopy());
    return result;
  }

  private void write(String name, ObjectNode result) throws IOException {
    Files.writeString(folder.resolve(name), result.toString());
  }

  @Test
  void saysOfEachFileWhetherItAgrees() throws IOException, InterruptedException {
    write("right.json", result());
    ObjectNode wrong = result();
    ((ObjectNode) wrong.get("figures")).remove("grid_complexity");
    write("wrong.json", wrong);
    write("other.json", result().put("ranks", 77));
    Files.writeString(folder.resolve("torn.json"), "{");
    assertThat(validate("amg", "right.json")).startsWith("0 right.json: agrees with the original, amg ").hasLineCount(1);
    assertThat(validate("amg", "right.json", "wrong.json", "other.json", "missing.json", "torn.json"))
        .startsWith("1 right.json: agrees")
        .contains("wrong.json: differs from the original, amg ", "\n  grid_complexity is not there")
        .contains("other.json: there are no figures for ", " on 77 ranks; there are for: ").contains("missing.json: ")
        .contains("torn.json: ");
    assertThat(validate("hpccg", "right.json")).startsWith("1 right.json: this is a result of app \"amg\", not of hpccg");
    assertThat(validate("amg")).startsWith("2 expected the name of an application and result files");
    assertThat(validate("amgg", "right.json")).startsWith("1 ");
  }
}
