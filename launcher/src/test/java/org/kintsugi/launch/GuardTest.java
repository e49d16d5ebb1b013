// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.job.RunningJob;
import org.kintsugi.launch.spec.LaunchException;

/** The guard, without any job. */
class GuardTest {
  private static final long LIMIT_SECONDS = 30;

  /** A process of its own: makes the folders of a job, says which, and waits. */
  static final class Begins {
    public static void main(String[] args) throws InterruptedException {
      JobFolders folders = new RunningJob(System.err).makeFolders();
      System.out.println(folders.session() + "\n" + folders.sharedMemory());
      Thread.sleep(TimeUnit.MINUTES.toMillis(2));
    }
  }

  /** As with timeout -k, where the first signal is lost: the job's start may take seconds. */
  @Test
  void aLauncherThatIsKilledBeforeItsMpirunHasStartedLeavesNoFolder() throws IOException, InterruptedException {
    Process launcher = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
        System.getProperty("java.class.path"), Begins.class.getName()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Path session = Path.of(launcher.inputReader().readLine());
    Path memory = Path.of(launcher.inputReader().readLine());
    assertThat(session).exists();
    launcher.destroyForcibly().waitFor();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while ((Files.exists(session) || Files.exists(memory)) && System.nanoTime() - until < 0) {
      Thread.sleep(50);
    }
    assertThat(session).doesNotExist();
    assertThat(memory).doesNotExist();
  }

  /** A rank that is being killed may do that. */
  @Test
  void aFileThatIsMadeWhileTheFoldersAreRemovedLeavesNoFolder() throws IOException, InterruptedException {
    RunningJob job = new RunningJob(System.err);
    Path memory = job.makeFolders().sharedMemory();
    CountDownLatch begun = new CountDownLatch(1);
    Thread makes = new Thread(() -> {
      long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
      for (int i = 0; System.nanoTime() - until < 0; i++) {
        try {
          Files.createFile(memory.resolve("segment-" + i));
        } catch (IOException gone) {
          return;
        }
        begun.countDown();
      }
    });
    makes.start();
    begun.await();
    job.close();
    makes.join();
    assertThat(memory).doesNotExist();
  }

  @Test
  void whereMpirunCannotBeStartedItGoesAtOnce(@TempDir Path folder) {
    Path mpirun = folder.resolve("mpirun");
    long begin = System.nanoTime();
    RunningJob job = new RunningJob(System.err);
    try {
      job.makeFolders();
      assertThatThrownBy(() -> job.start(new ProcessBuilder(mpirun.toString()))).isInstanceOf(LaunchException.class)
          .hasMessageContaining("cannot start " + mpirun);
    } finally {
      job.close();
    }
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)).isLessThan(20_000);
  }
}
