// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.timeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.kintsugi.launch.internal.recording.RecordFolder;
import org.kintsugi.launch.internal.timeline.ProcessRecord.EpochMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.FailureMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.PhaseMark;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Piece;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Span;
import org.kintsugi.launch.internal.timeline.ProcessRecord.Step;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/**
 * Reads what the processes of a job have recorded.
 *
 * <p>A process that ended in order has one file in the folder. A process that was killed has a folder of files in
 * {@link RecordFolder#UNFINISHED}, the last of which was never completed. Such a file is read as far as it goes.
 */
final class RecordingReader {
  private static final String OURS = "kintsugi.";
  private static final String PROCESS = OURS + "Process";
  private static final String PAUSE = "jdk.GarbageCollection";

  /** Shorter pauses do not show. */
  private static final long LEAST_PAUSE_MICROS = 1000;

  private RecordingReader() {}

  /**
   * The processes that have recorded.
   *
   * @throws LaunchException if the folder has no recording of Kintsugi's events
   */
  static List<ProcessRecord> read(Path folder) throws IOException {
    List<ProcessRecord> processes = new ArrayList<>();
    for (List<Path> files : filesByProcess(folder)) {
      ProcessRecord process = process(files);
      if (process != null) {
        processes.add(process);
      }
    }
    if (processes.isEmpty()) {
      throw new LaunchException(
          folder + ": no process has recorded Kintsugi's events there: name the folder that jmpirun --record "
              + "was given, and copy the folders of other hosts into it");
    }
    return processes;
  }

  private static List<List<Path>> filesByProcess(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new LaunchException(folder + ": this folder does not exist: name the one that jmpirun --record was given");
    }
    List<List<Path>> all = new ArrayList<>();
    Map<Path, List<Path>> unfinished = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(one -> one.toString().endsWith(".jfr") && Files.isRegularFile(one)).sorted().toList()) {
        if (file.getParent().equals(folder)) {
          all.add(List.of(file));
        } else if (folder.relativize(file).startsWith(RecordFolder.UNFINISHED)) {
          unfinished.computeIfAbsent(file.getParent(), parent -> new ArrayList<>()).add(file);
        }
      }
    }
    all.addAll(unfinished.values());
    return all;
  }

  /** Null if there is no event by which it is known whose file this is. */
  private static ProcessRecord process(List<Path> files) {
    List<RecordedEvent> events = new ArrayList<>();
    for (Path file : files) {
      addEvents(file, events);
    }
    events.sort(Comparator.comparing(RecordedEvent::getStartTime));
    RecordedEvent identity = events.stream().filter(event -> event.getEventType().getName().equals(PROCESS)).findFirst()
        .orElse(null);
    if (identity == null) {
      return null;
    }
    ProcessRecord process = new ProcessRecord(identity.getString("host"), identity.getLong("processId"),
        identity.getInt("launchRank"), identity.getLong("started"));
    for (RecordedEvent event : events) {
      if (event.getEventType().getName().startsWith(OURS)) {
        process.saw(begin(event), end(event));
        add(event, process);
      } else if (event.getEventType().getName().equals(PAUSE) && end(event) - begin(event) >= LEAST_PAUSE_MICROS) {
        process.pauses.add(new Span(begin(event), end(event), "garbage collection", event.getString("name")));
      }
    }
    return process;
  }

  private static void addEvents(Path file, List<RecordedEvent> events) {
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        RecordedEvent event = recording.readEvent();
        String name = event.getEventType().getName();
        if (name.startsWith(OURS) || name.equals(PAUSE)) {
          events.add(event);
        }
      }
    } catch (IOException | RuntimeException end) {
      // The end of a file that its process did not complete. What was read counts.
    }
  }

  private static long begin(RecordedEvent event) {
    return micros(event.getStartTime());
  }

  private static long end(RecordedEvent event) {
    return micros(event.getEndTime());
  }

  private static long micros(Instant time) {
    return TimeUnit.SECONDS.toMicros(time.getEpochSecond()) + TimeUnit.NANOSECONDS.toMicros(time.getNano());
  }

  private static void add(RecordedEvent event, ProcessRecord process) {
    long begin = begin(event);
    long end = end(event);
    switch (event.getEventType().getName().substring(OURS.length())) {
      case "Phase" -> process.phases.add(new PhaseMark(begin, Phase.valueOf(event.getString("phase")), event.getInt("rank")));
      case "Failure" -> process.failures.add(new FailureMark(begin, event.getString("message")));
      case "RecoveryStep" -> process.steps.add(new Step(begin, end, event.getString("step"), event.getInt("together")));
      case "Epoch" -> process.epochs.add(new EpochMark(begin, event.getInt("epoch"), event.getInt("rank"), event.getInt("size"),
          event.getString("state"), ProcessRecord.ranks(event.getString("failed"))));
      case "Iterations" -> process.pieces.add(new Piece(begin, end, event.getLong("first"), event.getLong("last"),
          TimeUnit.NANOSECONDS.toMicros(event.getDuration("inMpi").toNanos())));
      case "Save" -> process.saves.add(new Span(begin, end, "saves version " + event.getLong("version"),
          "level " + event.getString("level") + ", " + event.getLong("bytes") + " bytes"));
      case "Restore" -> process.restores.add(restore(begin, end, event));
      case "Call" -> process.calls.add(new Span(begin, end, event.getString("function"), ""));
      default -> {
        // An event of another version, which this one cannot draw.
      }
    }
  }

  private static Span restore(long begin, long end, RecordedEvent event) {
    long version = event.getLong("version");
    return version < 0 ? new Span(begin, end, "restores: there is no version", "")
        : new Span(begin, end, "restores version " + version, "level " + event.getString("level"));
  }
}
