// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.checkpoint.SmallDisk;
import org.kintsugi.launch.Job;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.persist.PersistException;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.test.RankJob;

/** The disk on which messages are stored is full or read-only: the send says so, and what was stored before is there. */
@Tag("files")
class PersistFullDiskTest {
  /** A quarter of a MiB. */
  private static final int WORDS = 1 << 15;

  private static final String FILL = "fill";
  private static final String OVERWRITE = "overwrite";
  private static final int TAGS = 5;

  @TempDir
  private Path folder;

  /** Runs in one rank, which stores for itself. */
  static final class Stores {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); PersistentComm self = open(mpi, args[1], args[2])) {
        String story = args[3].equals(FILL) ? fill(self) : args[3].equals(OVERWRITE) ? overwrite(self) : whatIsThere(self);
        RankJob.report(args[0], "0", story);
      }
    }

    /** The store {@code memory} has its memory in the job's folder. */
    private static PersistentComm open(Mpi mpi, String store, String disk) {
      String job = System.getProperty("kintsugi.job.dir");
      if (store.equals("memory")) {
        System.setProperty("kintsugi.job.dir", disk);
      }
      try (Info info = Info.of(Map.of("kintsugi_persist_store", store, "kintsugi_persist_dir", disk))) {
        return PersistentComm.of(mpi.self(), "full disk", info);
      } finally {
        System.setProperty("kintsugi.job.dir", job);
      }
    }

    /** Until it is refused; then all that was taken is received. */
    private static String fill(PersistentComm self) {
      for (int tag = 0; tag < 1000; tag++) {
        try {
          self.comm().send(message(tag), 0, tag);
        } catch (PersistException e) {
          return whatIsThere(self) + " of " + tag + ", then: " + e.getMessage();
        }
      }
      return "never full";
    }

    /** A few messages again and again, until it is refused; of each the newest that was taken is received. */
    private static String overwrite(PersistentComm self) {
      for (int round = 0; round < 1000; round++) {
        for (int tag = 0; tag < TAGS; tag++) {
          try {
            self.comm().send(message(round), 0, tag);
          } catch (PersistException e) {
            return newest(self, round, tag);
          }
        }
      }
      return "never full";
    }

    private static String newest(PersistentComm self, int round, int refused) {
      long[] received = new long[WORDS];
      for (int tag = 0; tag < TAGS; tag++) {
        self.comm().recv(Buf.wrap(received), 0, tag);
        if (received[0] != (tag < refused ? round : round - 1)) {
          return "WRONG: tag " + tag + " is of round " + received[0] + ", and round " + round + " was refused from tag "
              + refused;
        }
      }
      return round > 1 ? "the newest of all" : "no round could be stored";
    }

    private static Buf message(long value) {
      long[] message = new long[WORDS];
      Arrays.fill(message, value);
      return Buf.wrap(message);
    }

    private static String whatIsThere(PersistentComm self) {
      long[] received = new long[WORDS];
      for (int tag = 0;; tag++) {
        try {
          self.comm().recv(Buf.wrap(received), 0, tag);
        } catch (PersistException e) {
          return tag + " are there";
        }
        for (long word : received) {
          if (word != tag) {
            return "WRONG: " + word + " in message " + tag;
          }
        }
      }
    }
  }

  private static RankJob.Outcome job(SmallDisk disk, String store, String what) {
    return RankJob.of(1, 0).run(Stores.class, store, disk.folder().toString(), what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "jdbc"})
  void whatWasStoredBeforeIsThere(String store) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder, "size=3m")) {
      String story = job(disk, store, FILL).assertSuccess().reports().get("0");
      int stored = Integer.parseInt(story.substring(0, story.indexOf(' ')));
      assertThat(stored).as(story).isBetween(3, 12);
      assertThat(story).contains(stored + " are there of " + stored + ", then: ");
      assertThat(job(disk, store, "look").assertSuccess().reports()).containsEntry("0", stored + " are there");
    }
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = "memory")
  void whatWasStoredBeforeIsThereInMemory(String store) throws IOException {
    whatWasStoredBeforeIsThere(store);
  }

  /** There is no room for a new file, or for the memory's other half. */
  @ParameterizedTest
  @CsvSource({"file, 6m", "memory, 4m", "memory, 3500k"})
  void theNewestIsThereWhereTheNextOneHasNoRoom(String store, String size) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder, "size=" + size)) {
      assertThat(job(disk, store, OVERWRITE).assertSuccess().reports()).containsEntry("0", "the newest of all");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "jdbc"})
  void aReadOnlyFolderIsNamed(String store) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(folder, "ro")) {
      RankJob.Outcome outcome = job(disk, store, FILL);
      assertThat(outcome.exitCode()).as(outcome.output()).isNotIn(0, Job.TIMED_OUT);
      assertThat(outcome.output()).contains(folder.toString());
    }
  }
}
