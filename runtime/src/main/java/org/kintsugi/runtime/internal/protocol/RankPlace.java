// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where a process of a job is, as it answers the launcher. It travels as one line of text.
 *
 * @param rank in the program's world (of the run, where one is open); for a spare, its rank in the job
 * @param phase the process's phase
 * @param doing what the thread does that calls MPI
 * @param stillMillis how long no call of MPI has begun, and no request has completed
 * @param function the C function that it is in; empty: none
 * @param call the method of Kintsugi that the program has called, with the communicator where that is known; empty: none
 * @param detail what differs between ranks at the same place: peer and tag; empty: nothing
 * @param line the line of the program's code, as {@code Main.java:31 (step)}; empty: not known
 */
public record RankPlace(int rank, Phase phase, Doing doing, long stillMillis, String function, String call, String detail,
    String line) {
  /** The phases of a process. */
  public enum Phase {
    /** Before or in {@code Mpi.init}. */
    STARTS,
    /** Outside of the body of a Reinit run. */
    PROGRAM,
    /** In the body of a Reinit run. */
    BODY,
    /** Its body has ended, and it waits until all others have. */
    LEFT_BODY,
    /** Between two epochs, or on the way to the first. */
    RECOVERS,
    /** It waits to replace a failed process. */
    SPARE,
    /** In {@code Mpi.close}. */
    LEAVES,
    /** After {@code Mpi.close}. */
    LEFT
  }

  /** The states of the thread that calls MPI. */
  public enum Doing {
    /** It is inside MPI. */
    WAITS,
    /** It is inside a method of Kintsugi, and not in MPI. */
    WORKS,
    /** It runs the program's own code. */
    COMPUTES,
    /** It sleeps, or waits for another thread, in Java. */
    SLEEPS
  }

  /** In {@link #call}, and then the sizes of both groups: the peers may be another job's. */
  public static final String INTERCOMM = "an intercommunicator of ";

  private static final String BETWEEN = "\t";
  private static final int FIELDS = 8;

  /**
   * The same place of a process that last made progress some time ago.
   *
   * @param millis how long it has made no progress
   * @return with all other fields as here
   */
  public RankPlace afterMillis(long millis) {
    return new RankPlace(rank, phase, doing, millis, function, call, detail, line);
  }

  /**
   * All of it, in one line.
   *
   * @return without a line break
   */
  public String toLine() {
    List<String> fields = new ArrayList<>(List.of(String.valueOf(rank), phase.name(), doing.name(), String.valueOf(stillMillis)));
    for (String text : List.of(function, call, detail, line)) {
      fields.add(text.replaceAll("\\s", " "));
    }
    return String.join(BETWEEN, fields);
  }

  /**
   * Parses a line of {@link #toLine}.
   *
   * @param line one line
   * @return the same place
   * @throws IllegalArgumentException if the line has another form
   */
  public static RankPlace ofLine(String line) {
    String[] fields = line.split(BETWEEN, -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException(FIELDS + " fields are expected: " + Arrays.toString(fields));
    }
    int rank = (int) Fields.checkRange(Integer.parseInt(fields[0]), -1, Line.MOST_PROCESSES);
    long millis = Fields.checkRange(Long.parseLong(fields[3]), 0, Long.MAX_VALUE);
    return new RankPlace(rank, Phase.valueOf(fields[1]), Doing.valueOf(fields[2]), millis, fields[4], fields[5], fields[6],
        fields[7]);
  }
}
