// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;

/** Files of the file store are damaged between two jobs: the newest version that is whole everywhere comes back. */
@Tag("flavours")
class FileDamageTest {
  private static final int RANKS = 3;
  private static final int VICTIM = 1;
  private static final int VERSION_OFFSET = 20;

  @TempDir
  private Path folder;

  /** Runs in the ranks: restores if it is to, reports what came back, saves the versions that follow. */
  static final class SavesAndRestores {
    public static void main(String[] args) {
      boolean restores = Boolean.parseBoolean(args[1]);
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          long[] data = new long[10_000];
          run.checkpoint().protect("data", data);
          long version = restores ? run.checkpoint().restore().orElse(-1) : -1;
          boolean right = version < 0 || data[data.length - 1] == content(version, run.world().rank());
          RankJob.report(args[0], "rank-" + run.world().rank(), version + (right ? " right" : " WRONG"));
          for (int i = 2; i < args.length; i++) {
            data[data.length - 1] = content(Long.parseLong(args[i]), run.world().rank());
            run.checkpoint().save(Long.parseLong(args[i]));
          }
        });
      }
    }

    private static long content(long version, int rank) {
      return 1000 * version + rank;
    }
  }

  private RankJob.Outcome job(int ranks, boolean restores, String... versions) {
    String[] arguments = new String[1 + versions.length];
    arguments[0] = String.valueOf(restores);
    System.arraycopy(versions, 0, arguments, 1, versions.length);
    return RankJob.of(ranks, 0).jvm("-Dkintsugi.checkpoint.store=file", "-Dkintsugi.checkpoint.dir=" + folder)
        .run(SavesAndRestores.class, arguments);
  }

  private void assertRestores(String expected) {
    RankJob.Outcome outcome = job(RANKS, true).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(RANKS);
    assertThat(outcome.reports().values()).containsOnly(expected);
  }

  /** A rank's file with the newest version. */
  private Path newest(int rank) throws IOException {
    Path first = folder.resolve(String.format("rank-%05d.0.ckpt", rank));
    Path second = folder.resolve(String.format("rank-%05d.1.ckpt", rank));
    return version(first) > version(second) ? first : second;
  }

  private static long version(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).getLong(VERSION_OFFSET);
  }

  /** What can happen to a file. */
  enum Damage {
    TORN {
      @Override
      void to(Path file, Path other) throws IOException {
        truncate(file, Files.size(file) / 2);
      }
    },
    ONE_BIT_FLIPPED {
      @Override
      void to(Path file, Path other) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 4;
        Files.write(file, bytes);
      }
    },
    EMPTY {
      @Override
      void to(Path file, Path other) throws IOException {
        truncate(file, 0);
      }
    },
    ONE_BYTE_LONGER {
      @Override
      void to(Path file, Path other) throws IOException {
        truncate(file, Files.size(file) + 1);
      }
    },
    GONE {
      @Override
      void to(Path file, Path other) throws IOException {
        Files.delete(file);
      }
    },
    ANOTHER_RANKS {
      @Override
      void to(Path file, Path other) throws IOException {
        Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
      }
    },
    FOREIGN {
      @Override
      void to(Path file, Path other) throws IOException {
        Files.writeString(file, "These are not the bytes that you are looking for.\n".repeat(100));
      }
    };

    abstract void to(Path file, Path other) throws IOException;

    private static void truncate(Path file, long length) throws IOException {
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.setLength(length);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void theOlderVersionComesBack(Damage damage) throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    damage.to(newest(VICTIM), newest(VICTIM + 1));
    assertRestores("7 right");
  }

  @Test
  void aDamagedVersionIsMadeAnew() throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    assertRestores("8 right");
    Damage.TORN.to(newest(VICTIM), null);
    job(RANKS, true, "8", "9").assertSuccess();
    assertRestores("9 right");
  }

  @Test
  void withBothVersionsGoneAllBeginAgain() throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    for (int slot = 0; slot < 2; slot++) {
      Damage.TORN.to(folder.resolve(String.format("rank-%05d.%d.ckpt", VICTIM, slot)), null);
    }
    assertRestores("-1 right");
  }

  @Test
  void anEarlierRunsVersionIsNotTakenForThisOnes() {
    job(RANKS, false, "40", "50").assertSuccess();
    job(RANKS, false, "10").assertSuccess();
    assertRestores("10 right");
  }

  @Test
  void anotherNumberOfRanksIsRefusedAndNamed() {
    job(RANKS, false, "7", "8").assertSuccess();
    RankJob.Outcome outcome = job(RANKS - 1, true);
    assertThat(outcome.exitCode()).as(outcome.output()).isNotZero().isNotEqualTo(124);
    assertThat(outcome.output()).contains("was written by " + RANKS + " ranks, and the world has " + (RANKS - 1));
    assertRestores("8 right");
  }

  @Test
  void filesAreTheirOwnersOnly() throws IOException {
    job(RANKS, false, "7", "8").assertSuccess();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.toList()).hasSize(2 * RANKS + 1).allSatisfy(file -> assertThat(
          PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------"));
    }
  }
}
