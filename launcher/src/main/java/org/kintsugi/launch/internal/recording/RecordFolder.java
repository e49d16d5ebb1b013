// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * The folder into which {@code jmpirun --record} has all processes of a job record.
 *
 * <p>A JVM writes its events into a folder of its own in {@link #UNFINISHED}, and moves them into a file when it ends. A process
 * that is killed leaves its folder, with all events that were flushed: those until a second before its end.
 */
public final class RecordFolder {
  /** The folder of the events of processes that run, or that were killed. */
  public static final String UNFINISHED = "unfinished";

  /** The JVM ends the value of an option at these. */
  private static final String SEPARATORS = ".*[,\"'=\\s].*";

  private final Path folder;

  /**
   * The recording of one start of a job.
   *
   * @param folder as the user has named it
   * @param restarts of the job so far: each start has a folder of its own
   * @throws LaunchException if the path cannot be passed to a JVM
   */
  public RecordFolder(Path folder, int restarts) {
    Path whole = folder.toAbsolutePath().normalize();
    if (whole.toString().matches(SEPARATORS)) {
      throw new LaunchException("--record " + folder + ": the path " + whole
          + " has a blank, a comma, a quote or an equals sign, at which the JVM would end it: name another folder");
    }
    this.folder = restarts == 0 ? whole : whole.resolve("restart-" + restarts);
  }

  /** The folder. */
  public Path path() {
    return folder;
  }

  /**
   * Makes the folder, which only the user can read: events may show what a program does.
   *
   * @return what jmpirun writes down about the job
   * @throws LaunchException if there is another recording in it, or it cannot be made
   */
  public JobLog make() {
    try {
      if (Files.exists(folder) && !isEmpty(folder)) {
        throw new LaunchException("--record " + folder + ": there are files in it, and each recording needs a folder of its own: "
            + "name a new one, or remove these files");
      }
      Files.createDirectories(folder.resolve(UNFINISHED));
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
      return new JobLog(folder);
    } catch (IOException | UnsupportedOperationException e) {
      throw new LaunchException("--record " + folder + ": the folder cannot be made: " + e, e);
    }
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /**
   * The options of a JVM that records.
   *
   * @param callsMicros from which duration on a call of MPI is an event of its own
   */
  public List<String> jvmOptions(long callsMicros) {
    List<String> options = new ArrayList<>(eventOptions());
    options.add("-D" + PropertyNames.RECORD_CALLS_MICROS + "=" + callsMicros);
    options.add("-XX:FlightRecorderOptions:repository=" + folder.resolve(UNFINISHED));
    // Without settings only Kintsugi's own events are written, and the pauses of the garbage
    // collector. The JVM's other events cost more, and have the job's secret among them.
    options.add("-XX:StartFlightRecording:filename=" + folder
        + ",settings=none,dumponexit=true,flush-interval=1s,+jdk.GarbageCollection#enabled=true");
    // Otherwise each JVM prints that it records.
    options.add("-Xlog:jfr+startup=error");
    return options;
  }

  /** The options of a JVM whose recording the user has asked for, or may begin later. */
  public static List<String> eventOptions() {
    return List.of("-D" + PropertyNames.RECORD + "=true");
  }
}
