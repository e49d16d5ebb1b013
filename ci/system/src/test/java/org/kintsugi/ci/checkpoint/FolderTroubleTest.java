// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.ci.ranks.Waiting;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.test.RankJob;

/** The folder for checkpoint files is full, gone, no folder, read-only or another job's: what was complete is never lost. */
@Tag("files")
@Execution(ExecutionMode.CONCURRENT)
class FolderTroubleTest {
  private static final long START_SECONDS = 60;
  private static final int RANKS = 2;

  @TempDir
  private Path folder;

  /** Runs in the ranks: restores, or saves version 1. If a folder is given, rank 1 has that one: a mount is missing there. */
  static final class OneElsewhere {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        int rank = mpi.world().rank();
        if (rank == 1 && args.length > 1) {
          System.setProperty("kintsugi.checkpoint.dir", args[1]);
        }
        Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
        CheckpointAccess.get().bind(checkpoint, mpi.world());
        checkpoint.protect("data", new long[1]);
        String story;
        try {
          OptionalLong restored = checkpoint.restore();
          if (restored.isEmpty()) {
            checkpoint.save(1);
          }
          story = restored.toString();
        } catch (CheckpointException e) {
          story = e.getMessage();
        }
        RankJob.report(args[0], "rank-" + rank, story);
        checkpoint.close();
      }
    }
  }

  @Test
  void aFolderThatOneRankDoesNotSeeCostsTheOthersNothing() {
    job(folder, OneElsewhere.class).assertSuccess();
    Path elsewhere = folder.resolve("not-mounted");
    assertThat(job(folder, OneElsewhere.class, elsewhere.toString()).assertSuccess().reports().values()).hasSize(RANKS)
        .allSatisfy(story -> assertThat(story).contains("rank(s) [1] see no folder"));
    assertThat(job(folder, OneElsewhere.class).assertSuccess().reports().values())
        .containsExactly("OptionalLong[1]", "OptionalLong[1]");
  }

  private static RankJob.Outcome job(Path checkpoints, String... steps) {
    return job(checkpoints, TriesToSave.class, steps);
  }

  private static RankJob.Outcome job(Path checkpoints, Class<?> main, String... arguments) {
    return RankJob.of(RANKS, 0).timeoutSeconds(180)
        .jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + checkpoints)
        .run(main, arguments);
  }

  @Test
  void aFullDiskKeepsTheVersionBefore() throws IOException {
    // Room for two versions of one rank and one of the other, of a MiB each.
    try (SmallDisk disk = SmallDisk.mount(folder, "size=3500k")) {
      RankJob.Outcome outcome = job(disk.folder(), "1", "2", "3").assertSuccess();
      assertThat(outcome.reports()).hasSize(RANKS);
      assertThat(outcome.reports().values()).allSatisfy(story -> assertThat(story).startsWith("saved 1\nnot saved: ")
          .contains("\nnot saved: ").endsWith("restored 1 with 10").doesNotContain("saved 2").doesNotContain("saved 3"));
      assertThat(outcome.reports().values().toString()).contains("No space left on device").contains(folder + "/rank-0000");
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files.filter(file -> file.toString().endsWith(".tmp"))).as("half files").isEmpty();
      }
    }
  }

  @Test
  void aReadOnlyFolderIsNamed() throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder, "ro")) {
      TriesToSave.assertRefused(job(disk.folder(), "1"), "cannot read the checkpoints in " + folder, "Read-only file system");
    }
  }

  @Test
  void aFolderThatIsAFileIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    TriesToSave.assertRefused(job(file, "1"), "cannot read the checkpoints in " + file, "Not a directory");
  }

  @Test
  void aFolderThatWasRemovedIsMadeAgain() {
    Path checkpoints = folder.resolve("checkpoints");
    RankJob.Outcome outcome = job(checkpoints, "1", "remove:" + checkpoints, "2", "3").assertSuccess();
    assertThat(outcome.reports()).hasSize(RANKS);
    assertThat(outcome.reports().values())
        .allSatisfy(story -> assertThat(story).endsWith("saved 2\nsaved 3\nrestored 3 with 30"));
  }

  @Test
  void aSecondJobInTheSameFolderIsRefused() throws IOException, InterruptedException {
    RankJob.Outcome second = besideAnother("77");
    TriesToSave.assertRefused(second, "another job uses " + folder.resolve("saves"), "-Dkintsugi.checkpoint.dir");
  }

  @Tag("series")
  @Test
  void aSecondJobThatRestoresNothingRemovesNothing() throws IOException, InterruptedException {
    RankJob.Outcome second = besideAnother(TriesToSave.ANEW, "77");
    assertThat(second.output()).contains("another job uses " + folder.resolve("saves"));
    assertThat(second.reports()).isEmpty();
  }

  private static boolean hasSaved(Path saves) throws IOException {
    try (Stream<Path> files = Files.exists(saves) ? Files.list(saves) : Stream.empty()) {
      return files.anyMatch(file -> file.getFileName().toString().matches("rank-00000\\..*\\.0\\.ckpt"));
    }
  }

  /** Runs a job in the folder of another one's version 1. The latter restores it afterwards. */
  private RankJob.Outcome besideAnother(String... steps) throws IOException, InterruptedException {
    RankJob.mpiOrSkip(); // on this thread: the other one cannot skip the test
    Path saves = folder.resolve("saves");
    Path end = folder.resolve("end");
    RankJob.Outcome[] first = new RankJob.Outcome[1];
    Thread other = new Thread(() -> first[0] = job(saves, "1", "until:" + end));
    other.start();
    Waiting.until("a version of the other job", START_SECONDS, () -> hasSaved(saves));
    RankJob.Outcome second = job(saves, steps);
    Files.createFile(end);
    other.join();
    first[0].assertSuccess();
    assertThat(first[0].reports().values()).containsExactly("saved 1\nwaited\nrestored 1 with 10",
        "saved 1\nwaited\nrestored 1 with 10");
    return second;
  }

  /** Runs in the ranks: after its restore another job has come and gone. */
  static final class SeesNoFolder {
    public static void main(String[] args) throws IOException {
      try (Mpi mpi = Mpi.init(args)) {
        Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
        CheckpointAccess.get().bind(checkpoint, mpi.world());
        checkpoint.protect("data", new long[1]);
        String story = checkpoint.restore().toString();
        mpi.world().barrier();
        if (mpi.world().rank() == 0) {
          Files.createDirectory(Path.of(args[1]));
          Files.writeString(Path.of(args[1], "rank-00001.another.0.ckpt"), "of another job");
        }
        try {
          checkpoint.save(1);
        } catch (CheckpointException e) {
          story += " " + e.getMessage();
        }
        RankJob.report(args[0], "rank-" + mpi.world().rank(), story);
        checkpoint.close();
      }
    }
  }

  @Test
  void anotherJobThatHasComeSinceTheRestoreLosesNothing() {
    Path saves = folder.resolve("saves");
    assertThat(job(saves, SeesNoFolder.class, saves.toString()).assertSuccess().reports().values()).hasSize(RANKS).allSatisfy(
        story -> assertThat(story).startsWith("OptionalLong.empty rank 0 will not write to " + saves)
            .contains("rank-00001.another.0.ckpt"));
    assertThat(saves.resolve("rank-00001.another.0.ckpt")).hasContent("of another job");
  }

  /** Runs in the ranks: the first run ends by an exception, and the second one computes something else. */
  static final class RunsTwice {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        try {
          Reinit.run(mpi, run -> {
            run.checkpoint().protect("data", new long[1]);
            run.checkpoint().restore();
            run.checkpoint().save(1);
            run.world().barrier();
            throw new IllegalStateException("not today");
          });
        } catch (IllegalStateException e) {
          // As in a sweep, which goes on with the next case.
        }
        Reinit.run(mpi, run -> {
          run.checkpoint().protect("data", new long[1]);
          RankJob.report(args[0], "rank-" + run.world().rank(), run.checkpoint().restore().toString());
          run.checkpoint().save(2);
        });
      }
    }
  }

  @Test
  void aRunThatHasThrownKeepsItsVersions() {
    assertThat(job(folder, RunsTwice.class).assertSuccess().reports().values())
        .containsExactly("OptionalLong.empty", "OptionalLong.empty");
  }

  @Test
  void aJobThatRestoresNothingBeginsAnew() {
    job(folder, "1", "2").assertSuccess();
    assertThat(job(folder, TriesToSave.ANEW, "1").assertSuccess().reports().values())
        .containsExactly("saved 1\nrestored 1 with 10", "saved 1\nrestored 1 with 10");
  }

  @Test
  void aVersionIsDroppedBeforeAnythingIsRestored() {
    job(folder, "1", "2").assertSuccess();
    assertThat(job(folder, TriesToSave.ANEW, "drop:2").assertSuccess().reports().values())
        .containsExactly("drop:2\nrestored 1 with 10", "drop:2\nrestored 1 with 10");
  }

  @Test
  void aClockThatWasSetBackChangesNothing() throws IOException {
    job(folder, "1", "2").assertSuccess();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        boolean older = file.toString().endsWith(".0.ckpt");
        Files.setLastModifiedTime(file, FileTime.from(older ? Instant.parse("2090-01-01T00:00:00Z") : Instant.EPOCH));
      }
    }
    assertThat(job(folder).assertSuccess().reports().values()).containsExactly("restored 2 with 20", "restored 2 with 20");
  }
}
