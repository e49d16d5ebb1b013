// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Natives are found beside the jars of an installation. */
class InstalledNativesTest {
  @TempDir
  private Path folder;

  private Path site(String place, String version) throws IOException {
    Path natives = Files.createDirectories(folder.resolve(place));
    Path own = Files.createDirectories(natives.resolve("site-ulfm"));
    Files.writeString(natives.resolve("site.properties"), "ulfm=site-ulfm\n");
    Files.writeString(own.resolve("natives.properties"), "kintsugi=" + version + "\nflavour=ulfm\nmpi.version=5.0.7\n");
    return own;
  }

  @Test
  void thoseOfTheUserThenOfTheSite() throws IOException {
    Path jar = folder.resolve("lib/kintsugi-bindings-1.jar");
    Map<String, String> environment = Map.of("XDG_DATA_HOME", folder.resolve("data").toString());
    assertThat(InstalledNatives.beside(jar)).as("of Maven's repository").isNull();
    final Path shared = site("lib/natives", "1");
    InstalledNatives natives = InstalledNatives.beside(jar);
    assertThat(natives.own("ulfm")).isEqualTo(folder.resolve("lib/natives/ulfm"));
    assertThat(natives.ofSite("ulfm", "1", environment)).isEqualTo(shared);
    assertThat(natives.ofSite("reinit", "1", environment)).isNull();
    assertThat(natives.ofSite("ulfm", "2", environment)).as("another Kintsugi's").isNull();
    Path own = site("data/kintsugi/natives", "1");
    assertThat(natives.ofSite("ulfm", "1", environment)).isEqualTo(own);
    site("data/kintsugi/natives", "0");
    assertThat(natives.ofSite("ulfm", "1", environment)).isEqualTo(shared);
  }
}
