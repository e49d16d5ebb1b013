// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code make growth} has measured, and what it makes of that: docs/figures/growth.json.
 *
 * @param conditions machine, date, and load
 * @param cores that the processes share
 * @param measured by language and size
 */
public record GrowthData(String conditions, int cores, List<Measurement> measured) {
  private static final MathContext DIGITS = new MathContext(4);

  static final String FILE = "docs/figures/growth.json";

  List<Measurement> of(String language) {
    return measured.stream().filter(one -> one.language().equals(language)).toList();
  }

  /** These measurements, and the older ones of other sizes. A size is a number of ranks, to which spares come. */
  GrowthData with(List<Measurement> older) {
    List<Measurement> all = new ArrayList<>(measured);
    for (Measurement one : older) {
      if (measured.stream().noneMatch(newer -> Math.abs(newer.processes() - one.processes()) < GrowthJobs.FAILURES)) {
        all.add(one);
      }
    }
    all.sort(Comparator.comparing(Measurement::language).thenComparingInt(Measurement::processes));
    return new GrowthData(conditions, cores, all);
  }

  /** The measurements of a file; its other fields follow from them. */
  static GrowthData read(Path file) throws IOException {
    return new ObjectMapper().configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
        .readValue(file.toFile(), GrowthData.class);
  }

  /** Writes the measurements, their fits, and what was computed from these. */
  void write(Path file, Map<String, Object> results) throws IOException {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("conditions", conditions);
    all.put("cores", cores);
    all.put("steps", stepNames());
    all.putAll(results);
    all.put("measured", measured);
    Files.writeString(file,
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(rounded(all)) + "\n");
  }

  private static List<String> stepNames() {
    List<String> names = new ArrayList<>();
    for (Step step : Step.values()) {
      names.add(step.title());
    }
    return names;
  }

  /** With four digits: more would be noise, and longer lines. */
  private static Object rounded(Object value) {
    Object tree = new ObjectMapper().convertValue(value, Object.class);
    return roundedTree(tree);
  }

  private static Object roundedTree(Object tree) {
    if (tree instanceof Map<?, ?> map) {
      Map<String, Object> rounded = new LinkedHashMap<>();
      map.forEach((key, one) -> rounded.put(key.toString(), roundedTree(one)));
      return rounded;
    }
    if (tree instanceof List<?> list) {
      return list.stream().map(GrowthData::roundedTree).toList();
    }
    if (tree instanceof Double number && number != 0 && Double.isFinite(number)) {
      return new BigDecimal(number).round(DIGITS).doubleValue();
    }
    return tree;
  }
}
