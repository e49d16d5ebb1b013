// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  static final String FILE = "docs/figures/growth.json";

  List<Measurement> of(String language) {
    return measured.stream().filter(one -> one.language().equals(language)).toList();
  }

  /** The measurements of a file; its other fields follow from them. */
  static GrowthData read(Path file) throws IOException {
    return new ObjectMapper().configure(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
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
    Files.writeString(file, new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(rounded(all)) + "\n");
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
      return new java.math.BigDecimal(number).round(new java.math.MathContext(4)).doubleValue();
    }
    return tree;
  }
}
