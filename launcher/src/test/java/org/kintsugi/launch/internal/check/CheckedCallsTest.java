// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.protocol.CollectiveCall;
import org.kintsugi.runtime.internal.protocol.CommMember;

/** The comparison of calls: its messages, and when a process may go on. */
class CheckedCallsTest {
  private static final String WORLD = "epoch 0";
  private static final long LATER = TimeUnit.SECONDS.toNanos(3);

  private final CheckedCalls calls = new CheckedCalls();
  private final List<Long> gone = new ArrayList<>();

  private static CollectiveCall call(String comm, int rank, int size, String function, String root, String op, String signature) {
    return new CollectiveCall(comm, "the run's world", rank, size, function, "Comm.it",
        "Main.java:" + function.length() + " main()",
        root, op, signature.isEmpty() ? "" : signature + " elements", signature, "", "");
  }

  private void hear(int rank, String function, String root, String op, String signature) {
    calls.hear(call(WORLD, rank, 3, function, root, op, signature), 100 + rank, gone::add, new Object(), 0);
  }

  private void hear(int rank, String function) {
    hear(rank, function, "", "", "");
  }

  @Test
  void theSameCallsAreReleasedWhenTheLastHasCome() {
    hear(0, "MPI_Barrier");
    hear(2, "MPI_Barrier");
    assertThat(gone).isEmpty();
    hear(1, "MPI_Barrier");
    assertThat(gone).containsExactlyInAnyOrder(100L, 101L, 102L);
    assertThat(calls.verdict(LATER)).isNull();
  }

  @Test
  void callsThatDoNotWaitMayBeFarAhead() {
    for (int i = 0; i < 5; i++) {
      calls.hear(call(WORLD, 0, 2, "MPI_Ibarrier", "", "", ""), 0, gone::add, new Object(), 0);
    }
    calls.hear(call(WORLD, 0, 2, "MPI_Bcast", "0", "", ""), 7, gone::add, new Object(), 0);
    for (int i = 0; i < 5; i++) {
      calls.hear(call(WORLD, 1, 2, "MPI_Ibarrier", "", "", ""), 0, gone::add, new Object(), 0);
    }
    assertThat(gone).isEmpty();
    calls.hear(call(WORLD, 1, 2, "MPI_Bcast", "1", "", ""), 8, gone::add, new Object(), 0);
    assertThat(calls.verdict(LATER)).contains("(call 6 on it)", "The root has to be the same");
    assertThat(gone).isEmpty();
  }

  @Test
  void theTableSaysWhoCallsWhatAndWhere() {
    hear(0, "MPI_Allreduce", "", "SUM", "1.7");
    hear(1, "MPI_Bcast", "0", "", "1.7");
    assertThat(calls.verdict(0)).as("the others' calls belong into it").isNull();
    assertThat(calls.isDifferent()).isTrue();
    assertThat(calls.verdict(LATER)).isEqualTo("the ranks of the run's world do not call the same (call 1 on it):\n"
        + "  rank 0: MPI_Allreduce (Comm.it), SUM, 1.7 elements, Main.java:13 main()\n"
        + "  rank 1: MPI_Bcast (Comm.it), root 0, 1.7 elements, Main.java:9 main()\n"
        + "  rank 2: has not come to it yet\n"
        + "  All ranks of a communicator call its collectives in the same order: look at the condition that leads to each line, "
        + "or at the exception (a collective in finally, a Future that nobody asks).");
    hear(2, "MPI_Allreduce", "", "SUM", "1.7");
    assertThat(calls.verdict(LATER)).contains("ranks 0,2: MPI_Allreduce").doesNotContain("not come");
    assertThat(gone).isEmpty();
  }

  @Test
  void eachArgumentOnWhichAllMustAgreeIsCompared() {
    String[][] different = {{"0", "SUM", "5.1", "1", "SUM", "5.1", "root"}, {"0", "SUM", "5.1", "0", "MAX", "5.1", "operation"},
        {"0", "SUM", "5.1", "0", "SUM", "6.1", "Count and type"}, {"0", "SUM", "5.1", "0", "SUM", "5.2", "Count and type"}};
    for (int i = 0; i < different.length; i++) {
      String[] one = different[i];
      CheckedCalls fresh = new CheckedCalls();
      fresh.hear(call(WORLD, 0, 2, "MPI_Reduce", one[0], one[1], one[2]), 1, gone::add, new Object(), 0);
      fresh.hear(call(WORLD, 1, 2, "MPI_Reduce", one[3], one[4], one[5]), 2, gone::add, new Object(), 0);
      assertThat(fresh.verdict(LATER)).contains(one[6]);
    }
    hear(0, "MPI_Bcast");
    hear(1, "MPI_Ibcast");
    assertThat(calls.verdict(LATER)).contains("all ranks use the same form");
  }

