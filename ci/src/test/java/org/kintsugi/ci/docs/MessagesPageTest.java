// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of messages has what is printed, word by word, and in the order of the alphabet. */
class MessagesPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]*)` \\|");

  /** Messages of other programs. */
  private static final List<String> NOT_OURS = List.of("MPI_ERR_TRUNCATE");

  private static List<String> messages() throws IOException {
    List<String> all = new ArrayList<>();
    Matcher row = ROW.matcher(Files.readString(Manual.DOCS.resolve("messages.md")));
    while (row.find()) {
      all.add(row.group(1));
    }
    return all;
  }

  /** The text of all sources, strings that are put together from several lines as one. */
  private static String sources() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String module : List.of("runtime", "java-api", "launcher")) {
      try (Stream<Path> files = Files.walk(Manual.CHECKOUT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
          text.append(Files.readString(file));
        }
      }
    }
    return text.append(Files.readString(Manual.CHECKOUT.resolve("bin/jmpirun"))).toString().replaceAll("\"\\s*\\+\\s*\"", "");
  }

  @Test
  void messagesArePrintedAsThePageHasThem() throws IOException {
    String sources = sources();
    List<String> unknown = new ArrayList<>();
    for (String message : messages()) {
      for (String part : message.split("…")) {
        String words = part.replaceAll("^[ ,;:]+|[ ,;:]+$", "");
        if (!sources.contains(words) && !NOT_OURS.contains(words)) {
          unknown.add(words + " (" + message + ")");
        }
      }
    }
    assertThat(unknown).as("what no source has").isEmpty();
    assertThat(messages()).hasSizeGreaterThan(50);
  }

  @Test
  void messagesAreSorted() throws IOException {
    assertThat(messages())
        .isSortedAccordingTo(Comparator.comparing(message -> message.toLowerCase(Locale.ROOT).replaceFirst("^[… -]+", "")));
  }
}
