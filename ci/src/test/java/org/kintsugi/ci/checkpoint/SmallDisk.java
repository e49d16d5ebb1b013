// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system of its own, for as long as it is open.
 *
 * @param folder where it is
 */
public record SmallDisk(Path folder) implements AutoCloseable {
  private static final int SECONDS = 10;

  /**
   * Mounts one; the test is skipped where that cannot be.
   *
   * @param options those of tmpfs: {@code size=...} or {@code ro}
   */
  public static SmallDisk mount(Path folder, String options) throws IOException {
    boolean root = "root".equals(System.getProperty("user.name"));
    Assumptions.assumeTrue(root, "only root can mount a small file system");
    Files.createDirectories(folder);
    // Else everybody may write in it, as in /tmp, and it is refused for that.
    command("mount", "-t", "tmpfs", "-o", "mode=0700," + options, "tmpfs", folder.toString());
    return new SmallDisk(folder);
  }

  private static void command(String... line) throws IOException {
    Process process = new ProcessBuilder(line).inheritIO().start();
    try {
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as(String.join(" ", line)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(String.join(" ", line));
    }
    assertThat(process.exitValue()).as(String.join(" ", line)).isZero();
  }

  @Override
  public void close() throws IOException {
    command("umount", folder.toString());
  }
}
