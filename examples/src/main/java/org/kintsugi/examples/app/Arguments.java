// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.kintsugi.checkpoint.Checkpoint;

/**
 * What an application was asked to compute, saved with its data: arrays of the same lengths may be of another problem, with
 * which a run must not go on.
 */
final class Arguments {
  private static final int LENGTH = 1024;

  private final byte[] mine;
  private final byte[] saved;

  Arguments(Map<String, Object> params) {
    String text = params.entrySet().stream().map(entry -> entry.getKey() + "=" + elements(entry.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
    mine = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), LENGTH);
    saved = mine.clone();
  }

  void protect(Checkpoint checkpoint) {
    checkpoint.protect("arguments", saved);
  }

  /** Whether what was restored was computed with these. */
  boolean areTheSame() {
    return Arrays.equals(mine, saved);
  }

  /** Those of what was restored. */
  String saved() {
    return text(saved);
  }

  @Override
  public String toString() {
    return text(mine);
  }

  /** Of an array its elements: by itself it has the name of an object, another one in every process. */
  private static String elements(Object value) {
    return value instanceof int[] numbers ? Arrays.toString(numbers) : String.valueOf(value);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
  }
}