  @Test
  void partsAreComparedBetweenWhoSendsAndWhoExpects() {
    CollectiveCall root = new CollectiveCall(WORLD, "w", 0, 3, "MPI_Gatherv", "", "", "0", "", "", "", ",,", ",4.1,5.1");
    CollectiveCall right = new CollectiveCall(WORLD, "w", 1, 3, "MPI_Gatherv", "", "", "0", "", "", "", "4.1,,", ",,");
    CollectiveCall wrong = new CollectiveCall(WORLD, "w", 2, 3, "MPI_Gatherv", "", "", "0", "", "", "", "6.1,,", ",,");
    calls.hear(right, 1, gone::add, new Object(), 0);
    calls.hear(root, 2, gone::add, new Object(), 0);
    assertThat(calls.isDifferent()).isFalse();
    calls.hear(wrong, 3, gone::add, new Object(), 0);
    assertThat(calls.verdict(LATER)).contains("Rank 2 sends 6 elements to rank 0, which expects 5 elements from it.");
  }

  @Test
  void aDeathLetsAllGoAndNothingThatWasThereIsComparedAnyMore() {
    hear(0, "MPI_Barrier");
    hear(1, "MPI_Bcast");
    assertThat(calls.processFailed(0)).as("the death may have led to it").isNull();
    assertThat(gone).containsExactlyInAnyOrder(100L, 101L);
    assertThat(calls.verdict(LATER)).isNull();
    hear(1, "MPI_Reduce");
    assertThat(gone).containsExactly(100L, 101L, 101L);
    calls.hear(call("epoch 1", 0, 2, "MPI_Barrier", "", "", ""), 7, gone::add, new Object(), 0);
    calls.hear(call("epoch 1", 1, 2, "MPI_Bcast", "", "", ""), 8, gone::add, new Object(), 0);
    assertThat(calls.verdict(LATER)).contains("MPI_Barrier").contains("MPI_Bcast");
  }

  @Test
  void aDeathLongAfterADifferenceDoesNotHideIt() {
    hear(0, "MPI_Barrier");
    hear(1, "MPI_Bcast");
    assertThat(calls.processFailed(LATER)).contains("rank 0: MPI_Barrier", "rank 1: MPI_Bcast", "rank 2: has not come to it yet");
    assertThat(gone).isEmpty();
  }

  @Test
  void aFailureThatARankKnowsOfIsOneOfThatCommunicator() {
    calls.hear(call("other", 0, 2, "MPI_Barrier", "", "", ""), 7, gone::add, new Object(), 0);
    hear(0, "MPI_Barrier");
    calls.abandon(WORLD);
    assertThat(gone).containsExactly(100L);
    hear(1, "MPI_Bcast");
    assertThat(gone).containsExactly(100L, 101L);
    calls.hear(call("other", 1, 2, "MPI_Bcast", "", "", ""), 8, gone::add, new Object(), 0);
    assertThat(calls.verdict(LATER)).isNotNull();
  }

  private final Object[] processes = {new Object(), new Object(), new Object()};

  /** A communicator of some of the processes. */
  private void made(String comm, int... ranks) {
    for (int rank = 0; rank < ranks.length; rank++) {
      calls.addMember(new CommMember(comm, rank, ranks.length, "mpi.world()", ranks[rank]), processes[ranks[rank]]);
    }
  }

  private void waits(String comm, int rank, int size, int process, String function) {
    CollectiveCall call = new CollectiveCall(comm, "\"" + comm + "\"", rank, size, function, "Comm.it", "Main.java:" + process
        + " main()", "", "", "", "", "", "");
    calls.hear(call, 100 + process, gone::add, processes[process], 0);
  }

  private String late() {
    assertThat(calls.verdict(0)).isNull();
    return calls.verdict(LATER);
  }

  @Test
  void ranksThatWaitInACircleOfCommunicatorsAreNamed() {
    made("all", 0, 1, 2);
    made("pair", 1, 2);
    waits("all", 0, 3, 0, "MPI_Barrier");
    waits("all", 1, 3, 1, "MPI_Barrier");
    assertThat(late()).as("rank 2 may still come").isNull();
    waits("pair", 1, 2, 2, "MPI_Bcast");
    assertThat(calls.verdict(LATER)).as("the others' calls belong into it").isNull();
    assertThat(calls.isDifferent()).isTrue();
    assertThat(calls.verdict(2 * LATER)).isEqualTo("ranks of mpi.world() wait for one another in different communicators:\n"
        + "  rank 0: MPI_Barrier (Comm.it on \"all\"), Main.java:0 main(), waits for rank 2\n"
        + "  rank 1: MPI_Barrier (Comm.it on \"all\"), Main.java:1 main(), waits for rank 2\n"
        + "  rank 2: MPI_Bcast (Comm.it on \"pair\"), Main.java:2 main(), waits for rank 1\n"
        + "  These ranks wait for one another. A rank in several communicators must call their collectives in the same order as "
        + "the other ranks; look at the condition that leads to each line.");
  }

