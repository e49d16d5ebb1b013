// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** What a recording has of a process that recovers. */
class FlightEventsTest {
  @TempDir
  private Path folder;

  private List<RecordedEvent> record(Runnable work) throws IOException {
    try (Recording recording = new Recording()) {
      recording.start();
      work.run();
      recording.stop();
      Path file = folder.resolve("x.jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream().filter(event -> event.getEventType().getName().startsWith("kintsugi."))
          .toList();
    }
  }

  private static List<RecordedEvent> of(List<RecordedEvent> events, String name) {
    return events.stream().filter(event -> event.getEventType().getName().equals("kintsugi." + name)).toList();
  }

  @Test
  void aProcessThatIsNotRecordedReportsNothing() {
    assertThat(JobEvents.ARE_ON).isFalse();
    assertThat(JobEvents.now().getClass()).isEqualTo(JobEvents.class);
  }

  @Test
  void theStepsOfARecoveryFollowOneAnother() throws IOException {
    List<RecordedEvent> events = record(() -> {
      JobEvents process = FlightEvents.ofThisProcess();
      process.begin(3);
      process.phase(Phase.BODY, 1);
      process.failure("rank 0 has failed");
      process.step(RecoveryStep.ROLL_BACK);
      process.step(RecoveryStep.SHRINK);
      process.step(RecoveryStep.AGREE);
      process.together(1);
      process.step(RecoveryStep.ENTER);
      process.epoch(1, 1, 2, "REINITED", List.of(0, 5));
    });
    assertThat(of(events, "Process")).singleElement().satisfies(event -> {
      assertThat(event.getLong("processId")).isEqualTo(ProcessHandle.current().pid());
      assertThat(event.getInt("launchRank")).isEqualTo(3);
    });
    assertThat(of(events, "Phase")).extracting(event -> event.getString("phase")).containsExactlyInAnyOrder("STARTS", "BODY");
    assertThat(of(events, "Failure")).extracting(event -> event.getString("message")).containsExactly("rank 0 has failed");
    assertThat(of(events, "RecoveryStep")).extracting(event -> event.getString("step") + " " + event.getInt("together"))
        .containsExactlyInAnyOrder("roll back -1", "shrink -1", "agree 1", "enter -1");
    assertThat(of(events, "Epoch")).extracting(event -> event.getString("failed")).containsExactly("0,5");
  }

  @Test
  void shortIterationsAreReportedTogetherWithTheTimeOfTheirCalls() throws IOException {
    List<RecordedEvent> events = record(() -> {
      JobEvents process = FlightEvents.ofThisProcess();
      process.phase(Phase.BODY, 0);
      for (int i = 0; i < 100; i++) {
        process.iteration(i);
      }
      TimedCall call = TimedCall.begins();
      sleep(20);
      call.ends("MPI_Recv");
      TimedCall.begins().ends("MPI_Send");
      process.step(RecoveryStep.ROLL_BACK);
    });
    List<RecordedEvent> pieces = of(events, "Iterations");
    assertThat(pieces).hasSizeBetween(1, 10);
    RecordedEvent last = pieces.stream().filter(piece -> piece.getLong("last") == 99).findFirst().orElseThrow();
    assertThat(last.getDuration("inMpi")).isGreaterThanOrEqualTo(Duration.ofMillis(20)).isLessThanOrEqualTo(last.getDuration());
    // The short call only counts in the sum.
    assertThat(of(events, "Call")).extracting(event -> event.getString("function")).contains("MPI_Recv")
        .doesNotContain("MPI_Send");
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void savesAndRestoresHaveTheirLevel() throws IOException {
    List<RecordedEvent> events = record(() -> {
      JobEvents process = FlightEvents.ofThisProcess();
      process.saving(7);
      process.saved("xor", 80);
      process.saving(8); // fails: its end is not reported
      process.restoring();
      process.takenFrom("file");
      process.restored(7, "memory,file:2");
      process.restoring();
      process.restored(8, "memory");
      process.restoring();
      process.restored(-1, "memory");
    });
    assertThat(of(events, "Save")).singleElement().satisfies(event -> {
      assertThat(event.getLong("version")).isEqualTo(7);
      assertThat(event.getString("level")).isEqualTo("xor");
      assertThat(event.getLong("bytes")).isEqualTo(80);
    });
    assertThat(of(events, "Restore")).extracting(event -> event.getLong("version") + " " + event.getString("level"))
        .containsExactlyInAnyOrder("7 file", "8 memory", "-1 ");
  }
}
