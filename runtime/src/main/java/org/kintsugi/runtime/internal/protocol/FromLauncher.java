// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/** The lines of the launcher to a process. */
public sealed interface FromLauncher extends Line {
  /** In front of a host's name in {@link Start}: see {@link Start#isReturn}. */
  String AGAIN = "+";

  /**
   * Has the process made progress since the last question? If it has, it need not send its place.
   *
   * @param question the number for the answer, {@link FromProcess.Here}
   */
  record Still(long question) implements FromLauncher {
    private static final String KIND = "still";

    /**
     * Refuses fields out of their bounds.
     *
     * @param question the number for the answer, {@link FromProcess.Here}
     */
    public Still {
      Fields.checkRange(question, 0, Long.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + question;
    }
  }

  /**
   * Where is the process?
   *
   * @param question the number for the answer, {@link FromProcess.Here}
   */
  record Where(long question) implements FromLauncher {
    private static final String KIND = "where";

    /**
     * Refuses fields out of their bounds.
     *
     * @param question the number for the answer, {@link FromProcess.Here}
     */
    public Where {
      Fields.checkRange(question, 0, Long.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + question;
    }
  }

  /** The answer to {@link FromProcess.Limit}: the report is printed. */
  record Reported() implements FromLauncher {
    private static final String KIND = "reported";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /** The answer to {@link FromProcess.Ends}. */
  record Ends() implements FromLauncher {
    private static final String KIND = "ends";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /** To the processes of a host: a process there was reported dead, but is still connected. */
  record Alive() implements FromLauncher {
    private static final String KIND = "alive";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * The answer to {@link FromProcess.Call}: all ranks of the communicator call the same, or it is no longer compared.
   *
   * @param number of the call
   */
  record Go(long number) implements FromLauncher {
    private static final String KIND = "go";

    /**
     * Refuses fields out of their bounds.
     *
     * @param number of the call
     */
    public Go {
      Fields.checkRange(number, 0, Long.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + number;
    }
  }

  /**
   * To all: the ranks call different collectives, and the job ends in a moment.
   *
   * <p>A process that waits in the end of MPI goes on without MPI, so that an exception that led it there is printed; all others
   * stay where they are.
   */
  record Different() implements FromLauncher {
    private static final String KIND = "different";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /** To all: the batch system has announced that the job's time ends soon. */
  record EndAnnounced() implements FromLauncher {
    private static final String KIND = "announced";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * Start a new process.
   *
   * @param number for its {@link FromProcess.Introduction}
   * @param host where to start it; empty: mpirun chooses
   * @param isReturn whether no process is left on that host: it may have been lost, and have come back
   */
  record Start(int number, String host, boolean isReturn) implements FromLauncher {
    private static final String KIND = "start";

    /**
     * Refuses fields out of their bounds.
     *
     * @param number for its {@link FromProcess.Introduction}
     * @param host where to start it; empty: mpirun chooses
     * @param isReturn whether no process is left on that host: it may have been lost, and have come back
     */
    public Start {
      Fields.checkRange(number, 1, Integer.MAX_VALUE);
      if (!host.isEmpty() || isReturn) {
        Fields.checkName(host);
      }
    }

    @Override
    public String toLine() {
      return KIND + " " + number + (host.isEmpty() ? "" : " " + hostForMpirun());
    }

    /**
     * The host as mpirun expects it.
     *
     * @return with {@value #AGAIN} in front if mpirun must start a daemon there anew
     */
    public String hostForMpirun() {
      return isReturn ? AGAIN + host : host;
    }

    private static Start of(int number, String host) {
      Fields.checkName(host);
      return host.startsWith(AGAIN) ? new Start(number, host.substring(AGAIN.length()), true) : new Start(number, host, false);
    }
  }

  /**
   * An answer to {@link FromProcess.Need}: a waiting process was called.
   *
   * @param meeting the name by which both connect
   */
  record Called(String meeting) implements FromLauncher {
    private static final String KIND = "called";

    /**
     * Refuses fields out of their bounds.
     *
     * @param meeting the name by which both connect
     */
    public Called {
      Fields.checkName(meeting);
    }

