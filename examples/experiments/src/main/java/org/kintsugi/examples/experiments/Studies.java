// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** Reads experiments of all kinds. */
final class Studies {
  private final Map<String, StudyKind> kinds = new TreeMap<>();

  Studies() {
    ServiceLoader.load(StudyKind.class, Studies.class.getClassLoader()).forEach(kind -> kinds.put(kind.name(), kind));
  }

  /** @param twins see {@link StudyKind#read} */
  Study read(Path file, Path twins) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ExperimentException(file + " is no experiment: expected a name, such as match-scaling, or a file");
    }
    String kind = kind(file);
    if (!kinds.containsKey(kind)) {
      throw new ExperimentException(file + ": kind " + kind + ": expected one of " + String.join(", ", kinds.keySet()));
    }
    return kinds.get(kind).read(file, twins);
  }

  /** A file that cannot be read as JSON is of no other kind: that kind's reader reports its line. */
  private static String kind(Path file) throws IOException {
    try {
      JsonNode tree = Json.MAPPER.readTree(file.toFile());
      return tree.path("kind").asText(DesignKind.NAME);
    } catch (JsonProcessingException e) {
      return DesignKind.NAME;
    }
  }
}
