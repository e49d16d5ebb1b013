// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;

/** How the files of this package are read: JSON with comments, in which a misspelt name is a mistake. */
final class Json {
  static final ObjectMapper MAPPER = JsonMapper.builder().enable(JsonParser.Feature.ALLOW_COMMENTS)
      .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  /** @param name of the file, for errors */
  static <T> T read(InputStream file, String name, Class<T> type) throws IOException {
    try {
      return MAPPER.readValue(file, type);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
      throw new ExperimentException(name + where + ": " + e.getOriginalMessage());
    }
  }
}
