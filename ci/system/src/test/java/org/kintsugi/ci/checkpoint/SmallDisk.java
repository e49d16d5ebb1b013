// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Assumptions;

/**
 * A small file system, which is there until it is closed.
 *
 * @param folder where it is
 */
public record SmallDisk(Path folder) implements AutoCloseable {
  private static final int SECONDS = 30;

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
    expect("mount", "-t", "tmpfs", "-o", "mode=0700," + options, "tmpfs", folder.toString());
    return new SmallDisk(folder);
  }

  private static void expect(String... line) throws IOException {
    assertThat(command(line)).as(String.join(" ", line)).isZero();
  }

  private static int command(String... line) throws IOException {
    Process process = new ProcessBuilder(line).inheritIO().start();
    try {
      assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as(String.join(" ", line)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(String.join(" ", line));
    }
    return process.exitValue();
  }

  /**
   * Waits for a killed process's memory and mapped files.
   *
   * <p>They may be freed a moment after the end of the process.
   */
  @Override
  public void close() throws IOException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (System.nanoTime() - until < 0) {
      if (command("umount", folder.toString()) == 0) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    expect("umount", folder.toString());
  }
}
