// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In which folders FTI and SCR are looked for, in order. */
class OptionalHomeTest {
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
  }
}
