// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Locks between processes. A process waits for a living holder, but not for one that was declared
 * failed and still runs.
 */
@Timeout(120)
@Isolated("sets the epoch of this process, by which others name their files")
class LockFileTest {
  private static final long EPOCH = 5;
  private static final String THIS_JOB = LockOwner.now().job();
  private static final String HAS_IT = "has it";

  @TempDir
  private Path folder;
  private Path file;

  @BeforeEach
  void begin() {
    file = folder.resolve("in-use.lock");
    LockOwner.enter(EPOCH);
  }

  @AfterEach
  void end() {
    LockOwner.enter(0);
  }

  /** Another process, which takes the lock at once, or does not get it, and lives until it is closed. */
  private static final class Other implements AutoCloseable {
    private final Process process;
    private final boolean hasIt;

    Other(String job, long epoch, Path file) throws IOException {
      this(job, epoch, file, Duration.ZERO);
    }

    Other(String job, long epoch, Path file, Duration patience) throws IOException {
      ProcessBuilder builder = new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), Other.class.getName(), file.toString(),
          String.valueOf(epoch), String.valueOf(patience.toMillis())).redirectError(ProcessBuilder.Redirect.INHERIT);
      builder.environment().put("PMIX_NAMESPACE", job);
      process = builder.start();
      BufferedReader said = process.inputReader();
      hasIt = HAS_IT.equals(said.readLine());
    }

    public static void main(String[] args) throws IOException {
      LockOwner.enter(Long.parseLong(args[1]));
      LockFile lock = LockFile.takeAsSuccessor(Path.of(args[0]), Duration.ofMillis(Long.parseLong(args[2])));
      System.out.println(lock == null ? "somebody else has it" : HAS_IT);
      while (System.in.read() >= 0) {
        // Until the test is over with this process.
      }
    }

    void kill() {
      process.destroyForcibly().onExit().join();
    }

    @Override
    public void close() {
      kill();
    }
  }

  private boolean couldAnotherJobTakeIt() throws IOException {
    try (Other stranger = new Other("another-job", 9, file)) {
      return stranger.hasIt;
    }
  }

  @Test
  void aHolderThatWasDeclaredFailedAndStillRunsIsSucceeded() throws IOException {
    try (Other declaredFailed = new Other(THIS_JOB, EPOCH - 1, file)) {
      assertThat(declaredFailed.hasIt).isTrue();
      assertThat(LockFile.take(file, Duration.ofMillis(1500))).as("without the right to").isNull();
      try (LockFile lock = LockFile.takeAsSuccessor(file, Duration.ofSeconds(30))) {
        assertThat(lock).isNotNull();
        assertThat(lock.isTakenOver()).isTrue();
        assertThat(couldAnotherJobTakeIt()).as("beside the one that was declared failed").isFalse();
        declaredFailed.kill();
        assertThat(couldAnotherJobTakeIt()).as("when that has ended").isFalse();
        assertThat(folder).isDirectoryContaining(file::equals);
        assertThat(Files.list(folder).toList()).containsExactly(file);
      }
    }
    assertThat(couldAnotherJobTakeIt()).as("when it was given back").isTrue();
  }

  /** If a successor dies before it has made copies, the first holder may still write. */
  @Test
  void theNextHolderIsWarnedUntilThereAreCopies() throws IOException {
    try (Other declaredFailed = new Other(THIS_JOB, EPOCH - 2, file)) {
      assertThat(declaredFailed.hasIt).isTrue();
      try (Other successor = new Other(THIS_JOB, EPOCH - 1, file, Duration.ofSeconds(30))) {
        assertThat(successor.hasIt).isTrue();
      }
      try (LockFile lock = LockFile.takeAsSuccessor(file, Duration.ofSeconds(30))) {
        assertThat(lock.isTakenOver()).isTrue();
        lock.endSharing();
      }
      try (LockFile again = LockFile.take(file, Duration.ZERO)) {
        assertThat(again.isTakenOver()).isFalse();
      }
    }
  }

  @Test
  void theLockOfAFailedHolderIsTakenAndNotReplaced() throws IOException {
    try (Other dead = new Other(THIS_JOB, EPOCH - 1, file)) {
      assertThat(dead.hasIt).isTrue();
    }
    try (LockFile lock = LockFile.takeAsSuccessor(file, Duration.ofSeconds(30))) {
      assertThat(lock).isNotNull();
      assertThat(lock.isTakenOver()).isFalse();
    }
  }

  @Test
  void nobodyOfTheSameEpochOrAnotherJobIsSucceeded() throws IOException {
    try (Other samePlace = new Other(THIS_JOB, EPOCH, file)) {
      assertThat(samePlace.hasIt).isTrue();
      assertThat(LockFile.takeAsSuccessor(file, Duration.ofMillis(1500))).isNull();
    }
    try (Other stranger = new Other("another-job", EPOCH - 1, file)) {
      assertThat(stranger.hasIt).isTrue();
      assertThat(LockFile.takeAsSuccessor(file, Duration.ofMillis(1500))).isNull();
    }
  }

  /** A descriptor of the file that is closed would take the first lock away. */
  @Test
  void theSecondInOneProcessLeavesTheFirstWhatItHas() throws IOException {
    try (LockFile first = LockFile.take(file, Duration.ZERO)) {
      assertThat(first).isNotNull();
      assertThat(LockFile.take(file, Duration.ZERO)).isNull();
      assertThat(LockFile.takeAsSuccessor(folder.resolve("./in-use.lock"), Duration.ZERO)).isNull();
      assertThat(couldAnotherJobTakeIt()).isFalse();
    }
    try (LockFile again = LockFile.take(file, Duration.ZERO)) {
      assertThat(again).isNotNull();
    }
  }
}
