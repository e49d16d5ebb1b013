// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.beginner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kintsugi.ci.ranks.NamedLines;
import org.kintsugi.launch.Job;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** The user's report of each of the {@link Mistakes}, under {@code --check}: the calls, and each line of the program. */
@Tag("flavours")
@Tag("once") // CheckTest and StallTest are on the fork, too
@Execution(ExecutionMode.CONCURRENT)
class MistakesTest {
  private static final int RANKS = 3;
  private static final int LIMIT_SECONDS = 90;
  /** Longer than ranks wait for each other when they start, on a busy machine as well. */
  private static final int STALL_SECONDS = 8;

  /** How it comes out. */
  private enum By {
    /** The comparison of collectives, at once. */
    TABLE(ExitCodes.DIFFERENT_CALLS, "do not call the same (call "),
    /** Ranks that wait for one another in collectives of different communicators, at once as well. */
    CIRCLE(ExitCodes.DIFFERENT_CALLS, "ranks of mpi.world() wait for one another in different communicators:"),
    /** Ranks that wait for one another, each in a call that is right by itself. */
    STALL(Job.TIMED_OUT, "no rank has made progress for " + STALL_SECONDS + " s"),
    /** Mistakes that are seen at the end of a program that ends well. */
    LIST(0, ""),
    /** An exception. */
    EXCEPTION(1, "Exception: ");

    private final int exitCode;
    private final String words;

    By(int exitCode, String words) {
      this.exitCode = exitCode;
      this.words = words;
    }
  }

  /** A program, and the message on it. */
  private record Case(Class<?> program, By by, List<String> words) {
    static Case of(Class<?> program, By by, String... words) {
      return new Case(program, by, List.of(words));
    }

    @Override
    public String toString() {
      return program.getSimpleName() + " (" + by + ")";
    }
  }

  static Stream<Case> cases() {
    return Stream.of(
        Case.of(Mistakes.WrongRoot.class, By.TABLE, "rank 1: MPI_Bcast (Comm.bcast), root 1", "The root has to be the same"),
        Case.of(Mistakes.WrongOrder.class, By.TABLE, "rank 0: MPI_Bcast", "ranks 1-2: MPI_Barrier", "in the same order"),
        Case.of(Mistakes.LeavesTheLoopAlone.class, By.TABLE, "MPI_Allreduce", "MPI_Finalize (Mpi.close)"),
        Case.of(Mistakes.ThrowsOnOneRank.class, By.TABLE, "rank 2: MPI_Finalize (Mpi.close)", "that is printed below",
            "ArrayIndexOutOfBoundsException: Index 2 out of bounds for length 2"),
        Case.of(Mistakes.WrongCommunicator.class, By.CIRCLE, "rank 2: MPI_Barrier (Comm.barrier on \"library\"), ",
            ", waits for ranks 0-1", "ranks 0-1: MPI_Barrier (Comm.barrier on mpi.world()), ", ", wait for rank 2"),
        Case.of(Mistakes.WrongExchange.class, By.TABLE, "MPI_Alltoallv", " elements to rank ", ", which expects "),
        Case.of(Mistakes.MissingReceive.class, By.LIST, "rank 2 has sent rank 0 1 message", "that nobody has received"),
        Case.of(Mistakes.WrongTag.class, By.STALL, "rank 1: waits for 8 s in MPI_Recv", "from rank 0, tag 8",
            "The odd one out: rank 1"),
        Case.of(Mistakes.WrongTypeOfMessage.class, By.LIST, "of Int (Comm.send", "received as Float (Comm.recv"),
        Case.of(Mistakes.MessageTooLong.class, By.EXCEPTION, "TruncationException", "MPI_Recv"),
        Case.of(Mistakes.NeverWaits.class, By.LIST, "a request is still under way, or nobody has asked"),
        Case.of(Mistakes.JobsWorldInTheBody.class, By.EXCEPTION, "use run.world()"),
        Case.of(Mistakes.LeavesTheBodyEarly.class, By.TABLE, "rank 0: end of the body (Reinit.run)",
            "ranks 1-2: MPI_Allreduce"));
  }

