// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.reference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Takes an application's name and result files, and says of each what differs from the original; code 0 only if nothing does. */
public final class ValidateApp {
  private ValidateApp() {}

  /** Arguments: the application, result files. */
  public static void main(String[] args) throws IOException {
    if (args.length < 2) {
      System.err.println("expected the name of an application and result files: make validate-app APP=lulesh FILE=result.json");
      System.exit(2);
    }
    boolean good = true;
    for (String file : List.of(args).subList(1, args.length)) {
      String verdict;
      try {
        JsonNode result = new ObjectMapper().readTree(Path.of(file).toFile());
        ReferenceCase reference = ReferenceCase.of(args[0], result);
        List<String> differences = reference.differences(result);
        good &= differences.isEmpty();
        verdict = differences.isEmpty() ? "agrees with the original, " + reference
            : "differs from the original, " + reference + ":\n  " + String.join("\n  ", differences);
      } catch (IOException | IllegalArgumentException e) {
        good = false;
        verdict = e.getMessage();
      }
      System.out.println(file + ": " + verdict);
    }
    System.exit(good ? 0 : 1);
  }
}
