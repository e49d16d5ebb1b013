// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.stalls;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.RankPlace.Doing;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/** The report about the processes of a job that stalls. */
class StallReportTest {
  private static final String LINE = "Main.java:31 step()";
  private static final String ON_WORLD = "Comm.bcast on the run's world, root 0";

  private static WatchedRank rank(int rank, Phase phase, Doing doing, String function, String call, String detail, String line) {
    WatchedRank watched = new WatchedRank(null);
    watched.identify(1000 + rank, "h", rank);
    watched.hears(new FromProcess.Here(0, new RankPlace(rank, phase, doing, 61_000, function, call, detail, line)));
    return watched;
  }

  private static WatchedRank inBcast(int rank, String line) {
    return rank(rank, Phase.BODY, Doing.WAITS, "MPI_Bcast", ON_WORLD, "", line);
  }

  private static StallReport report(List<WatchedRank> ranks) {
    return new StallReport(ranks, System.nanoTime(), List.of(), List.of());
  }

  @Test
  void manyRanksAtOnePlaceAreOneLine() {
    List<WatchedRank> ranks = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      ranks.add(inBcast(i, i == 77 ? "Main.java:44 step()" : LINE));
    }
    assertThat(report(ranks).text()).isEqualTo(
        "  ranks 0-76,78-127: wait for 61 s in MPI_Bcast (" + ON_WORLD + "), " + LINE + "\n"
            + "  rank 77: waits for 61 s in MPI_Bcast (" + ON_WORLD + "), Main.java:44 step()\n"
            + "  The odd one out: rank 77\n");
  }

  @Test
  void eachPeerOfRanksThatWaitForOneAnotherIsNamed() {
    List<WatchedRank> ranks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ranks.add(rank(i, Phase.PROGRAM, Doing.WAITS, "MPI_Recv", "Comm.recv on mpi.world()",
          "from rank " + (i + 1) % 3 + ", tag 7", LINE));
    }
    assertThat(report(ranks).text()).isEqualTo("  ranks 0-2: wait for 61 s in MPI_Recv (Comm.recv on mpi.world()), " + LINE
        + " (rank 0 from rank 1, tag 7; rank 1 from rank 2, tag 7; rank 2 from rank 0, tag 7)\n");
    assertThat(report(ranks.subList(0, 1)).text()).endsWith(LINE + ", from rank 1, tag 7\n");
  }

  @Test
  void whoIsMetInsideOfKintsugiHasJustComeThere() {
    WatchedRank working = rank(2, Phase.BODY, Doing.WORKS, "", "Comm.barrier", "", LINE);
    long now = System.nanoTime();
    assertThat(working.stillMillis(now)).isLessThan(61_000);
    assertThat(working.stillMillis(now + TimeUnit.SECONDS.toNanos(70))).isEqualTo(61_000);
    working.hears(new FromProcess.Here(0, new RankPlace(2, Phase.BODY, Doing.WORKS, 62_000, "", "Comm.barrier", "", LINE)));
    assertThat(working.stillMillis(now + TimeUnit.SECONDS.toNanos(70))).as("met there again").isEqualTo(62_000);
    assertThat(inBcast(0, LINE).stillMillis(now)).isEqualTo(61_000);
  }

  @Test
  void whoLeftIsTheOneThatIsWaitedFor() {
    StallReport report = report(List.of(inBcast(0, LINE),
        rank(1, Phase.LEFT_BODY, Doing.WAITS, "MPI_Test", "Reinit.run", "", "Main.java:9 main()"),
        rank(2, Phase.SPARE, Doing.WAITS, "", "Reinit.run", "", "Main.java:9 main()")));
    assertThat(report.isAnybodyWaiting()).isTrue();
    assertThat(report.text()).contains(
        "  rank 1: has left the body of the run, and waits for 61 s for the others in Reinit.run, Main.java:9 main()\n",
        "  1 spare waits for a process failure, as is right\n", "  The odd one out: rank 1, which is in no call of MPI");
  }

  @Test
  void whatHasLedToTheEndOfMpiIsNamedWhereItIsKnown() {
    String thrown = "TruncationException: MPI_Recv: too long, Main.java:12 main()";
    StallReport report = report(List.of(inBcast(0, LINE),
        rank(1, Phase.LEAVES, Doing.WAITS, "MPI_Finalize", "Mpi.close", thrown, "Main.java:9 main()"),
        rank(2, Phase.LEAVES, Doing.WAITS, "MPI_Finalize", "Mpi.close", "", "Main.java:9 main()")));
    assertThat(report.text())
        .contains("  ranks 1-2: are at the end of MPI for 61 s in MPI_Finalize (Mpi.close), Main.java:9 main() "
            + "(because of " + thrown + ": it is printed only after that; Mpi.run prints it at once)\n");
    assertThat(report.isHeldUpAtAnEnd()).isTrue();
    assertThat(report(List.of(inBcast(0, LINE), rank(1, Phase.LEAVES, Doing.WAITS, "MPI_Finalize", "Mpi.close", "", LINE),
        rank(2, Phase.BODY, Doing.COMPUTES, "", "", "", LINE))).isHeldUpAtAnEnd()).as("rank 2 may come").isFalse();
    for (String named : List.of("", "\"coupling\", ")) {
      assertThat(report(List.of(rank(0, Phase.LEAVES, Doing.WAITS, "MPI_Finalize", "Mpi.close", "", LINE),
          rank(1, Phase.BODY, Doing.WAITS, "MPI_Recv", "Comm.recv on " + named + RankPlace.INTERCOMM + "1 and 2 ranks", "",
              LINE)))
          .isHeldUpAtAnEnd())
          .as("the others may be another job's").isFalse();
    }
    assertThat(report(List.of(inBcast(0, LINE))).isHeldUpAtAnEnd()).isFalse();
    assertThat(report(List.of(rank(0, Phase.BODY, Doing.WAITS, "MPI_Comm_accept", "Comm.accept", "", LINE),
        rank(1, Phase.LEAVES, Doing.WAITS, "MPI_Finalize", "Mpi.close", "", LINE))).isHeldUpAtAnEnd())
        .as("another job may connect").isFalse();
  }

  @Test
  void differentPlacesOfEquallyManyAreSaidToBeDifferent() {
    assertThat(report(List.of(inBcast(0, LINE), inBcast(1, "Main.java:44 step()"))).text())
        .contains("  They wait at different places: a collective is to be called by all ranks");
  }

  @Test
  void whereAllComputeThereIsNoStall() {
    List<WatchedRank> ranks = List.of(rank(0, Phase.BODY, Doing.COMPUTES, "", "", "", LINE),
        rank(1, Phase.BODY, Doing.SLEEPS, "", "TimeUnit.sleep", "", LINE));
    assertThat(report(ranks).isAnybodyWaiting()).isFalse();
    assertThat(report(ranks).text()).contains("rank 0: computes for 61 s at " + LINE,
        "rank 1: waits outside of MPI for 61 s (TimeUnit.sleep) at " + LINE);
  }

  /** As where MPI was called in a pool, which has kept the exception, and the main thread waits for a result. */
  @Test
  void whereAllSleepItIsOne() {
    List<WatchedRank> ranks = List.of(rank(0, Phase.BODY, Doing.SLEEPS, "", "FutureTask.get", "", LINE),
        rank(1, Phase.BODY, Doing.SLEEPS, "", "FutureTask.get", "", LINE));
    assertThat(report(ranks).isAnybodyWaiting()).isTrue();
    assertThat(report(ranks).text()).isEqualTo("  ranks 0-1: wait outside of MPI for 61 s (FutureTask.get) at " + LINE + "\n");
  }

  @Test
  void whoHasLeftAndDoesNotEndIsNamed() {
    WatchedRank rank = inBcast(0, LINE);
    rank.leaves();
    long later = System.nanoTime() + TimeUnit.SECONDS.toNanos(70);
    StallReport report = new StallReport(List.of(rank), later, List.of(), List.of());
    assertThat(report.isAnybodyWaiting()).isTrue();
    assertThat(report.text()).contains("rank 0: has left MPI (Mpi.close) for 70 s, and the process does not end");
    rank.ends();
    assertThat(new StallReport(List.of(rank), later, List.of(), List.of()).isAnybodyWaiting()).isFalse();
  }

  @Test
  void whoHasDiedOrNeverCameIsNamed() {
    String text = new StallReport(List.of(inBcast(0, LINE)), System.nanoTime(), List.of(2, 4), List.of(1, 3)).text();
    assertThat(text).contains("ranks 1,3: have ended without closing MPI (died)",
        "ranks 2,4: have not been heard of");
  }

  @Test
  void theSamePlacesAreTheSameReport() {
    List<WatchedRank> ranks = List.of(inBcast(0, LINE), inBcast(1, LINE));
    assertThat(report(ranks).places()).isEqualTo(report(ranks).places());
    assertThat(report(ranks).places()).isNotEqualTo(report(List.of(inBcast(0, LINE), inBcast(1, "Main.java:44 f()"))).places());
  }
}
