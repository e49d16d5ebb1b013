// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.mpi.Status;
import org.kintsugi.mpi.TruncationException;
import org.kintsugi.test.RankJob;

/** A message that is longer than its receive changes no byte past the buffer's end, whatever transfers it. Flavour ulfm. */
class TooLongMessagesTest {
  private static final int[][] ROOM_AND_LENGTH = {{0, 16_000}, {1, 100_000}, {4000, 16_000}, {4096, 4097}, {100_000, 200_000},
      {300_000, 600_000}, {4_000_000, 4_000_001}};
  private static final int WAYS = 5;

  /** Runs in the ranks: rank 0 sends, rank 1 receives in all ways, and counts the bytes that have changed past the end. */
  static final class Receives {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        long changed = 0;
        int truncated = 0;
        for (int[] lengths : ROOM_AND_LENGTH) {
          for (int way = 0; way < WAYS; way++) {
            try (Buf memory = Buf.allocateBytes(lengths[0] + lengths[1])) {
              if (world.rank() == 0) {
                for (int i = 0; i < lengths[1]; i++) {
                  memory.putByte(i, (byte) 7);
                }
                world.send(memory.as(Datatype.BYTE, lengths[1]), 1, way);
              } else {
                truncated += isTruncated(world, memory.as(Datatype.BYTE, lengths[0]), way) ? 1 : 0;
                for (int i = lengths[0]; i < lengths[0] + lengths[1]; i++) {
                  changed += memory.getByte(i) == 0 ? 0 : 1;
                }
              }
            }
          }
        }
        byte[] last = {1};
        if (world.rank() == 0) {
          world.send(Buf.wrap(last), 1, WAYS); // the job stays usable
        } else {
          world.recv(Buf.wrap(last), 0, WAYS);
          RankJob.report(args[0], "truncated", String.valueOf(truncated));
          RankJob.report(args[0], "changed", String.valueOf(changed));
        }
      }
    }

    private static boolean isTruncated(Comm world, Buf room, int way) {
      try {
        switch (way) {
          case 0 -> world.recv(room, 0, way);
          case 1 -> {
            Request request = world.iRecv(room, 0, way);
            request.waitFor();
          }
          case 2 -> world.mProbe(0, way).recv(room);
          case 3 -> world.sendRecv(Buf.copyOf(0), Comm.PROC_NULL, way, room, 0, way, new Status());
          default -> {
            try (PersistentRequest request = world.recvInit(room, 0, way)) {
              request.start();
              request.waitFor();
            }
          }
        }
        return false;
      } catch (TruncationException expected) {
        return true;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"self,sm", "self,tcp"})
  void nothingIsWrittenPastTheEnd(String transports) {
    RankJob.Outcome outcome = RankJob.of(2, 0).mpirun("--mca", "btl", transports).timeoutSeconds(60).run(Receives.class)
        .assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("changed", "0")
        .containsEntry("truncated", String.valueOf(WAYS * ROOM_AND_LENGTH.length));
  }
}
