// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

  private static Path old(Path entry) throws IOException {
    return Files.setLastModifiedTime(entry, FileTime.from(Instant.now().minus(Duration.ofDays(61))));
  }

  @Test
  void whatHasNotBeenUsedForLongIsRemoved(@TempDir Path folder) throws IOException, InterruptedException {
    Path cache = Files.createDirectory(folder.resolve("cache"));
    String stamp = UUID.nameUUIDFromBytes(new byte[0]).toString();
    Path others = Files.createDirectory(folder.resolve("others"));
    Files.createFile(others.resolve("file"));
    Path natives = Files.createDirectory(cache.resolve("natives-ulfm-" + stamp));
    Files.createFile(natives.resolve("libkintsugi.so"));
    Files.createSymbolicLink(natives.resolve("link"), others);
    List<Path> unused = List.of(old(natives), old(Files.createFile(cache.resolve("classes-" + stamp + ".jsa"))),
        old(Files.createTempDirectory(cache, "unpacking-")), old(Files.createTempDirectory(cache, "archiving-")));
    Path used = old(Files.createDirectory(cache.resolve("natives-reinit-" + stamp)));
    Path link = Files.createSymbolicLink(cache.resolve("natives-ulfm-" + UUID.nameUUIDFromBytes(new byte[1])), others);
    // Java cannot set the time of a link.
    new ProcessBuilder("touch", "-h", "-d", "61 days ago", link.toString()).inheritIO().start().waitFor();
    List<Path> kept =
        List.of(used, link, Files.createTempDirectory(cache, "unpacking-"), old(Files.createFile(cache.resolve("x"))),
            old(Files.createDirectory(cache.resolve("natives-mine"))));
    assertThat(CacheFolder.use(used)).isTrue();
    CacheFolder.removeUnused(cache);
    assertThat(unused).allMatch(Files::notExists);
    assertThat(cache.toFile().list()).containsExactlyInAnyOrder(
        kept.stream().map(path -> path.getFileName().toString()).toArray(String[]::new));
    assertThat(others.resolve("file")).exists();
    assertThat(CacheFolder.use(natives)).isFalse();
  }
}
