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
import org.kintsugi.ci.checkout.Checkout;

/** The pages of messages have what is printed, word by word; that with all of them in the order of the alphabet. */
class MessagesPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]*)` \\|");

  /** Messages of other programs. */
  private static final List<String> NOT_OURS =
      List.of("MPI_ERR_TRUNCATE", "message truncated", "COULD NOT GET BOUND CPU FOR RESOURCE RELEASE");

  /** The parts that differ from job to job in the examples on the page about hangs, and short words between them. */
  private static final Pattern VARIABLE = Pattern.compile(String.join("|", "\\bMain\\.java:\\d+ \\w+\\(\\)", "Thread\\[[^]]*]",
      "mpi\\.world\\(\\)", "the run's world", "MPI_\\w+", "\\b(?:Comm|Checkpoint|Reinit|Mpi|TimeUnit|FutureTask)\\.\\w+",
      "\\b(?:Int|Float|FUNNELED|node3)\\b", "--spares", "-cp", "process:1@20", "[\\d,-]*\\d", "\\.{3}", "[()]",
      "\\b(?:for|in|its?|MPI|s|only|named|was|where|of the|completed|epoch|kintsugi: leak|has|have|is|are|waits?|do|does|begins?|"
          + "recovers?|computes?|works?|ranks?)\\b"));
  private static final int LEAST_LETTERS = 3;

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
      try (Stream<Path> files = Files.walk(Checkout.FOLDER.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(file -> file.toString().endsWith(".java")).toList()) {
          text.append(Files.readString(file));
        }
      }
    }
    return text.append(Files.readString(Checkout.FOLDER.resolve("bin/jmpirun"))).toString().replaceAll("\"\\s*\\+\\s*\"", "");
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
  void whatIsSaidOfHangsIsPrintedAsThePageHasIt() throws IOException {
    String sources = sources();
    List<String> unknown = new ArrayList<>();
    int known = 0;
    Matcher row = Pattern.compile("(?m)^\\| (`.*?`) \\|").matcher(Files.readString(Manual.DOCS.resolve("my-program-hangs.md")));
    while (row.find()) {
      for (String part : VARIABLE.split(row.group(1).replace("`", "..."))) {
        String words = part.replaceAll("^[\\s,;:.]+|[\\s,;:.]+$", "");
        if (words.length() >= LEAST_LETTERS && !NOT_OURS.contains(words)) {
          known++;
          if (!sources.contains(words)) {
            unknown.add(words + " (" + row.group(1) + ")");
          }
        }
      }
    }
    assertThat(unknown).as("what no source has").isEmpty();
    assertThat(known).isGreaterThan(100);
  }

  @Test
  void messagesAreSorted() throws IOException {
    assertThat(messages())
        .isSortedAccordingTo(Comparator.comparing(message -> message.toLowerCase(Locale.ROOT).replaceFirst("^[… -]+", "")));
  }
}
