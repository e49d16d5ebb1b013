// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeFoldersTest {
  @ParameterizedTest
  @CsvSource({"amd64, linux-x86_64", "x86_64, linux-x86_64", "aarch64, linux-arm64", "arm64, linux-arm64",
      "ppc64le, linux-ppc64le", "riscv64, linux-riscv64"})
  void machinesAreNamedAsJavaCppNamesThem(String architecture, String platform) {
    assertThat(NativeFolders.platform(architecture)).isEqualTo(platform);
  }

  @Test
  void eachFlavourHasAFolder() {
    assertThat(NativeFolders.of(Flavour.REINIT)).startsWith("org/kintsugi/bindings/linux-").endsWith("-reinit");
  }
}
