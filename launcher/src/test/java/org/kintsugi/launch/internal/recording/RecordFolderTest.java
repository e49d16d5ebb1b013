// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.spec.LaunchException;

/** The folder of a recording: who may read it, what is refused, and what jmpirun writes into it. */
class RecordFolderTest {
  @TempDir
  private Path folder;

  @Test
  void onlyTheUserReadsIt() throws IOException {
    new RecordFolder(folder.resolve("new/one"), 0).make();
    assertThat(Files.getPosixFilePermissions(folder.resolve("new/one"))).isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void anotherRecordingIsKept() throws IOException {
    RecordFolder used = new RecordFolder(folder, 0);
    used.make();
    assertThatThrownBy(used::make).isInstanceOf(LaunchException.class).hasMessageContaining(folder.toString())
        .hasMessageContaining("a folder of its own");
    // A job that is started again records into another one.
    new RecordFolder(folder, 1).make();
    assertThat(folder.resolve("restart-1/unfinished")).isDirectory();
  }

  @Test
  void aPathThatEndsAnOptionIsRefused() {
    assertThatThrownBy(() -> new RecordFolder(folder.resolve("a,b"), 0)).isInstanceOf(LaunchException.class)
        .hasMessageContaining("a,b").hasMessageContaining("name another folder");
  }

  @Test
  void theOptionsNameTheFolder() {
    assertThat(new RecordFolder(folder, 0).jvmOptions(250)).contains("-Dkintsugi.record=true",
        "-Dkintsugi.record.calls.micros=250", "-XX:FlightRecorderOptions:repository=" + folder.resolve("unfinished"))
        .anyMatch(option -> option.startsWith("-XX:StartFlightRecording:filename=" + folder + ",settings=none"));
  }

  @Test
  void theLogIsReadAsItWasWritten() throws IOException {
    JobLog log = new RecordFolder(folder, 0).make();
    log.write(JobLog.Kind.BEGINS, "jmpirun\n-n 2");
    log.lost(42, "vm");
    assertThat(JobLog.read(folder)).extracting(JobLog.Line::kind, JobLog.Line::text).containsExactly(
        tuple(JobLog.Kind.BEGINS, "jmpirun -n 2"),
        tuple(JobLog.Kind.LOST, "42 vm"));
  }
}
