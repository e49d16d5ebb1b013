// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.CollectiveCall;

/** What is said of the calls of a communicator's processes, and who is let go when. */
class CheckedCallsTest {
  private static final String WORLD = "epoch 0";
  private static final long LATER = TimeUnit.SECONDS.toNanos(1);

  private final CheckedCalls calls = new CheckedCalls();
  private final List<Long> gone = new ArrayList<>();

  private static CollectiveCall call(String comm, int rank, int size, String function, String root, String op, String signature) {
    return new CollectiveCall(comm, "the run's world", rank, size, function, "Comm.it",
        "Main.java:" + function.length() + " main()",
        root, op, signature.isEmpty() ? "" : signature + " elements", signature, "", "");
  }

  private void hear(int rank, String function, String root, String op, String signature) {
    calls.hear(call(WORLD, rank, 3, function, root, op, signature), 100 + rank, gone::add, 0);
  }

  private void hear(int rank, String function) {
    hear(rank, function, "", "", "");
  }

  @Test
  void theSameCallsAreLetGoWhenTheLastHasCome() {
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
      calls.hear(call(WORLD, 0, 2, "MPI_Ibarrier", "", "", ""), 0, gone::add, 0);
    }
    calls.hear(call(WORLD, 0, 2, "MPI_Bcast", "0", "", ""), 7, gone::add, 0);
    for (int i = 0; i < 5; i++) {
      calls.hear(call(WORLD, 1, 2, "MPI_Ibarrier", "", "", ""), 0, gone::add, 0);
    }
    assertThat(gone).isEmpty();
    calls.hear(call(WORLD, 1, 2, "MPI_Bcast", "1", "", ""), 8, gone::add, 0);
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
      fresh.hear(call(WORLD, 0, 2, "MPI_Reduce", one[0], one[1], one[2]), 1, gone::add, 0);
      fresh.hear(call(WORLD, 1, 2, "MPI_Reduce", one[3], one[4], one[5]), 2, gone::add, 0);
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
    calls.hear(right, 1, gone::add, 0);
    calls.hear(root, 2, gone::add, 0);
    assertThat(calls.isDifferent()).isFalse();
    calls.hear(wrong, 3, gone::add, 0);
    assertThat(calls.verdict(LATER)).contains("Rank 2 sends 6 elements to rank 0, which expects 5 elements from it.");
  }

  @Test
  void aDeathLetsAllGoAndNothingThatWasThereIsComparedAnyMore() {
    hear(0, "MPI_Barrier");
    hear(1, "MPI_Bcast");
    calls.somebodyDied();
    assertThat(gone).containsExactlyInAnyOrder(100L, 101L);
    assertThat(calls.verdict(LATER)).isNull();
    hear(1, "MPI_Reduce");
    assertThat(gone).containsExactly(100L, 101L, 101L);
    calls.hear(call("epoch 1", 0, 2, "MPI_Barrier", "", "", ""), 7, gone::add, 0);
    calls.hear(call("epoch 1", 1, 2, "MPI_Bcast", "", "", ""), 8, gone::add, 0);
    assertThat(calls.verdict(LATER)).contains("MPI_Barrier").contains("MPI_Bcast");
  }

  @Test
  void aFailureThatARankKnowsOfIsOneOfThatCommunicator() {
    calls.hear(call("other", 0, 2, "MPI_Barrier", "", "", ""), 7, gone::add, 0);
    hear(0, "MPI_Barrier");
    calls.giveUp(WORLD);
    assertThat(gone).containsExactly(100L);
    hear(1, "MPI_Bcast");
    assertThat(gone).containsExactly(100L, 101L);
    calls.hear(call("other", 1, 2, "MPI_Bcast", "", "", ""), 8, gone::add, 0);
    assertThat(calls.verdict(LATER)).isNotNull();
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    CollectiveCall call = new CollectiveCall("c", "n\tm", 3, 4, "f", "call", "line", "", "op", "", "", "1,2", ",");
    CollectiveCall read = CollectiveCall.ofLine(call.toLine());
    assertThat(read).usingRecursiveComparison().ignoringFields("name").isEqualTo(call);
    assertThat(read.name()).isEqualTo("n m");
  }
}
