// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Where and with what an experiment runs, as far as it is needed to repeat it. */
final class Circumstances {
  private static final int LIMIT_SECONDS = 20;

  private Circumstances() {}

  /** @param kintsugi the command, which says what is installed */
  static ObjectNode here(Path kintsugi) throws IOException, InterruptedException {
    ObjectNode here = Json.MAPPER.createObjectNode();
    here.put("host", hostName()).put("processors", Runtime.getRuntime().availableProcessors())
        .put("memoryMiB", memoryMiB()).put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
        .put("java", Runtime.version().toString()).put("installed", printed(kintsugi.toString(), "info"))
        .put("commit", commit(kintsugi));
    return here;
  }

  private static long memoryMiB() throws IOException {
    return Files.readString(Path.of("/proc/meminfo")).lines().filter(line -> line.startsWith("MemTotal"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024).findFirst().orElse(0);
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException noEntry) {
      return "a host without an address";
    }
  }

  private static String commit(Path kintsugi) throws IOException, InterruptedException {
    Path home = kintsugi.toAbsolutePath().getParent().getParent();
    return Files.exists(home.resolve(".git")) ? printed("git", "-C", home.toString(), "describe", "--always", "--dirty") : "";
  }

  /** What a command prints; empty if it is missing, fails, or does not end in time. */
  private static String printed(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("kintsugi-experiment-", "");
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return "";
      }
      return process.exitValue() == 0 ? Files.readString(output).strip() : "";
    } catch (IOException missing) {
      return "";
    } finally {
      Files.delete(output);
    }
  }
}
