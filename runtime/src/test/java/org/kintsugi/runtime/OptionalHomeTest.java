// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folders in which FTI and SCR are looked for, in order. */
class OptionalHomeTest {
  private static final String NAME = "kintsugi_tests";

  @TempDir
  private Path folder;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void emptyFolder() {
    environment.put("XDG_DATA_HOME", folder.resolve("data").toString());
    environment.put("KINTSUGI_OPTIONAL_NATIVES", "");
  }

  @Test
  void theEnvironmentDecides() {
    assertThat(OptionalHome.candidates("fti", Flavour.ULFM, Map.of("FTI_HOME", "/my/fti", "XDG_DATA_HOME", "/data")))
        .containsExactly(Path.of("/my/fti"));
  }

  @Test
  void elseTheUsersFolderAndThatOfTheMachine() {
    assertThat(OptionalHome.candidates("scr", Flavour.REINIT, Map.of("XDG_DATA_HOME", "/data", "SCR_HOME", ""))).containsExactly(
        Path.of("/data/kintsugi/scr-reinit"), Path.of("/data/kintsugi/scr"), Path.of("/opt/kintsugi/scr-reinit"),
        Path.of("/opt/kintsugi/scr"));
    assertThat(OptionalHome.candidates("fti", Flavour.ULFM, Map.of()))
        .startsWith(Path.of(System.getProperty("user.home"), ".local", "share", "kintsugi", "fti-ulfm"));
    assertThat(OptionalHome.candidates("fti", Flavour.ULFM, Map.of("HOME", "/mine")))
        .startsWith(Path.of("/mine/.local/share/kintsugi/fti-ulfm"));
  }

  /** Under a name that nothing on this machine has. */
  @Test
  void theFirstThatHasTheLibraryIsFound() throws Exception {
    assertFinds(null);
    Path plain = install("data/kintsugi/" + NAME, "lib64");
    assertFinds(plain);
    Files.createDirectories(folder.resolve("data/kintsugi/" + NAME + "-ulfm/lib"));
    install("data/kintsugi/" + NAME + "-reinit", "lib");
    assertFinds(plain);
    Path own = install("data/kintsugi/" + NAME + "-ulfm", "lib");
    assertFinds(own);
    Path named = install("named", "lib");
    environment.put("KINTSUGI_TESTS_HOME", named.toString());
    assertFinds(named);
    environment.put("KINTSUGI_TESTS_HOME", folder.resolve("nowhere").toString());
    assertFinds(null);
    environment.put("KINTSUGI_TESTS_HOME", "");
    assertFinds(own);
    environment.put("KINTSUGI_OPTIONAL_NATIVES", "none");
    assertFinds(null);
    environment.put("KINTSUGI_TESTS_HOME", named.toString());
    assertFinds(null);
    environment.put("KINTSUGI_OPTIONAL_NATIVES", "");
    environment.put("KINTSUGI_TESTS_HOME", "");
    environment.put("XDG_DATA_HOME", "");
    environment.put("HOME", folder.toString());
    assertFinds(null);
    assertFinds(install(".local/share/kintsugi/" + NAME, "lib"));
  }

  private Path install(String prefix, String libraries) throws IOException {
    Path library = folder.resolve(prefix).resolve(libraries).resolve("lib" + NAME + ".so");
    Files.createDirectories(library.getParent());
    Files.createFile(library);
    return folder.resolve(prefix);
  }

  /** Null: none is found. */
  private void assertFinds(Path expected) {
    if (expected != null) {
      assertThat(OptionalHome.find(NAME, Flavour.ULFM, environment)).isEqualTo(expected);
      return;
    }
    boolean isHidden = "none".equals(environment.get("KINTSUGI_OPTIONAL_NATIVES"));
    String[] places =
        OptionalHome.candidates(NAME, Flavour.ULFM, environment).stream().map(Path::toString).toArray(String[]::new);
    assertThatThrownBy(() -> OptionalHome.find(NAME, Flavour.ULFM, environment))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContainingAll(isHidden ? new String[] {"KINTSUGI_OPTIONAL_NATIVES"} : places);
  }
}
