// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.hpccg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of the original HPCCG, and the comparison of a result with them. As a program: takes result files and says of
 * each what differs; exit code 0 only if nothing does.
 */
public final class HpccgReferenceCases {
  private static final double MOST_MAX_ERROR = 1e-14;
  /** Residuals below this are rounding and nothing else. */
  private static final double LAST_PHYSICAL_RESIDUAL = 1e-9;
  private static final int FIRST = 10;

  private HpccgReferenceCases() {}

  /** Arguments: result files. */
  public static void main(String[] args) throws IOException {
    boolean good = args.length > 0;
    for (String file : args) {
      JsonNode result = new ObjectMapper().readTree(Path.of(file).toFile());
      List<String> differences = caseOf(result).differences(result, false);
      System.out.println(file + ": " + (differences.isEmpty() ? "agrees with the original" : differences));
      good &= differences.isEmpty();
    }
    System.exit(good ? 0 : 1);
  }

  /** All cases with up to 8 ranks. */
  public static List<Case> all() throws IOException {
    try (InputStream file = HpccgReferenceCases.class.getResourceAsStream("hpccg-reference.json")) {
      List<Case> cases = new ArrayList<>();
      new ObjectMapper().readTree(file).forEach(one -> cases.add(new Case(one)));
      return cases;
    }
  }

  private static Case caseOf(JsonNode result) throws IOException {
    JsonNode size = result.get("params");
    String name = new Case(size.get(0).asInt(), size.get(1).asInt(), size.get(2).asInt(), result.get("ranks").asInt(), null)
        .toString();
    return all().stream().filter(one -> one.toString().equals(name)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there are no figures for " + name));
  }

  /**
   * One case.
   *
   * @param nx points of a rank's block in x
   * @param ny points in y
   * @param nz points in z
   * @param ranks how many
   * @param figures those of the original
   */
  public record Case(int nx, int ny, int nz, int ranks, JsonNode figures) {
    Case(JsonNode one) {
      this(one.at("/params/local_nx").asInt(), one.at("/params/local_ny").asInt(), one.at("/params/local_nz").asInt(),
          one.get("ranks").asInt(), one.get("figures"));
    }

    @Override
    public String toString() {
      return nx + " x " + ny + " x " + nz + " on " + ranks + " ranks";
    }

    /** The program's arguments. */
    public String[] arguments() {
      return new String[] {String.valueOf(nx), String.valueOf(ny), String.valueOf(nz)};
    }

    /**
     * Compares a result with the figures. On one and two ranks every digit counts. Beyond that the order of the reduction
     * decides the last ones: the first ten residuals count to 1e-11, those above 1e-9 to 1e-9, and of the rest the order
     * of magnitude.
     *
     * @param result what {@link Hpccg} wrote
     * @param everyDigit whether every digit counts on any number of ranks, for sums made by recursive doubling
     * @return what differs, in words; empty: nothing
     */
    public List<String> differences(JsonNode result, boolean everyDigit) {
      Comparison comparison = new Comparison(everyDigit || ranks <= 2);
      JsonNode residuals = result.get("residuals");
      comparison.same("ranks", result.get("ranks"), ranks);
      comparison.same("iterations", result.get("iterations"), figures.get("iterations_reported").asInt());
      comparison.close("initial residual", residuals.get(0), figures.get("initial_residual").asDouble(), 1e-11);
      for (int k = 1; k <= FIRST; k++) {
        comparison.close("residual " + k, residuals.get(k),
            figures.get("residuals_iterations_1_to_10").get(k - 1).asDouble(), 1e-11);
      }
      figures.get("residuals_at").fields().forEachRemaining(entry -> {
        double expected = entry.getValue().asDouble();
        JsonNode actual = residuals.get(Integer.parseInt(entry.getKey()));
        if (comparison.everyDigit || expected > LAST_PHYSICAL_RESIDUAL) {
          comparison.close("residual " + entry.getKey(), actual, expected, 1e-9);
        } else {
          comparison.sameMagnitude("residual " + entry.getKey(), actual, expected);
        }
      });
      comparison.close("sum of x", result.get("sumX"), figures.get("sum_of_x").asDouble(), 1e-12);
      if (comparison.everyDigit) {
        comparison.close("max error", result.get("maxError"), figures.get("max_abs_error_vs_exact").asDouble(), 0);
      } else if (!(result.get("maxError").asDouble() <= MOST_MAX_ERROR)) {
        comparison.differences.add("max error " + result.get("maxError") + " is above " + MOST_MAX_ERROR);
      }
      return comparison.differences;
    }
  }

  private static final class Comparison {
    private final boolean everyDigit;
    private final List<String> differences = new ArrayList<>();

    Comparison(boolean everyDigit) {
      this.everyDigit = everyDigit;
    }

    void same(String what, JsonNode actual, int expected) {
      if (actual == null || actual.asInt() != expected) {
        differences.add(what + ": " + actual + " instead of " + expected);
      }
    }

    void sameMagnitude(String what, JsonNode actual, double expected) {
      if (actual == null || !(actual.asDouble() > expected / 10 && actual.asDouble() < expected * 10)) {
        differences.add(what + ": " + actual + " is not of the magnitude of " + expected);
      }
    }

    void close(String what, JsonNode actual, double expected, double relative) {
      double tolerance = everyDigit ? 0.0 : relative * Math.abs(expected);
      // Written so that NaN, and a figure that is not there, differ.
      if (actual == null || !(Math.abs(actual.asDouble() - expected) <= tolerance)) {
        differences.add(what + ": " + actual + " instead of " + expected);
      }
    }
  }
}
