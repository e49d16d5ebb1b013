// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.reference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A run of an original application and its figures.
 *
 * @param app its name, in small letters
 * @param command how it was started: the program, then its arguments
 * @param ranks on how many ranks
 * @param params the arguments by name
 * @param figures what came out
 */
public record ReferenceCase(String app, String command, int ranks, JsonNode params, JsonNode figures) {
  /**
   * All cases of an application.
   *
   * @throws FileNotFoundException if there are none for it
   */
  public static List<ReferenceCase> all(String app) throws IOException {
    try (InputStream file = ReferenceCase.class.getResourceAsStream(app + ".json")) {
      if (file == null) {
        throw new FileNotFoundException("there are no reference figures for app " + app);
      }
      List<ReferenceCase> cases = new ArrayList<>();
      new ObjectMapper().readTree(file).forEach(one -> cases.add(new ReferenceCase(app, one.get("command").asText(),
          one.get("ranks").asInt(), one.get("params"), one.get("figures"))));
      return cases;
    }
  }

  /**
   * The case that a result is of.
   *
   * @param result what the application wrote
   * @throws IllegalArgumentException if there is none with these params on this number of ranks
   */
  public static ReferenceCase of(String app, JsonNode result) throws IOException {
    if (!app.equals(result.path("app").asText())) {
      throw new IllegalArgumentException("this is a result of app " + result.path("app") + ", not of " + app);
    }
    List<ReferenceCase> cases = all(app);
    return cases.stream()
        .filter(one -> one.ranks == result.get("ranks").asInt() && sameParams(one.params, result.path("params")))
        .findFirst().orElseThrow(() -> new IllegalArgumentException("there are no figures for " + result.path("params") + " on "
            + result.get("ranks") + " ranks; there are for: " + cases));
  }

  private static boolean sameParams(JsonNode expected, JsonNode actual) {
    return new Rules().differences(actual, expected).isEmpty();
  }

  /** The program's arguments. */
  public String[] arguments() {
    String[] words = command.split(" ");
    return Arrays.copyOfRange(words, 1, words.length);
  }

  /** As the application's {@code tolerance_note} has it. @return what differs, in words; empty: nothing */
  public List<String> differences(JsonNode result) {
    return differences(result, false);
  }

  /**
   * Compares a result with the figures.
   *
   * @param result what the application wrote
   * @param everyDigit whether sums over ranks were made by recursive doubling, as the original's: then every digit counts where
   *     they alone decide the last ones
   * @return what differs, in words; empty: nothing
   */
  public List<String> differences(JsonNode result, boolean everyDigit) {
    return Tolerances.of(app, ranks, figures, everyDigit).differences(result.path("figures"), figures);
  }

  @Override
  public String toString() {
    return command + " on " + ranks + " ranks";
  }
}