    @Override
    public String toLine() {
      return KIND + " " + meeting;
    }
  }

  /** The other answer to {@link FromProcess.Need}: no process waits, and none is about to. */
  record None() implements FromLauncher {
    private static final String KIND = "none";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * To a waiting process: another one needs it.
   *
   * @param meeting the name by which both connect
   */
  record Come(String meeting) implements FromLauncher {
    private static final String KIND = "come";

    /**
     * Refuses fields out of their bounds.
     *
     * @param meeting the name by which both connect
     */
    public Come {
      Fields.checkName(meeting);
    }

    @Override
    public String toLine() {
      return KIND + " " + meeting;
    }
  }

  /**
   * To a waiting process and to those that may admit it, about each other: fetch the address of a process.
   *
   * @param job of that process
   * @param rank there
   */
  record Prefetch(String job, int rank) implements FromLauncher {
    private static final String KIND = "prefetch";

    /**
     * Refuses fields out of their bounds.
     *
     * @param job of that process
     * @param rank there
     */
    public Prefetch {
      Fields.checkName(job);
      Fields.checkRange(rank, -1, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + job + " " + rank;
    }
  }

  /**
   * To one of two called processes: the other one has failed.
   *
   * @param meeting the name by which they connect
   */
  record Gone(String meeting) implements FromLauncher {
    private static final String KIND = "gone";

    /**
     * Refuses fields out of their bounds.
     *
     * @param meeting the name by which they connect
     */
    public Gone {
      Fields.checkName(meeting);
    }

    @Override
    public String toLine() {
      return KIND + " " + meeting;
    }
  }

  /**
   * To the processes of other jobs: a process has failed.
   *
   * <p>The runtime reports that only in the failed process's own job.
   *
   * @param job of that process
   * @param rank there
   */
  record ProcessFailed(String job, int rank) implements FromLauncher {
    private static final String KIND = "died";

    /**
     * Refuses fields out of their bounds.
     *
     * @param job of that process
     * @param rank there
     */
    public ProcessFailed {
      Fields.checkName(job);
      Fields.checkRange(rank, -1, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + job + " " + rank;
    }
  }

  /**
   * To processes that {@link Prefetch} has notified of a waiting process: it has failed before any process connected to it.
   *
   * @param job which had no other process
   */
  record Forget(String job) implements FromLauncher {
    private static final String KIND = "forget";

    /**
     * Refuses fields out of their bounds.
     *
     * @param job which had no other process
     */
    public Forget {
      Fields.checkName(job);
    }

    @Override
    public String toLine() {
      return KIND + " " + job;
    }
  }

  /** To a waiting process: it will not be called, as the run has ended, or it was ready too late. */
  record Over() implements FromLauncher {
    private static final String KIND = "over";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * Parses a line.
   *
   * @param line of the launcher
   * @return the same line
   * @throws IllegalArgumentException if it is none, or if a field is out of its bounds
   */
  static FromLauncher parse(String line) {
    Fields fields = Fields.of(line, LONGEST_OF_LAUNCHER);
    return fields.only(switch (fields.word()) {
      case Still.KIND -> new Still(fields.longNumber());
      case Where.KIND -> new Where(fields.longNumber());
      case Reported.KIND -> new Reported();
      case Ends.KIND -> new Ends();
      case Alive.KIND -> new Alive();
      case Go.KIND -> new Go(fields.longNumber());
      case Different.KIND -> new Different();
      case EndAnnounced.KIND -> new EndAnnounced();
      case Start.KIND -> {
        int number = fields.number();
        yield fields.isEnd() ? new Start(number, "", false) : Start.of(number, fields.word());
      }
      case Called.KIND -> new Called(fields.word());
      case None.KIND -> new None();
      case Come.KIND -> new Come(fields.word());
      case Prefetch.KIND -> new Prefetch(fields.word(), fields.number());
      case Gone.KIND -> new Gone(fields.word());
      case ProcessFailed.KIND -> new ProcessFailed(fields.word(), fields.number());
      case Forget.KIND -> new Forget(fields.word());
      case Over.KIND -> new Over();
      default -> throw new IllegalArgumentException("not a line of the launcher");
    });
  }
}
