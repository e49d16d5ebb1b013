// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A rank of a proxy application that prints the whole result by parts. The application itself writes most of it to a file, at
 * which a proof does not look.
 */
public final class ProvedRank {
  /** Parts that are others in every job. */
  private static final Set<String> TIMES = Set.of("iterationSeconds", "iterationBytes", "saveSeconds", "takeovers", "resumptions",
      "times", "recoveries", "checkpoints", "spares");

  private ProvedRank() {}

  /** Arguments: a folder for results, the application, and its own. */
  public static void main(String[] args) {
    Path json = Path.of(args[0], "result-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
    List<String> line = new ArrayList<>(Arrays.asList(args).subList(2, args.length));
    line.addAll(List.of("--json", json.toString()));
    // The application ends the JVM.
    Runtime.getRuntime().addShutdownHook(new Thread(() -> print(json)));
    ProvedApp.valueOf(args[1].toUpperCase(Locale.ROOT)).main().accept(line.toArray(new String[0]));
  }

  /** A line for each figure: a proof does not compare a line in which a time differs. */
  private static void print(String name, JsonNode value) {
    if (value.isObject()) {
      value.fields().forEachRemaining(part -> print(name + "." + part.getKey(), part.getValue()));
    } else {
      System.out.println(name + ": " + value);
    }
  }

  private static void print(Path json) {
    if (!Files.exists(json)) {
      return; // another rank has the result
    }
    try {
      new ObjectMapper().readTree(json.toFile()).fields().forEachRemaining(part -> {
        if (!TIMES.contains(part.getKey())) {
          print(part.getKey(), part.getValue());
        }
      });
      Files.delete(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
