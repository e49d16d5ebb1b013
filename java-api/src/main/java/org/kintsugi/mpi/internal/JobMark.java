// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.JobFiles;

/**
 * Files that ranks leave in the job's folder for {@code jmpirun}, and for whoever is started in their place. Only ranks on its
 * host see that folder; others leave nothing.
 */
public enum JobMark {
  /** A process is about to begin MPI. */
  BEGUN(JobFiles.BEGUN),
  /** A process has left MPI without a failure. Tells success from a job in which all processes died: both may end with 0. */
  FINISHED(JobFiles.FINISHED),
  /**
   * A process ends the job, with the exit code that is in the file, because mpirun does not always end with it. The code of the
   * first one counts: others may end the job as a consequence.
   */
  ABORTED(JobFiles.ABORTED),
  /** Of a rank: its process ends by itself behind MPI, not by a signal. */
  EXITED(JobFiles.EXITED);

  private final String file;

  JobMark(String file) {
    this.file = file;
  }

  private Path path() {
    String folder = JobConfig.JOB_DIR.value();
    return folder.isEmpty() ? null : Path.of(folder, file);
  }

  /** Leaves it, with a text. */
  public void leave(String text) {
    leave(path(), text);
  }

  /** Leaves it for whoever may be started in this process's place. */
  public void leaveForRank() {
    leave(ofRank(), "");
  }

  private void leave(Path path, String text) {
    if (path != null && !SpawnedJob.isThis() && !(this == ABORTED && Files.exists(path))) {
      try {
        // Written as a whole, whichever other process writes it, and whenever this process is killed.
        OwnerOnly.replace(path, "-" + Kintsugi.kintsugi_process_id(), text.getBytes(StandardCharsets.UTF_8));
      } catch (IOException otherHost) {
        // The folder is on the launcher's host only.
      }
    }
  }

  /** Whether a process has left it. */
  public boolean isLeft() {
    return isThere(path());
  }

  /** The text that a process has left in it; null: none has. */
  public String text() {
    Path path = path();
    try {
      return path == null ? null : Files.readString(path);
    } catch (IOException notLeft) {
      return null;
    }
  }

  /** Whether the process in whose place this one was started has left it. */
  public boolean isLeftForRank() {
    return isThere(ofRank());
  }

  private Path ofRank() {
    Path path = path();
    return path == null ? null : path.resolveSibling(file + "-" + LaunchedRank.VALUE);
  }

  private static boolean isThere(Path path) {
    return path != null && Files.exists(path);
  }
}
