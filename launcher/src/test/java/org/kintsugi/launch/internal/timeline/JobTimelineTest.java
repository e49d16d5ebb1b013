// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.recording.JobLog;
import org.kintsugi.launch.internal.timeline.RecordedJob.Loss;
import org.kintsugi.launch.internal.timeline.RecordedJob.Recovered;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** The page of a job in which rank 1 fails, a spare replaces it, and a spare that was started later is not needed. */
class JobTimelineTest {
  private static final String BEGINS = "jmpirun -n 2 ... Main <x>";

  private final ProcessRecord survivor = Records.of("vm", 10, 0).phase(0, Phase.STARTS, 0).step(90, 100, "agree", 0)
      .epoch(101, 0, 0).phase(101, Phase.BODY, 0).piece(101, 3100, 0, 29, 1000).save(2000, 2050, 20).failure(3100)
      .step(3100, 3102, "roll back", -1).step(3102, 3110, "shrink", -1).step(3110, 3120, "agree", 1).epoch(3122, 1, 0, 1)
      .phase(3122, Phase.BODY, 0).phase(4000, Phase.LEFT_BODY, 0).phase(4010, Phase.LEFT, 0).record();
  private final ProcessRecord victim = Records.of("vm", 11, 1).phase(1, Phase.STARTS, 1).step(95, 100, "agree", 0)
      .epoch(101, 0, 1).phase(101, Phase.BODY, 1).piece(101, 2500, 0, 24, 100).record();
  private final ProcessRecord spare = Records.of("vm", 12, 2).phase(2, Phase.STARTS, 2).step(96, 100, "agree", 0)
      .epoch(101, 0, -1).phase(101, Phase.SPARE, 2).step(3103, 3110, "shrink", -1).step(3110, 3120, "agree", 1)
      .epoch(3121, 1, 1, 1).phase(3121, Phase.BODY, 1).phase(4010, Phase.LEFT, 1).record();
  private final ProcessRecord later = Records.startedLater("vm", 13).phase(3300, Phase.STARTS, 0).phase(3500, Phase.SPARE, -1)
      .record();

  private RecordedJob job;

  @BeforeEach
  void makeJob() {
    job = new RecordedJob(List.of(spare, victim, later, survivor), List.of(new JobLog.Line(0, JobLog.Kind.BEGINS, BEGINS),
        new JobLog.Line(3_090_000, JobLog.Kind.LOST, "11 vm"), new JobLog.Line(4_300_000, JobLog.Kind.LOST, "13 vm"),
        new JobLog.Line(4_400_000, JobLog.Kind.ENDS, "0")));
  }

  @Test
  void theLossHasItsTimeAndItsReplacement() {
    assertThat(job.losses()).containsExactly(new Loss(victim, 3_090_000, 1, 0, spare));
    assertThat(job.recoveries()).containsExactly(new Recovered(1, 3_090_000, 3_122_000, List.of(1)));
  }

  @Test
  void jmpirunsLaterClockDoesNotMoveALossPastItsDetection() {
    RecordedJob other = new RecordedJob(List.of(spare, victim, survivor),
        List.of(new JobLog.Line(9_000_000, JobLog.Kind.LOST, "11 vm")));
    assertThat(other.losses()).containsExactly(new Loss(victim, 3_100_000, 1, 0, spare));
  }

  @Test
  void aLossIsFoundWithoutTheLauncher() {
    RecordedJob other = new RecordedJob(List.of(spare, victim, survivor), List.of());
    assertThat(other.losses()).containsExactly(new Loss(victim, 2_500_000, 1, 0, spare));
  }

  @Test
  void linesAreInTheOrderOfRanksAndNamedByThem() {
    JobTimeline timeline = new JobTimeline(job);
    assertThat(job.processes()).containsExactly(survivor, victim, spare, later);
    assertThat(timeline).isNotNull();
    assertThat(job.processes().stream().map(one -> ProcessLine.of(one, job).name())).containsExactly("rank 0", "rank 1, fails",
        "spare, then rank 1", "new spare, not needed");
  }

  @Test
  void theBarsSayWhatWasDone() {
    assertThat(texts(survivor)).contains("iterations 0 to 29, 2999 ms, 33 % of it in MPI",
        "saves version 20, 50 ms, level memory, 8 bytes", "recovers: to epoch 1, 22 ms", "shrink, 8.00 ms", "agree, 10 ms");
    assertThat(texts(victim)).contains("the process had not flushed its last 590 ms when it failed",
        "rank 1 has failed and is being replaced by process 12 on vm, 31 ms");
    // The step to epoch 0 is the beginning of the run, and no recovery.
    assertThat(texts(spare)).contains("waits as a spare, 3020 ms", "shrink, 7.00 ms").doesNotContain("agree, 4.00 ms");
    // It slept, and so recorded nothing, until it was ended.
    assertThat(texts(later)).contains("waits as a spare, 0.00 ms");
  }

  private List<String> texts(ProcessRecord process) {
    return ProcessLine.of(process, job).bars().stream().map(Bar::text).toList();
  }

  @Test
  void thePageIsWholeAndNeedsNoOther() throws IOException {
    String page = new JobTimeline(job).page();
    assertThat(page).contains("4 processes, 1 process failure, 1 recovery. The job ended with code 0.",
        "At 3.090 s rank 1 (process 11 on vm) fails; process 12 on vm continues as rank 1 31 ms later, in epoch 1.",
        "<h2>Recovery to epoch 1: rank 1 failed, 32 ms</h2>", "</span>roll back</td>", "</span>shrink</td>", "</span>agree</td>",
        "epoch 1",
        "Main &lt;x&gt;", "no clock was moved");
    assertThat(page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "")).doesNotContain("http", "src=", "href=", "@import")
        .doesNotContainPattern("@[A-Z]+@").doesNotContainPattern("url\\((?!#)");
  }

  @Test
  void bothPicturesHaveALineForEachProcess() throws IOException {
    String page = new JobTimeline(job).page();
    for (String name : List.of("rank 0", "rank 1, fails", "spare, then rank 1", "new spare, not needed")) {
      assertThat(page.split(">" + name + "<", -1)).as(name).hasSize(3);
    }
  }

  @Test
  void ticksAreRoundNumbers() {
    assertThat(Drawing.tickStep(4_400_000)).isEqualTo(500_000);
    assertThat(Drawing.tickStep(32_000)).isEqualTo(5_000);
    assertThat(Drawing.tickStep(5)).isEqualTo(1);
  }

  @Test
  void aFolderWithoutARecordingIsRefused(@TempDir Path folder) throws IOException {
    assertThatThrownBy(() -> RecordedJob.read(folder)).isInstanceOf(LaunchException.class).hasMessageContaining("--record");
    assertThatThrownBy(() -> RecordedJob.read(folder.resolve("none"))).isInstanceOf(LaunchException.class)
        .hasMessageContaining("does not exist");
    Files.writeString(folder.resolve("broken.jfr"), "no recording");
    assertThatThrownBy(() -> RecordedJob.read(folder)).isInstanceOf(LaunchException.class)
        .hasMessageContaining(folder.toString());
  }
}
