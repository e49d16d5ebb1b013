// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.protocol.MessageCount;

/** The report about messages that were not received, or as another type. */
class MessageBalanceTest {
  private static final String JOB = "job";
  private static final String EPOCH = "epoch 0";

  private final MessageBalance messages = new MessageBalance(JOB);

  private void hear(String root, boolean isSent, int tag, String type, long count) {
    messages.hear(new MessageCount(root, root + ".1/0", "a communicator", 0, 1, isSent, tag, type,
        isSent ? "Comm.send, Main.java:1 main()" : "Comm.recv, Main.java:2 main()", count));
  }

  @Test
  void messagesThatMatchAreRightInAnyOrderOfReports() {
    hear(EPOCH, false, 7, "Int", 3);
    hear(EPOCH, true, 7, "Int", 2);
    hear(EPOCH, true, 7, "Int", 1);
    hear(EPOCH, true, 8, "Int", 1);
    hear(EPOCH, false, 8, "", 1);
    assertThat(messages.ends(EPOCH, 0, 2)).isNull();
    assertThat(messages.ends(EPOCH, 1, 2)).isNull();
  }

  @Test
  void whatNobodyHasReceived() {
    hear(EPOCH, true, 7, "Int", 3);
    hear(EPOCH, false, 7, "Int", 1);
    messages.ends(EPOCH, 0, 2);
    assertThat(messages.ends(EPOCH, 1, 2)).isEqualTo(
        "rank 0 has sent rank 1 2 messages on a communicator with tag 7 that nobody has received: Comm.send, Main.java:1 main()");
  }

  @Test
  void whatIsReceivedAsSomethingElse() {
    hear(EPOCH, true, 7, "Int", 1);
    hear(EPOCH, false, 7, "Float", 1);
    messages.ends(EPOCH, 0, 2);
    assertThat(messages.ends(EPOCH, 1, 2)).isEqualTo("rank 0 has sent rank 1 1 message on a communicator with tag 7 of Int "
        + "(Comm.send, Main.java:1 main()), received as Float (Comm.recv, Main.java:2 main())");
  }

  @Test
  void whatIsOfSeveralTypesIsNothingOfOneTypeThoughAPartMayBe() {
    hear(EPOCH, true, 7, "", 1);
    hear(EPOCH, false, 7, "Double", 1);
    hear(EPOCH, true, 8, "Int", 1);
    hear(EPOCH, false, 8, "", 1);
    messages.ends(EPOCH, 0, 2);
    assertThat(messages.ends(EPOCH, 1, 2)).isEqualTo("rank 0 has sent rank 1 1 message on a communicator with tag 7 of several "
        + "types (Comm.send, Main.java:1 main()), received as Double (Comm.recv, Main.java:2 main())");
  }

  @Test
  void afterADeathWhatWasUnderWayIsDroppedAndTheJobsOwnWorldIsNotJudgedAnyMore() {
    hear(EPOCH, true, 7, "Int", 1);
    messages.processFailed();
    hear(EPOCH, true, 7, "Int", 1);
    assertThat(messages.ends(EPOCH, 0, 1)).isNull();
    hear(JOB, true, 7, "Int", 1);
    assertThat(messages.ends(JOB, 0, 1)).isNull();
    hear("epoch 1", true, 7, "Int", 1);
    assertThat(messages.ends("epoch 1", 0, 1)).contains("nobody has received");
  }

  @Test
  void theFirstOfManyLinesAreThere() {
    for (int tag = 0; tag < 30; tag++) {
      hear(EPOCH, true, tag, "Int", 1);
    }
    assertThat(messages.ends(EPOCH, 0, 1).lines()).hasSize(20).last().isEqualTo("  ... and 11 lines more");
  }

  @Test
  void aLineIsReadAsItWasWritten() {
    MessageCount count = new MessageCount("r", "c", "n", 1, 2, true, 3, "", "p", 4);
    assertThat(MessageCount.ofLine(count.toLine())).isEqualTo(count);
  }
}
