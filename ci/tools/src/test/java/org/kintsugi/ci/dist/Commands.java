// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Commands as the user of an installation types them: without variables of the test's own environment that Java would read. */
final class Commands {
  private Commands() {}

  /** Runs a command. The first word of the result is the exit code, then its output follows. */
  static String run(Path folder, long seconds, Map<String, String> variables, List<String> line)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(folder, "output", "");
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile())
        .redirectInput(new File("/dev/null")).directory(folder.toFile());
    builder.environment().keySet().removeAll(List.of("CLASSPATH", "JDK_JAVA_OPTIONS", "LD_LIBRARY_PATH"));
    builder.environment().put("XDG_DATA_HOME", folder.resolve("data").toString()); // nor natives of this user's
    builder.environment().putAll(variables);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    try {
      assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).as("%s ends", line).isTrue();
      return process.exitValue() + " " + Files.readString(output);
    } finally {
      process.destroyForcibly();
    }
  }
}
