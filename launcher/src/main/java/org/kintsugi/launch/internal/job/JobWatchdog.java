// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.VariableNames;

/**
 * A small process that ends the job if the launcher is killed.
 *
 * <p>After a SIGKILL, or for lack of memory, no handler and no hook of the launcher runs. The
 * watchdog sees the end of its input, which only the launcher holds open.
 */
final class JobWatchdog implements AutoCloseable {
  private static final String SCRIPT = "watchdog.sh";
  private static final long PATIENCE_SECONDS = 30;

  private final Process process;

  private JobWatchdog(Process process) {
    this.process = process;
  }

  /** Starts the watchdog, before there is anything to end but the folders. */
  static JobWatchdog of(JobFolders folders) {
    try {
      Path script = folders.session().resolve(SCRIPT);
      try (InputStream text = JobWatchdog.class.getResourceAsStream(SCRIPT)) {
        Files.copy(text, script);
      }
      // In a session of its own, so that a SIGKILL to the launcher's process group (timeout -s
      // KILL) does not end it.
      ProcessBuilder builder = new ProcessBuilder(
          List.of("setsid", "sh", script.toString(), folders.session().toString(), folders.sharedMemory().toString()));
      // This launcher may run inside another job, which ends all processes with its mark.
      builder.environment().remove(VariableNames.JOB);
      builder.environment().remove(VariableNames.JOB_SECRET);
      builder.directory(Path.of("/").toFile());
      builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
      return new JobWatchdog(builder.start());
    } catch (IOException e) {
      throw new LaunchException("cannot start the watchdog of the job (setsid sh): " + e, e);
    }
  }

  /** Sends the id of the mpirun that the watchdog must end first. */
  void watch(long mpirun) {
    say(String.valueOf(mpirun));
  }

  /** Ends the watchdog: nothing is left to do. */
  @Override
  public void close() {
    say("done");
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      // The watchdog ends by itself.
      Thread.currentThread().interrupt();
    }
  }

  /** Has the watchdog end the job now, as if this process had been killed. */
  void takesOver() {
    try {
      process.getOutputStream().close();
    } catch (IOException killed) {
      // Then it cannot help.
    }
  }

  private void say(String line) {
    try {
      OutputStream input = process.getOutputStream();
      input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      input.flush();
    } catch (IOException killed) {
      // Then the watchdog cannot help. While the launcher lives, it ends its job itself.
    }
  }
}
