// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.JobFiles;

/**
 * Files that ranks leave in the job's folder for {@code jmpirun}, and for their replacements. Only
 * ranks on its host see that folder; others leave nothing.
 */
public enum JobMark {
  /** A process is about to begin MPI. */
  BEGUN(JobFiles.BEGUN),
  /**
   * A process has left MPI without a failure. Distinguishes success from a job in which all
   * processes failed: mpirun may exit with 0 for both.
   */
  FINISHED(JobFiles.FINISHED),
  /**
   * A process ends the job, with the exit code that is in the file, because mpirun does not always end with it. The code of the
   * first one counts: others may end the job as a consequence.
   */
  ABORTED(JobFiles.ABORTED),
  /** For one rank: its process has exited by itself after MPI_Finalize, and was not killed. */
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

  /** Leaves it for a replacement of this process. */
  public void leaveForRank() {
    leave(ofRank(), "");
  }

  private void leave(Path path, String text) {
    if (path != null && !SpawnedJob.isThis() && !(this == ABORTED && Files.exists(path))) {
      try {
        // Replaced atomically: other processes may write it at the same time, and this process may
        // be killed.
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

  /** The text that a process has left in it; null if there is no file. */
  public String text() {
    Path path = path();
    try {
      return path == null ? null : Files.readString(path);
    } catch (IOException notLeft) {
      return null;
    }
  }

  /** Whether the process that this one replaces has left it. */
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
