// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.Op;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.RanksTest;

/** Checkpoints of programs that recover by hand, with revoke and shrink: Checkpoint.on. */
class OutsideRunTest {
  private static final int PLACES = 4;
  private static final long STEPS = 40;
  private static final long BETWEEN_SAVES = 5;

  /** The place in its step at which a process dies. */
  enum Moment {
    /** The others wait for it in the step. */
    STEP,
    /** The others wait for it in the save. */
    SAVE,
    /**
     * The ranks that exchange copies with it wait for it elsewhere; the last one waits for these in the save, and not for it.
     */
    ELSEWHERE,
    /** Its part is on its way. */
    ASYNC
  }

  /**
   * Runs in the ranks: four processes work, the others wait to replace a failed one.
   *
   * <p>Arguments: the folder for reports, the moment, and each death as place@step.
   */
  static final class Program {
    private final Moment moment;
    private final List<String> deaths;
    private final double[] x = new double[2];
    private Comm all;
    private Comm work;
    private int place;
    private Checkpoint checkpoint;
    private boolean isReplacement;
    private boolean hasRepaired;

    private Program(Mpi mpi, String[] args) {
      moment = Moment.valueOf(args[1]);
      deaths = List.of(args).subList(2, args.length);
      all = mpi.world().dup();
      place = all.rank() < PLACES ? all.rank() : -1;
      enter();
    }

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Program program = new Program(mpi, args);
        while (!program.isDone()) {
          while (!program.isRepaired()) {
            // Another death in the middle of the repair.
          }
        }
        if (program.checkpoint != null) {
          program.checkpoint.close();
          RankJob.report(args[0], String.valueOf(program.place), program.x[0] + " " + program.x[1]);
        }
      }
    }

    private void enter() {
      work = all.split(place < 0 ? Comm.UNDEFINED : 0, place);
      if (work == null) {
        return;
      }
      if (checkpoint == null) {
        checkpoint = Checkpoint.on(work);
        checkpoint.protect("x", x);
      } else {
        checkpoint.moveTo(work);
      }
    }

    private boolean isDone() {
      try {
        if (checkpoint != null) {
          work();
        }
        all.barrier();
        return true;
      } catch (MpiFaultException fault) {
        all.revoke();
        if (work != null) {
          work.revoke();
        }
        return false;
      }
    }

    private boolean isRepaired() {
      hasRepaired = true;
      Comm alive = all.shrink();
      try {
        long[] places = new long[alive.size()];
        alive.allGather(Buf.copyOf((long) place), Buf.wrap(places));
        // The first who wait take the places that are free, the lowest first.
        int[] free = IntStream.range(0, PLACES).filter(one -> IntStream.range(0, places.length).noneMatch(i -> places[i] == one))
            .toArray();
        int before = (int) IntStream.range(0, alive.rank()).filter(i -> places[i] < 0).count();
        if (place < 0 && before < free.length) {
          place = free[before];
          isReplacement = true;
        }
        all.close();
        all = alive;
        if (work != null) {
          work.close();
        }
        enter();
        return true;
      } catch (MpiFaultException fault) {
        alive.revoke();
        all = alive;
        return false;
      }
    }

    private void work() {
      long begin = checkpoint.restore().orElse(0);
      if (begin == 0) {
        x[0] = 0;
        x[1] = 0;
      }
      for (long i = begin; i < STEPS; i++) {
        boolean dies = !isReplacement && deaths.contains(place + "@" + i);
        if (dies && moment == Moment.STEP) {
          die();
        }
        x[0] += work.allReduce((double) i, Op.SUM);
        x[1] += place * i;
        if (i % BETWEEN_SAVES == BETWEEN_SAVES - 1) {
          save(i + 1, dies);
        }
      }
      checkpoint.awaitSave();
    }

    private void save(long version, boolean dies) {
      if (moment == Moment.ASYNC) {
        checkpoint.saveAsync(version);
      }
      if (dies) {
        die();
      }
      if (moment == Moment.ELSEWHERE && !hasRepaired && place != 1 && place != 3 && deaths.contains("1@" + (version - 1))) {
        work.recv(Buf.allocateBytes(1), 1, 0); // it dies, or has died
      }
      if (moment != Moment.ASYNC) {
        checkpoint.save(version);
      }
    }

    private static void die() {
      Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
    }
  }

  private static void assertAllThere(RankJob.Outcome outcome) {
    Map<String, String> expected = new TreeMap<>();
    double steps = STEPS * (STEPS - 1) / 2.0;
    for (int place = 0; place < PLACES; place++) {
      expected.put(String.valueOf(place), PLACES * steps + " " + place * steps);
    }
    assertThat(outcome.assertSuccess().reports()).as(outcome.output()).isEqualTo(expected);
  }

  private static RankJob job(int waiting, String store, Path folder) {
    return RankJob.of(PLACES + waiting, 0).timeoutSeconds(90).jvm("-Dkintsugi.checkpoint.store=" + store,
        "-Dkintsugi.checkpoint.dir=" + folder.resolve("checkpoints"));
  }

  @ParameterizedTest
  @ValueSource(strings = "memory,file:2")
  void twoDieAtDifferentStepsAndTheirDataComesBack(String store, @TempDir Path folder) {
    assertAllThere(job(2, store, folder).run(Program.class, "STEP", "1@12", "0@27"));
  }

  @Tag("series")
  @ParameterizedTest
  @ValueSource(strings = {"memory", "xor", "file"})
  void dataComesBackInStoresOfOneLevel(String store, @TempDir Path folder) {
    twoDieAtDifferentStepsAndTheirDataComesBack(store, folder);
  }

  @ParameterizedTest
  @CsvSource({"SAVE,memory", "ELSEWHERE,memory", "ASYNC,file"})
  void aDeathInASaveCostsNoVersionAndLetsNobodyWait(String moment, String store, @TempDir Path folder) {
    assertAllThere(job(1, store, folder).run(Program.class, moment, "1@24"));
  }

  @Tag("series")
  @ParameterizedTest
  @CsvSource({"SAVE,file", "ELSEWHERE,file", "ASYNC,memory"})
  void aFailureInASaveCostsNoVersionInOtherStores(String moment, String store, @TempDir Path folder) {
    aDeathInASaveCostsNoVersionAndLetsNobodyWait(moment, store, folder);
  }

  @Test
  void nobodyDies(@TempDir Path folder) {
    assertAllThere(job(0, "memory", folder).run(Program.class, "STEP"));
  }

  @RanksTest(n = {1, 3})
  void savesAndRestoresAndSaysWhatItCannotDo(Mpi mpi) {
    Comm world = mpi.world();
    double[] x = {world.rank()};
    try (Comm comm = world.dup(); Comm turned = world.split(0, -world.rank())) {
      Checkpoint checkpoint = Checkpoint.on(comm);
      checkpoint.protect("x", x);
      checkpoint.save(1);
      x[0] = -1;
      assertThat(checkpoint.restore()).isEqualTo(OptionalLong.of(1));
      assertThat(x).containsExactly(world.rank());
      assertThatThrownBy(() -> Checkpoint.on(comm)).isInstanceOf(IllegalStateException.class).hasMessageContaining("moveTo");
      checkpoint.moveTo(turned);
      if (world.size() > 1) {
        assertThatThrownBy(checkpoint::restore).isInstanceOf(CheckpointException.class).hasMessageContaining("keep their ranks");
      }
      checkpoint.moveTo(comm);
      x[0] = -1;
      assertThat(checkpoint.restore()).isEqualTo(OptionalLong.of(1));
      assertThat(x).containsExactly(world.rank());
      checkpoint.close();
      // One after the other is allowed.
      Checkpoint next = Checkpoint.on(turned);
      next.protect("x", x);
      assertThat(next.restore()).isEmpty();
      next.close();
    }
    Reinit.run(mpi, run -> {
      assertThatThrownBy(() -> Checkpoint.on(run.world())).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("run.checkpoint()");
      assertThatThrownBy(() -> run.checkpoint().moveTo(run.world())).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Checkpoint.on");
    });
  }
}
