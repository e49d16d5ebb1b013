// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Prints two results of one program: undisturbed, and with a lost rank. */
final class Story {
  private static final List<String> PARTS = List.of("application", "checkpoint", "recovery", "total");
  private static final int SHOWN_ITERATIONS = 6;
  private static final int SHOWN_RESIDUALS = 16;
  private static final int BAR_WIDTH = 32;
  private static final double MILLIS = 1e3;
  private static final double MEGABYTE = 1e6;

  private final JsonNode undisturbed;
  private final JsonNode killed;
  private final String spare;
  private final PrintStream out;

  /** For two results; {@code spare} is the word for a process that waits to take a place. */
  Story(JsonNode undisturbed, JsonNode killed, String spare, PrintStream out) {
    this.undisturbed = undisturbed;
    this.killed = killed;
    this.spare = spare;
    this.out = out;
  }

  /** Prints which ranks were lost, and how long the recoveries took. */
  void tellRecoveries() {
    for (JsonNode recovery : killed.get("recoveries")) {
      out.printf("   lost rank %s: noticed after %.1f ms, recovered in %.1f ms, together %.1f ms%n",
          recovery.get("failedRanks").get(0), recovery.get("detectionMillis").asDouble(),
          recovery.get("repairMillis").asDouble(), recovery.get("totalMillis").asDouble());
    }
    for (JsonNode takeover : killed.get("takeovers")) {
      int first = takeover.get("firstIteration").asInt();
      out.printf("   the %s is rank %s now and all went on with iteration %d, from the checkpoint before it%n",
          spare, takeover.get("rank"), first);
    }
  }

  /** Compares the first iterations after the takeover with the steady ones. */
  void tellIterations() {
    for (JsonNode takeover : killed.get("takeovers")) {
      int first = takeover.get("firstIteration").asInt();
      out.printf("%n   %-24s", "milliseconds, iteration");
      IntStream.range(first, first + SHOWN_ITERATIONS).forEach(k -> out.printf("%8d", k));
      out.printf("%18s%n", "steady (median)");
      tellIterations("rank " + takeover.get("rank") + ", the former " + spare, seconds(takeover.get("iterationSeconds"), 0));
      tellIterations("rank 0", seconds(killed.get("iterationSeconds"), first));
    }
  }

  private void tellIterations(String who, double[] seconds) {
    out.printf("   %-24s", who);
    Arrays.stream(seconds).limit(SHOWN_ITERATIONS).forEach(one -> out.printf("%8.2f", one * MILLIS));
    // The second half is steady, whatever the beginning was.
    double[] steady = Arrays.copyOfRange(seconds, seconds.length / 2, seconds.length);
    Arrays.sort(steady);
    out.printf("%18.2f%n", steady[steady.length / 2] * MILLIS);
  }

  private static double[] seconds(JsonNode list, int from) {
    return IntStream.range(from, list.size()).mapToDouble(i -> list.get(i).asDouble()).toArray();
  }

  /** Prints how the time was spent. */
  void tellTimes() {
    out.printf("%n   %-24s", "seconds");
    PARTS.forEach(part -> out.printf("%16s", part));
    out.println();
    tellTimes("undisturbed", undisturbed.get("times"));
    tellTimes("with the loss", killed.get("times"));
    for (JsonNode cost : killed.get("checkpoints")) {
      out.printf("   %d saves to %s on rank 0: %.1f MB in %.3f s, %.0f MB/s%n", cost.get("saves").asLong(),
          cost.get("level").asText(),
          cost.get("bytes").asDouble() / MEGABYTE, cost.get("seconds").asDouble(),
          cost.get("bytesPerSecond").asDouble() / MEGABYTE);
    }
  }

  private void tellTimes(String name, JsonNode times) {
    double total = times.get("total").asDouble();
    out.printf("   %-24s", name);
    PARTS.forEach(part -> {
      double seconds = times.get(part).asDouble();
      out.printf("%9.3f (%3.0f%%)", seconds, 100 * seconds / total);
    });
    out.println();
  }

  /** The residuals of both, side by side, and drawn on a logarithmic scale. */
  void tellResiduals(int restartedAt, int killedAt) {
    JsonNode one = undisturbed.get("residuals");
    JsonNode other = killed.get("residuals");
    int last = Math.min(one.size(), other.size()) - 1;
    int[] shown = IntStream.concat(IntStream.of(restartedAt, killedAt, killedAt + 1, last),
        IntStream.rangeClosed(0, SHOWN_RESIDUALS - 1).map(i -> i * last / (SHOWN_RESIDUALS - 1)))
        .filter(k -> k >= 0 && k <= last).sorted().distinct().toArray();
    double highest = Math.log10(one.get(0).asDouble());
    double lowest = Math.log10(one.get(last).asDouble());
    out.printf("   %9s   %-24s%-24s%n", "iteration", "undisturbed", "with the loss");
    for (int k : shown) {
      double height = (Math.log10(one.get(k).asDouble()) - lowest) / (highest - lowest);
      String mark = k == killedAt ? "  <- killed" : k == restartedAt ? "  <- went on here" : "";
      out.printf("   %9d   %-24s%-24s%s %s%s%n", k, one.get(k), other.get(k), one.get(k).equals(other.get(k)) ? "=" : "DIFFERS",
          "#".repeat((int) Math.round(Math.max(0, Math.min(1, height)) * BAR_WIDTH)), mark);
    }
  }

  /** Whether the answers agree bit for bit and exactly one rank was lost; says so. */
  boolean judge() {
    boolean agree = true;
    for (String figure : List.of("iterations", "residuals", "sumX", "maxError")) {
      if (!undisturbed.get(figure).equals(killed.get(figure))) {
        out.println("   NOT the same: " + figure);
        agree = false;
      }
    }
    if (agree) {
      out.printf("   All %d residuals, the sum of x (%s) and the largest error (%s) agree bit for bit.%n",
          undisturbed.get("residuals").size(), undisturbed.get("sumX"), undisturbed.get("maxError"));
    }
    boolean onlyTheKill = undisturbed.get("recoveries").isEmpty() && killed.get("recoveries").size() == 1;
    if (!onlyTheKill) {
      out.printf("   Expected no recovery and one; there were %d and %d.%n", undisturbed.get("recoveries").size(),
          killed.get("recoveries").size());
    }
    return agree && onlyTheKill;
  }
}
