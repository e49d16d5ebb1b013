// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.util.List;
import java.util.Set;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.ProcessFailedException;
import org.kintsugi.mpi.ProcessFailedPendingException;
import org.kintsugi.mpi.RevokedException;
import org.kintsugi.mpi.TruncationException;

/** The one place that turns MPI return codes into exceptions, by their error class (codes may be finer). */
public final class Errors {
  private static final Set<Integer> UNSPECIFIC = Set.of(MPI.MPI_ERR_OTHER, MPI.MPI_ERR_INTERN, MPI.MPI_ERR_UNKNOWN);

  private Errors() {}

  /** The exception for a return code; the caller throws it (through its scope, which may make a rollback of it). */
  public static MpiException exception(int code, String function) {
    long scratch = Scratch.address();
    MPI.MPI_Error_class(code, scratch);
    int errorClass = Memory.getInt(scratch);
    String text = "unknown error";
    if (MPI.MPI_Error_string(code, scratch + Scratch.TEXT, scratch + Scratch.LENGTH) == MPI.MPI_SUCCESS) {
      text = Memory.getString(scratch + Scratch.TEXT, Memory.getInt(scratch + Scratch.LENGTH));
    }
    if (errorClass == MPI.MPI_ERR_PROC_FAILED) {
      return new ProcessFailedException(code, errorClass, function, text);
    }
    if (errorClass == MPI.MPI_ERR_PROC_FAILED_PENDING) {
      return new ProcessFailedPendingException(code, errorClass, function, text);
    }
    if (errorClass == MPI.MPI_ERR_REVOKED) {
      return new RevokedException(code, errorClass, function, text);
    }
    if (errorClass == MPI.MPI_ERR_TRUNCATE) {
      return new TruncationException(code, errorClass, function, text);
    }
    return new MpiException(code, errorClass, function, text);
  }

  /**
   * What an exception is that may be a fault's without saying so: Open MPI (5.0.7, libnbc) tells of a death in the middle of a
   * non-blocking collective, by which it also makes communicators, as an error of no particular class.
   *
   * @param suspects the communicators that it may be of
   * @return a fault's exception, if one of these has had a fault; else the same exception
   */
  static MpiException known(MpiException exception, List<Comm> suspects) {
    if (!UNSPECIFIC.contains(exception.errorClass()) || !Mpi.current().isFaultTolerant()) {
      return exception;
    }
    for (Comm comm : suspects) {
      try (Group failed = comm.failedGroup()) {
        if (failed.size() > 0 || comm.isRevoked()) {
          return new ProcessFailedException(exception.code(), MPI.MPI_ERR_PROC_FAILED, exception.function(),
              "a process has failed, which Open MPI has told as " + exception.getMessage());
        }
      }
    }
    return exception;
  }

  /** For calls that belong to no communicator. */
  public static void check(int code, String function) {
    if (code != MPI.MPI_SUCCESS) {
      throw exception(code, function);
    }
  }
}
