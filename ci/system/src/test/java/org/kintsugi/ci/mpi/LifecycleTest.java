// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.bindings.MPI;
import org.kintsugi.ci.ranks.TestLibrary;
import org.kintsugi.ci.ranks.Yields;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.ThreadLevel;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** Calls before init and after close, in jobs of their own. */
@Tag("flavours")
class LifecycleTest {
  /** Runs in the ranks. */
  static final class Lifecycle {
    public static void main(String[] args) {
      assertThatThrownBy(Mpi::current).isInstanceOf(IllegalStateException.class).hasMessageContaining("Mpi.init");
      ThreadLevel highest = ThreadLevel.MULTIPLE;
      if (Flavour.current() == Flavour.REINIT) {
        assertThatThrownBy(() -> Mpi.init(ThreadLevel.MULTIPLE, args)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("only FUNNELED");
        highest = ThreadLevel.FUNNELED;
      }
      Mpi mpi = Mpi.init(highest, args);
      assertThat(mpi.threadLevel()).isEqualTo(highest);
      assertThat(highest == ThreadLevel.FUNNELED || Yields.yields()).as("threads that wait in MPI leave their core").isTrue();
      assertThat(Mpi.libraryVersion()).contains("Open MPI");
      assertThat(mpi.processorName()).isNotEmpty();
      Comm world = mpi.world();
      Comm left = world.dup();
      int rank = world.rank();
      mpi.close();
      mpi.close();
      assertThatThrownBy(world::barrier).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(mpi::world).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
      left.close();
      assertThatThrownBy(() -> Mpi.init(args)).isInstanceOf(IllegalStateException.class).hasMessageContaining("once");
      RankJob.report(args[0], "rank-" + rank, "ok");
    }
  }

  @Test
  void theUsersFileOfParametersDecidesWhetherThreadsYield(@TempDir Path home) throws IOException {
    RankJob.assumeFlavour(Flavour.ULFM, "ThreadLevel.MULTIPLE");
    Files.writeString(Files.createDirectories(home.resolve(".openmpi")).resolve("mca-params.conf"), "mpi_yield_when_idle = 0\n");
    RankJob.Outcome outcome = RankJob.of(1, 0).mpirun("-x", "HOME=" + home).run(Yields.class).assertSuccess();
    assertThat(outcome.reports()).containsEntry("rank-0", "false");
  }

  /** Runs in the ranks of a job whose MPI gives no thread level that a program may need. */
  static final class WithoutThreads {
    public static void main(String[] args) {
      assertThatThrownBy(() -> Mpi.init(ThreadLevel.MULTIPLE, args)).isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("gives thread level SINGLE, and MULTIPLE is required");
      assertThat(Mpi.isActive()).isFalse();
      long flag = Memory.allocate(Integer.BYTES);
      MPI.MPI_Finalized(flag);
      assertThat(Memory.getInt(flag)).as("MPI is finalized").isNotZero();
      Memory.free(flag);
      assertThatThrownBy(() -> Mpi.init(args)).isInstanceOf(IllegalStateException.class).hasMessageContaining("once");
      RankJob.report(args[0], "rank-" + ProcessHandle.current().pid(), "ok");
    }
  }

  /** Runs in the ranks of a job without fault tolerance. */
  static final class WithoutFaultTolerance {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        assertThat(mpi.isFaultTolerant()).isFalse();
        assertThatThrownBy(() -> mpi.world().agree(true)).isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("mpirun --with-ft ulfm");
        assertThatThrownBy(() -> Reinit.run(mpi, run -> {})).isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining("mpirun --with-ft ulfm");
        RankJob.report(args[0], "rank-" + mpi.world().rank(), "ok");
      }
    }
  }

  /** Runs in the ranks: one of them fails, and the other one waits for it. */
  static final class ThrowsInAProgram {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> {
        if (mpi.world().rank() == 1) {
          throw new IllegalStateException("on purpose");
        }
        mpi.world().recv(Buf.wrap(new int[1]), 1, 0);
      });
    }
  }

  /** Runs in the ranks: says so, and ends well. */
  static final class IsAProgram {
    public static void main(String[] args) {
      Mpi.run(args, mpi -> RankJob.report(args[0], "rank-" + mpi.world().rank(), "sum " + mpi.world().allReduce(1, Op.SUM)));
    }
  }

  @Test
  void mpiDoesNotStayWhereItGivesNoThreads() {
    RankJob.assumeFlavour(Flavour.ULFM, "the fork never has more than one thread");
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(60)
        .mpirun("-x", "LD_PRELOAD=" + TestLibrary.of(RankJob.flavour(), "nothreads")).run(WithoutThreads.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).hasSize(2);
  }

  @Test
  void whatAProgramThrowsIsPrintedAndEndsTheJob() {
    assertThat(RankJob.of(2, 0).run(IsAProgram.class).assertSuccess().reports())
        .isEqualTo(Map.of("rank-0", "sum 2", "rank-1", "sum 2"));
    RankJob.Outcome outcome = RankJob.of(2, 0).timeoutSeconds(60).run(ThrowsInAProgram.class);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(1);
    assertThat(outcome.output()).contains("IllegalStateException: on purpose");
  }

  @Test
  void misuseOfTheLifeCycleIsRefused() {
    RankJob.Outcome outcome = RankJob.of(2, 0).run(Lifecycle.class).assertSuccess();
    assertThat(outcome.reports()).hasSize(2).containsEntry("rank-0", "ok");
  }

  @Test
  void whatNeedsUlfmSaysSoWithoutIt() {
    RankJob.assumeFlavour(Flavour.ULFM, "says what an Open MPI with ULFM does when it is off");
    RankJob.Outcome outcome = RankJob.of(2, 0).mpirun("--with-ft", "no").run(WithoutFaultTolerance.class);
    outcome.assertSuccess();
    assertThat(outcome.reports()).hasSize(2);
  }
}
