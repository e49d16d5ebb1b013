// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** How experiments' files are read: JSON with comments, in which a misspelt name is a mistake. */
public final class Json {
  /** For lines of the log, and for what jobs write. */
  public static final ObjectMapper MAPPER = JsonMapper.builder().enable(JsonParser.Feature.ALLOW_COMMENTS)
      .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  /** Reads a file whose entries are those of the class. */
  public static <T> T read(Path file, Class<T> type) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString(), type);
    }
  }

  /** @param name of the file, for errors */
  public static <T> T read(InputStream file, String name, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(file, type);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
      throw new ExperimentException(name + where + ": " + e.getOriginalMessage());
    }
  }
}
