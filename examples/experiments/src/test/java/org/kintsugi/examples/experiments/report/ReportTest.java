// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Report.Labels NAMES =
      new Report.Labels(name -> name, name -> name, name -> name, name -> "<does> & " + name);

  private final Map<String, JsonNode> runs = new LinkedHashMap<>();

  @TempDir
  private Path folder;

  private ObjectNode run(String design, int faults, int repetition, double recovery, double residual) {
    ObjectNode run = new ObjectMapper().createObjectNode();
    run.put("key", design + faults + repetition).put("application", "hpccg").put("input", "tiny").put("ranks", 4)
        .put("design", design).put("engine", "file").put("faults", faults).put("repetition", repetition).put("outcome", "ended");
    run.putObject("figures").put("residual", residual);
    run.putObject("seconds").put("application", 10.0).put("checkpoints", 1.0).put("recovery", recovery);
    runs.put(run.path("key").asText(), run);
    return run;
  }

  private Report report() {
    return report("match", "ranks");
  }

  private Report report(String claims, String over) {
    return new Report("A title", "a paper", claims, over, NAMES, List.of("an <old> reason"), runs.values());
  }

  private String page() throws IOException {
    report().write(folder.resolve("r.html"), folder.resolve("r.csv"));
    return Files.readString(folder.resolve("r.html"));
  }

  @Test
  void theFiguresAreValidAndNothingIsOutside() throws Exception {
    for (int repetition = 1; repetition <= 3; repetition++) {
      run("restart", 0, repetition, 0, 1.5);
      run("restart", 1, repetition, 3 + repetition, 1.5);
      run("ulfm-spares", 1, repetition, 0.01, 1.5);
    }
    String page = page();
    Matcher figures = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(page);
    int count = 0;
    while (figures.find()) {
      DocumentBuilderFactory.newInstance().newDocumentBuilder()
          .parse(new ByteArrayInputStream(figures.group().getBytes(StandardCharsets.UTF_8)));
      count++;
    }
    assertThat(count).as("with and without a failure, and recoveries").isEqualTo(3);
    assertThat(page.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http").doesNotContain("NaN");
    assertThat(report().isAllRight()).isTrue();
    assertThat(Files.readAllLines(folder.resolve("r.csv"))).hasSize(1 + runs.size());
  }

  /** In the Reinit++ paper's table 2 each design has checkpoints of its own. */
  @Test
  void designsWithEnginesOfTheirOwnAreCompared() throws IOException {
    for (int repetition = 1; repetition <= 4; repetition++) {
      run("restart", 1, repetition, 3, 1.5);
      run("reinit-cold", 1, repetition, 1, 1.5).put("engine", "memory");
    }
    report("reinit", "ranks").write(folder.resolve("r.html"), folder.resolve("r.csv"));
    assertThat(Files.readString(folder.resolve("r.html"))).containsPattern(
        "CR recovers slower than Reinit\\+\\+ from a process failure[^<]*</td><td[^>]*>seen here");
  }

  @Test
  void aManualGetsTheClaimsAndTheFiguresAsFiles() throws IOException {
    for (int repetition = 1; repetition <= 3; repetition++) {
      run("restart", 1, repetition, 3 + repetition, 1.5).put("started", "2026-11-29T10:11:12Z").putObject("circumstances")
          .put("host", "a-host").put("processors", 2);
      run("reinit-cold", 1, repetition, 0.5, 1.5);
    }
    report().page().writeMarkdown(folder, "mine");
    assertThat(folder.resolve("mine.md")).content().startsWith("# A title\n\nRepeats: a paper. 6 runs: 6 right")
        .contains("| MATCH: restarting is slower than Reinit++ (there: 16 times on average, at most 22 times) | seen here | ")
        .contains("](mine-1.svg)").contains("](mine-2.svg)").contains("a-host, 2 processors").contains("On 2026-11-29.")
        .contains("[All runs](mine.csv)").contains("- an <old> reason").doesNotContain("<td>").doesNotContain("All figures");
    assertThat(folder.resolve("mine-1.svg")).content().startsWith("<svg");
    assertThat(folder.resolve("mine-2.svg")).content().contains("recovery");
    assertThat(folder.resolve("mine-3.svg")).doesNotExist();
  }

  @Test
  void factorsAreOfMedians() throws IOException {
    double[] restarts = {2, 3, 90};
    for (int repetition = 1; repetition <= 3; repetition++) {
      run("restart", 1, repetition, restarts[repetition - 1], 1.5);
      run("ulfm-spares", 1, repetition, 0.01, 1.5);
    }
    report("factors", "ranks").write(folder.resolve("r.html"), folder.resolve("r.csv"));
    assertThat(folder.resolve("r.html")).content()
        .contains("a restart takes 100 times the time of a recovery with warm spares</td><td>seen here")
        .contains("3.00 s and 0.0100 s; 300 times as long");
  }

  @Test
  void failuresMayBeTheAxis() throws IOException {
    for (int repetition = 1; repetition <= 3; repetition++) {
      run("ulfm-spares", 0, repetition, 0, 1.5).putObject("waiting").put("processes", 1).put("mebibytes", 33.5)
          .put("wakeUpsPerSecond", 7.25);
      run("ulfm-spares", 1, repetition, 0.01, 1.5);
      run("ulfm-spares", 3, repetition, 0.03, 1.5);
    }
    report("failures", "faults").write(folder.resolve("r.html"), folder.resolve("r.csv"));
    assertThat(folder.resolve("r.html")).content().contains("the time of a single one (ulfm-spares)</td><td>seen here")
        .contains("The price of being ready").contains("33.5").contains("7.25").contains("the energy cannot be read here");
  }

  @Test
  void aQuickDesignWithAnotherAnswerIsAFailure() throws IOException {
    run("restart", 0, 1, 0, 1.5);
    run("restart", 1, 1, 3, 1.5);
    run("ulfm-spares", 1, 1, 0.01, Math.nextUp(1.5));
    assertThat(report().isAllRight()).isFalse();
    assertThat(report().summary()).contains("2 right, 1 with another answer");
    assertThat(page()).contains("Runs that failed").contains("another answer than the other designs");
  }

  @Test
  void aRunThatHungIsAResult() throws IOException {
    run("restart", 0, 1, 0, 1.5);
    run("ulfm-spawn", 1, 1, 0, 0).put("outcome", "hung").put("why", "it did not end in 60 s").put("output", "<its output>");
    run("reinit-cold", 1, 1, 0, 0).put("outcome", "unavailable").put("why", "no Open MPI of the flavour reinit");
    assertThat(report().isAllRight()).isFalse();
    assertThat(page()).contains("it did not end in 60 s").contains("an &lt;old&gt; reason").contains("&lt;its output&gt;")
        .contains("Not possible on this machine")
        .contains("no Open MPI of the flavour reinit (1 runs)");
  }

  @Test
  void fewPairsAreNoVerdict() throws IOException {
    run("restart", 1, 1, 3, 1.5);
    run("ulfm-spawn", 1, 1, 0.01, 1.5);
    assertThat(page()).doesNotContain(">seen here<").contains("pairs of right runs: 1; 3 are needed");
  }

  @Test
  void anIntervalIsOfTheMean() {
    Interval interval = Interval.of(1, 2, 3, 4, 5);
    assertThat(interval.mean()).isEqualTo(3);
    assertThat(interval.low()).isBetween(0.5, 1.6); // Student: 1.04
    assertThat(interval.high()).isBetween(4.4, 5.5);
    assertThat(Interval.of(1, 2).high()).as("two values say little").isGreaterThan(4);
    assertThat(Interval.ofRatios(0.5, 2, 0.5, 2).mean()).isEqualTo(1);
    assertThat(Interval.of(7)).isEqualTo(new Interval(7, 7, 7, 1));
    assertThat(Interval.of().isNothing()).isTrue();
    assertThat(List.of(Interval.of(1, 2))).isEqualTo(List.of(Interval.of(1, 2)));
  }
}
