// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.kintsugi.checkpoint.Checkpoint;

/**
 * What an application was asked to compute, saved with its data: arrays of the same lengths may be of another problem, with
 * which a run must not go on.
 */
final class Arguments {
  private final String mine;
  private String saved;

  /**
   * Of a problem.
   *
   * @param params names and values; arrays count by their elements, and the order of the names does not count
   * @param inputs what was read besides: see {@link ProxyApp#inputs}
   */
  Arguments(Map<String, Object> params, long inputs) {
    mine = new TreeMap<>(params).entrySet().stream().map(entry -> entry.getKey() + "=" + elements(entry.getValue()))
        .collect(Collectors.joining(", ", "{", inputs == 0 ? "}" : ", files read: " + Long.toHexString(inputs) + "}"));
    saved = mine;
  }

  void protect(Checkpoint checkpoint) {
    checkpoint.protect("arguments", () -> saved.getBytes(StandardCharsets.UTF_8),
        restored -> saved = new String(restored, StandardCharsets.UTF_8));
  }

  /** Whether what was restored was computed with these. */
  boolean areTheSame() {
    return mine.equals(saved);
  }

  /** Those of what was restored. */
  String saved() {
    return saved;
  }

  @Override
  public String toString() {
    return mine;
  }

  /** Of an array its elements: by itself it has the name of an object, another one in every process. */
  private static String elements(Object value) {
    String inBrackets = Arrays.deepToString(new Object[] {value});
    return inBrackets.substring(1, inBrackets.length() - 1);
  }
}
