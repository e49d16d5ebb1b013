// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.advice;

import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.kintsugi.runtime.internal.advice.Finding;

/** Writes what was found, for programs. */
final class AdviceJson {
  private static final int FIRST_PRINTABLE = 0x20;

  private AdviceJson() {}

  static String of(Ranks ranks) {
    return "{\n \"ranks\": " + ranks.count() + ",\n \"iterations\": " + ranks.iterations() + ",\n \"failures\": "
        + texts(ranks.failures()) + ",\n \"warnings\": " + texts(ranks.warnings()) + ",\n \"findings\": ["
        + ranks.all().stream().map(AdviceJson::of).collect(Collectors.joining(",")) + "\n ]\n}";
  }

  private static String of(Advised one) {
    Finding first = one.first();
    return "\n  {\"verdict\": " + text(one.verdict().name().toLowerCase(Locale.ROOT)) + ", \"name\": " + text(first.name())
        + ", \"type\": " + text(first.type()) + ", \"definition\": " + text(first.definition()) + ",\n   \"reads\": "
        + texts(one.reads()) + ",\n   \"writes\": " + texts(one.writes()) + ",\n   \"call\": " + text(first.call())
        + ", \"note\": " + text(one.note()) + ",\n   \"onRanks\": {" + one.ofRanks().entrySet().stream()
            .map(of -> "\"" + of.getKey() + "\": {\"bytes\": " + of.getValue().bytes() + ", \"elements\": "
                + text(of.getValue().elements()) + "}")
            .collect(Collectors.joining(", "))
        + "}}";
  }

  private static String texts(Collection<String> texts) {
    return texts.stream().map(AdviceJson::text).collect(Collectors.joining(", ", "[", "]"));
  }

  private static String text(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char one : text.toCharArray()) {
      if (one == '"' || one == '\\') {
        quoted.append('\\').append(one);
      } else if (one < FIRST_PRINTABLE) {
        quoted.append(String.format("\\u%04x", (int) one));
      } else {
        quoted.append(one);
      }
    }
    return quoted.append('"').toString();
  }
}