  @Test
  void aRankThatIsAwaitedAndMayComeMakesNoCircle() {
    made("all", 0, 1, 2);
    made("pair", 1, 2);
    made("other", 0, 1);
    waits("all", 0, 3, 0, "MPI_Barrier");
    waits("pair", 0, 2, 1, "MPI_Barrier");
    assertThat(late()).as("1 waits for 2, which computes").isNull();
    waits("pair", 1, 2, 2, "MPI_Barrier");
    assertThat(gone).containsExactlyInAnyOrder(101L, 102L);
    waits("other", 1, 2, 1, "MPI_Barrier");
    waits("all", 2, 3, 2, "MPI_Barrier");
    assertThat(calls.verdict(LATER)).isNull();
    assertThat(calls.verdict(2 * LATER)).as("0 waits for 1 on all, and 1 for 0 on another one").contains("\"other\"", "\"all\"");
    calls.abandon("other");
    assertThat(calls.verdict(3 * LATER)).as("1 goes on").isNull();
    assertThat(calls.isDifferent()).isFalse();
  }

  @Test
  void whatDoesNotWaitClosesNoCircle() {
    made("all", 0, 1);
    made("copy", 0, 1);
    waits("all", 0, 2, 0, "MPI_Barrier");
    CollectiveCall begun = new CollectiveCall("copy", "c", 1, 2, "MPI_Ibarrier", "", "", "", "", "", "", "", "");
    calls.hear(begun, 0, gone::add, processes[1], 0);
    assertThat(late()).isNull();
    waits("copy", 1, 2, 1, "MPI_Barrier");
    assertThat(calls.verdict(LATER)).isNull();
    assertThat(calls.verdict(2 * LATER)).contains("different communicators");
  }

  /** Ranks 0 and 1 are one group, 2 and 3 the other. */
  private static String ofBothGroups(String... roots) {
    CheckedCalls calls = new CheckedCalls();
    for (int rank = 0; rank < roots.length; rank++) {
      calls
          .hear(new CollectiveCall("i", "an intercommunicator", rank, 4, "MPI_Bcast", "Comm.it", "Main.java:" + rank, roots[rank],
              "", "", "", "", ""), 1, number -> {}, new Object(), 0);
    }
    return calls.verdict(LATER);
  }

  @Test
  void theRootOfAnIntercommunicatorIsOneRank() {
    String root = CollectiveCall.isRoot(0);
    String beside = CollectiveCall.isBesideRoot(0, 1);
    String besideThere = CollectiveCall.isBesideRoot(2, 3);
    assertThat(ofBothGroups(root, beside, "0", "0")).isNull();
    assertThat(ofBothGroups(beside, CollectiveCall.isRoot(1), "1", "1")).isNull();
    assertThat(ofBothGroups(root, beside, "0", "1")).contains("rank 3: MPI_Bcast (Comm.it), root 1", "Intercomm.ROOT");
    assertThat(ofBothGroups(root, CollectiveCall.isRoot(1), "0", "0")).contains("rank 1: MPI_Bcast (Comm.it), root 1 (ROOT)",
        "Intercomm.ROOT");
    assertThat(ofBothGroups(beside, beside, "0", "0")).as("nobody is it").contains("root PROC_NULL", "Intercomm.ROOT");
    assertThat(ofBothGroups(root, "2", "0", "0")).as("of the root's own group").contains("rank 1: ", "Intercomm.ROOT");
    assertThat(ofBothGroups(root, beside, besideThere, "0")).as("of the other group").contains("rank 2: ", "Intercomm.ROOT");
    assertThat(ofBothGroups("2", "2", "0", "0")).as("both send").isNotNull();
  }

  @Test
  void aMemberIsReadAsItWasWritten() {
    CommMember member = new CommMember("epoch 1.4/2", 3, 4, "the run's world", 7);
    assertThat(CommMember.ofLine(member.toLine())).isEqualTo(member);
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    CollectiveCall call = new CollectiveCall("c", "n\tm", 3, 4, "f", "call", "line", "", "op", "", "", "1,2", ",");
    CollectiveCall read = CollectiveCall.ofLine(call.toLine());
    assertThat(read).usingRecursiveComparison().ignoringFields("name").isEqualTo(call);
    assertThat(read.name()).isEqualTo("n m");
  }
}