  /** Twins of those above: found by the same mechanism. */
  static Stream<Case> more() {
    return Stream.of(
        Case.of(Mistakes.WrongCount.class, By.TABLE, "rank 0: MPI_Allreduce", "34 x Double", "33 x Double", "Count and type"),
        Case.of(Mistakes.BlocksAndDoesNot.class, By.TABLE, "rank 1: MPI_Ibcast", "ranks 0,2: MPI_Bcast", "the same form"),
        Case.of(Mistakes.WrongParts.class, By.TABLE, "Rank 2 sends 5 elements to rank 0, which expects 4 elements from it"),
        Case.of(Mistakes.CoupledByOtherCalls.class, By.TABLE, "the ranks of an intercommunicator (ranks 0 to ",
            "MPI_Bcast (Comm.bcast)", "MPI_Allreduce (Comm.allReduce)"),
        Case.of(Mistakes.CoupledWithTwoRoots.class, By.TABLE, "root 1 (ROOT)", "root 2 (ROOT)",
            "The root has to be the same in both groups"),
        Case.of(Mistakes.GroupInAnotherOrder.class, By.TABLE, "the ranks of a communicator of 2 ranks do not call the same",
            "rank 0: MPI_Barrier", "rank 1: MPI_Allreduce"),
        Case.of(Mistakes.StartsTwice.class, By.EXCEPTION, "request is in flight: wait for it before you start it again"),
        Case.of(Mistakes.ClosedBuffer.class, By.EXCEPTION, "is closed"),
        Case.of(Mistakes.SavesOnOneRank.class, By.TABLE, "rank 0: Checkpoint.save", "ranks 1-2: MPI_Allreduce"),
        Case.of(Mistakes.WrongType.class, By.TABLE, "3 x Float", "3 x Int", "Count and type"),
        Case.of(Mistakes.WrongOperation.class, By.TABLE, "rank 0: MPI_Allreduce (Comm.allReduce), SUM", "MAX", "The operation"),
        Case.of(Mistakes.ReducesOnOneRank.class, By.TABLE, "rank 0: MPI_Allreduce", "ranks 1-2: MPI_Barrier"),
        Case.of(Mistakes.SplitsOnOneRank.class, By.TABLE, "rank 0: MPI_Comm_split (Comm.split)", "ranks 1-2: MPI_Allreduce"),
        Case.of(Mistakes.LivingInAnotherOrder.class, By.TABLE, "the ranks of a communicator of 3 ranks do not call the same",
            "ranks 0-1: MPI_Bcast", "rank 2: MPI_Barrier"),
        Case.of(Mistakes.WaitsTwice.class, By.LIST, "rank 0 has sent rank 1 1 message", "that nobody has received"),
        Case.of(Mistakes.WrongRank.class, By.EXCEPTION, "dest 3 is no rank of this communicator: 0 to 2"),
        Case.of(Mistakes.AllReceiveFirst.class, By.STALL, "ranks 0-2: wait for 8 s in MPI_Recv", "rank 0 from rank 2, tag 1"),
        Case.of(Mistakes.AllSendFirst.class, By.STALL, "ranks 0-2: wait for 8 s in MPI_Send", "rank 0 to rank 1, tag 1"),
        Case.of(Mistakes.ExchangesWithOneNeighbour.class, By.STALL, "ranks 0-2: wait for 8 s in MPI_Sendrecv (Comm.sendRecv",
            "rank 0 to rank 1, tag 1, from rank 1, tag 1"));
  }

  /** The lines as a message has them after the file's name. */
  private static List<String> linesToName(Class<?> program) throws IOException {
    List<String> lines = Files.readAllLines(NamedLines.file(Mistakes.class));
    List<String> named = new ArrayList<>();
    int first = 0;
    while (!lines.get(first).endsWith("static final class " + program.getSimpleName() + " {")) {
      first++;
    }
    for (int i = first; !lines.get(i).equals("  }"); i++) {
      if (lines.get(i).contains("// NAMED")) {
        named.add("Mistakes.java:" + (i + 1));
      }
    }
    assertThat(named).isNotEmpty();
    return named;
  }

  @Tag("series")
  @ParameterizedTest
  @MethodSource("more")
  void aTwinOfAMistakeIsNamed(Case one) throws IOException {
    aMistakeIsNamed(one);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aMistakeIsNamed(Case one) throws IOException {
    if (one.program == Mistakes.LivingInAnotherOrder.class) {
      RankJob.assumeFlavour(Flavour.ULFM, "shrink is ULFM's");
    }
    RankJob.Outcome outcome =
        RankJob.of(RANKS, 0).timeoutSeconds(LIMIT_SECONDS).stall(one.by == By.STALL ? STALL_SECONDS : LIMIT_SECONDS, true)
            .check().run(one.program);
    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(one.by.exitCode);
    String output = outcome.output().replaceAll("for \\d+ s", "for " + STALL_SECONDS + " s");
    assertThat(output).contains(one.by.words).contains(one.words).contains(linesToName(one.program))
        .as("by the mistake, and not by a hang").doesNotContain("a limit has struck");
  }
}
