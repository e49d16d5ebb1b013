// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

/** The reports on revocations and on persistent communicators. */
class OtherReportsTest {
  private static final List<String> STEPS =
      List.of("before", "revoked", "1st after", "2nd after", "3rd after", "4th after", "5th after");

  private final List<JsonNode> lines = new ArrayList<>();

  private ObjectNode line(int repetition) {
    ObjectNode line = new ObjectMapper().createObjectNode();
    line.put("key", "run " + lines.size()).put("repetition", repetition).put("outcome", "ended");
    lines.add(line);
    return line;
  }

  private static int figures(String page) throws Exception {
    Matcher figures = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(page);
    int count = 0;
    while (figures.find()) {
      DocumentBuilderFactory.newInstance().newDocumentBuilder()
          .parse(new ByteArrayInputStream(figures.group().getBytes(StandardCharsets.UTF_8)));
      count++;
    }
    assertThat(page.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http").doesNotContain("NaN")
        .doesNotContain("Infinity");
    return count;
  }

  private void revocation(int bytes, int ranks, int initiator, int repetition, double... overC) {
    ObjectNode line = line(repetition).put("application", bytes == 0 ? "barrier" : "allreduce").put("input", bytes + " bytes")
        .put("bytes", bytes).put("ranks", ranks).put("initiator", initiator).put("times", 100);
    for (String statistic : List.of("mean", "median")) {
      ArrayNode java = line.withObject("/micros/Java").putArray(statistic);
      for (int step = 0; step < STEPS.size(); step++) {
        java.add(step == 1 ? 5 : step == 2 ? 20 : 10);
      }
      for (double ratio : overC) {
        ArrayNode c = line.withObject("/micros/C").putArray(statistic);
        java.forEach(value -> c.add(value.asDouble() / ratio));
      }
    }
  }

  private RevokeReport revocations() {
    return new RevokeReport("Plan B", "the paper", 4, STEPS, lines);
  }

  private void allRevocations(double... overC) {
    for (int repetition = 1; repetition <= 3; repetition++) {
      for (int initiator = 0; initiator < 4; initiator++) {
        revocation(0, 4, initiator, repetition, overC);
      }
      for (int ranks : new int[] {2, 8}) {
        revocation(0, ranks, 0, repetition, overC);
        revocation(8, ranks, 0, repetition, overC);
      }
      for (int bytes : new int[] {8, 1024, 1 << 20}) {
        revocation(bytes, 4, 0, repetition, overC);
      }
    }
  }

  @Test
  void revocationsAreInFiguresOfBothLanguages() throws Exception {
    allRevocations(1.1);
    String page = revocations().page().html();
    assertThat(figures(page)).as("figures 3, 4 twice, 5; in Java and in C").isEqualTo(8);
    assertThat(page).contains("a revoked barrier takes less time than a normal one</td><td>seen here",
        "at most 1.15 times the time in C: revoked</td><td>seen here", "allreduce of 1 Ki, 4 ranks, initiator 0");
    assertThat(revocations().isAllRight()).isTrue();
    assertThat(revocations().table().lines()).hasSize(1 + lines.size() * 2 * STEPS.size());
  }

  @Test
  void withoutTheTwinTheReportSaysSo() throws Exception {
    allRevocations();
    lines.forEach(line -> ((ObjectNode) line).put("withoutC", "no compiler"));
    String page = revocations().page().html();
    assertThat(figures(page)).isEqualTo(4);
    assertThat(page).contains("C was not measured, in some runs or in all: no compiler.",
        "at most 1.15 times the time in C: before</td><td>cannot be seen here");
  }

  private void overhead(String store, int repetition, double c, String hash) {
    ObjectNode line = line(repetition).put("application", "heat").put("input", "overhead").put("ranks", 2).put("engine", store)
        .put("label", "of " + store).put("faults", 0);
    line.putObject("figures").put("hash", hash);
    line.putObject("latency").put("sendMicros", 1).put("storeMicros", 2 + repetition).put("ratio", 2 + repetition);
    ArrayNode cases = line.putArray("cases");
    for (int interval : new int[] {1, 4, 50}) {
      cases.addObject().put("figure", 9).put("rows", 100).put("points", 40_000).put("interval", interval).put("plain", 0.5)
          .put("stored", 0.5 * (interval + c) / interval);
    }
    for (int points : new int[] {400, 4000}) {
      cases.addObject().put("figure", 10).put("rows", points / 400).put("points", points).put("interval", 1).put("plain", 0.1)
          .put("stored", 0.1 * (points + 1000 * c) / points);
    }
  }

  private PersistReport persisting() {
    return new PersistReport("Persisting", "the paper", lines);
  }

  @Test
  void overheadsHaveTheirModel() throws Exception {
    for (int repetition = 1; repetition <= 3; repetition++) {
      overhead("memory", repetition, 1 + repetition / 100.0, "same");
      overhead("sqlite", repetition, 20 + repetition / 100.0, "same");
    }
    line(1).put("application", "heat").put("input", "overhead").put("ranks", 2).put("engine", "postgres")
        .put("label", "of postgres").put("outcome", "unavailable").put("why", "PostgreSQL is not installed");
    String page = persisting().page().html();
    assertThat(figures(page)).isEqualTo(2);
    assertThat(page).contains("Persist, of memory: the overhead is less with the longest interval than with the shortest one"
        + "</td><td>seen here",
        "of sqlite: it is negligible (below 5 %) with the longest interval here, 50 steps</td><td>not seen",
        "PostgreSQL is not installed (1 runs)");
    assertThat(persisting().intervalParameters().get("sqlite")).isCloseTo(20.02, within(1e-9));
    assertThat(persisting().latencies()).containsEntry("memory", 4.0).doesNotContainKey("postgres");
    assertThat(persisting().isAllRight()).isTrue();
  }

  @Test
  void aProgramWithAnotherAnswerIsAFailure() throws Exception {
    for (String answer : List.of("a", "a", "b")) {
      line(1).put("application", "heat").put("input", "recovery").put("ranks", 2).put("engine", "file").put("label", "file")
          .put("faults", answer.equals("b") ? 1 : 0).putObject("figures").put("hash", answer);
    }
    assertThat(persisting().isAllRight()).isFalse();
    assertThat(persisting().page().html()).contains("another answer");
  }

  @Test
  void theModelIsFitted() {
    Overhead exact = Overhead.fit(List.of(new Overhead.Point(1, 4), new Overhead.Point(3, 2), new Overhead.Point(30, 1.1)));
    assertThat(exact.c()).isCloseTo(3, within(1e-12));
    assertThat(exact.error()).isCloseTo(0, within(1e-12));
    assertThat(exact.at(6)).isCloseTo(1.5, within(1e-12));
    assertThat(Overhead.fit(List.of(new Overhead.Point(1, 4.1), new Overhead.Point(3, 1.9))).error()).isPositive();
  }
}
