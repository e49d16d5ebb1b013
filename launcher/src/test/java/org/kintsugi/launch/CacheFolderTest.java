// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where the cache is, as the XDG Base Directory Specification has it. */
class CacheFolderTest {
  @Test
  void theVariableNamesIt() {
    assertThat(CacheFolder.of(Map.of("XDG_CACHE_HOME", "/cache", "HOME", "/mine"))).isEqualTo(Path.of("/cache/kintsugi"));
  }

  @Test
  void elseItIsInHome() {
    assertThat(CacheFolder.of(Map.of("XDG_CACHE_HOME", "", "HOME", "/mine"))).isEqualTo(Path.of("/mine/.cache/kintsugi"));
    assertThat(CacheFolder.of(Map.of("HOME", "/mine"))).isEqualTo(Path.of("/mine/.cache/kintsugi"));
    assertThat(CacheFolder.of(Map.of())).isEqualTo(Path.of(System.getProperty("user.home"), ".cache", "kintsugi"));
  }
}
