// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Where HOME is not set, processes of a job get one. */
@Isolated("sets a property")
class HomeVariableTest {
  private static final String OF_SYSTEM = "user.home";

  @TempDir
  private Path folder;

  private static String set(String before, Path otherwise) {
    Map<String, String> environment = new HashMap<>();
    if (before != null) {
      environment.put("HOME", before);
    }
    HomeVariable.setIn(environment, otherwise);
    return environment.get("HOME");
  }

  @Test
  void isThatOfTheSystemOrAnother() {
    String home = System.getProperty(OF_SYSTEM);
    try {
      System.setProperty(OF_SYSTEM, folder.toString());
      assertThat(set(null, Path.of("/job"))).isEqualTo(folder.toString());
      assertThat(set("", Path.of("/job"))).isEqualTo(folder.toString());
      assertThat(set("/theirs", Path.of("/job"))).isEqualTo("/theirs");
      for (String none : new String[] {"?", "", folder.resolve("none").toString()}) {
        System.setProperty(OF_SYSTEM, none);
        assertThat(set(null, Path.of("/job"))).isEqualTo("/job");
      }
    } finally {
      System.setProperty(OF_SYSTEM, home);
    }
  }
}
