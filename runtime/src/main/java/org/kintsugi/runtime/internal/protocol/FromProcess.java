// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime.internal.protocol;

/** The lines of a process to the launcher. */
public sealed interface FromProcess extends Line {
  /**
   * Who the process is: the end of the {@link Handshake}.
   *
   * @param processId on its host
   * @param host its name
   * @param rank in the job; -1: it was started without mpirun
   * @param job the runtime's name for that job: a process that was started later is a job of its own
   * @param started the number of its {@link FromLauncher.Start}; 0: the job began with it
   */
  record Introduction(long processId, String host, int rank, String job, int started) implements FromProcess {
    private static final String KIND = "process";

    /**
     * Refuses fields out of their bounds.
     *
     * @param processId on its host
     * @param host its name
     * @param rank in the job; -1: it was started without mpirun
     * @param job the runtime's name for that job: a process that was started later is a job of its own
     * @param started the number of its {@link FromLauncher.Start}; 0: the job began with it
     */
    public Introduction {
      Fields.checkRange(processId, 0, Integer.MAX_VALUE);
      Fields.checkName(host);
      Fields.checkRange(rank, -1, MOST_PROCESSES);
      Fields.checkName(job);
      Fields.checkRange(started, 0, Integer.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + processId + " " + host + " " + rank + " " + job + " " + started;
    }
  }

  /**
   * {@code jmpirun --stacks}, at the end of the {@link Handshake}: the launcher answers with a
   * report, and closes the connection.
   */
  record Stacks() implements FromProcess {
    private static final String KIND = "stacks";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * The answer to {@link FromLauncher.Still} and {@link FromLauncher.Where}.
   *
   * @param question its number
   * @param place of the process
   */
  record Here(long question, RankPlace place) implements FromProcess {
    private static final String KIND = "here";

    /**
     * Refuses fields out of their bounds.
     *
     * @param question its number
     * @param place of the process
     */
    public Here {
      Fields.checkRange(question, 0, Long.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + question + " " + Line.printable(place.toLine());
    }
  }

  /**
   * A limit has struck: print a report before the job ends.
   *
   * @param why the reason
   */
  record Limit(String why) implements FromProcess {
    private static final String KIND = "limit";

    @Override
    public String toLine() {
      return KIND + " " + Line.printable(why);
    }
  }

  /** The process has left MPI, so its end is not a failure. */
  record Left() implements FromProcess {
    private static final String KIND = "left";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /** Its JVM begins to end. The answer wakes up the thread that waits for lines. */
  record Ends() implements FromProcess {
    private static final String KIND = "ends";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /** The answer to {@link FromLauncher.Alive}. */
  record Alive() implements FromProcess {
    private static final String KIND = "alive";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * With {@code --check}: the collective that it is about to call.
   *
   * @param number which the answer, {@link FromLauncher.Go}, repeats; 0: the process does not wait for one
   * @param call of this process
   */
  record Call(long number, CollectiveCall call) implements FromProcess {
    private static final String KIND = "call";

    /**
     * Refuses fields out of their bounds.
     *
     * @param number which the answer, {@link FromLauncher.Go}, repeats; 0: the process does not wait for one
     * @param call of this process
     */
    public Call {
      Fields.checkRange(number, 0, Long.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + number + " " + Line.printable(call.toLine());
    }
  }

  /**
   * With {@code --check}, if one of its threads calls MPI: it is in a communicator from now on.
   *
   * @param member its rank there
   */
  record Member(CommMember member) implements FromProcess {
    private static final String KIND = "member";

    @Override
    public String toLine() {
      return KIND + " " + Line.printable(member.toLine());
    }
  }

  /**
   * It knows of a failure on a communicator, so not all its ranks will call.
   *
   * @param comm {@link CollectiveCall#comm}
   */
  record Fault(String comm) implements FromProcess {
    private static final String KIND = "fault";

    @Override
    public String toLine() {
      return KIND + " " + Line.printable(comm);
    }
  }

  /**
   * With {@code --check}: the number of messages that it has sent or received.
   *
   * @param count of one kind
   */
  record Messages(MessageCount count) implements FromProcess {
    private static final String KIND = "messages";

    @Override
    public String toLine() {
      return KIND + " " + Line.printable(count.toLine());
    }
  }

  /**
   * All its counts of one world are sent.
   *
   * @param rank in the world
   * @param size of the world
   * @param comm {@link CollectiveCall#comm}
   */
  record MessagesEnd(int rank, int size, String comm) implements FromProcess {
    private static final String KIND = "messages-end";

    /**
     * Refuses fields out of their bounds.
     *
     * @param rank in the world
     * @param size of the world
     * @param comm {@link CollectiveCall#comm}
     */
    public MessagesEnd {
      Fields.checkRange(rank, 0, MOST_PROCESSES);
      Fields.checkRange(size, 0, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + rank + " " + size + " " + Line.printable(comm);
    }
  }

  /**
   * In a run that keeps its spares: how many processes to keep alive from now on.
   *
   * @param processes with spares; 0: the run is over
   */
  record Keep(int processes) implements FromProcess {
    private static final String KIND = "keep";

    /**
     * Refuses fields out of their bounds.
     *
     * @param processes with spares; 0: the run is over
     */
    public Keep {
      Fields.checkRange(processes, 0, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + processes;
    }
  }

  /**
   * The answer to {@link FromLauncher.Start} if it is not possible.
   *
   * @param number of the start
   * @param why the reason
   */
  record Unable(int number, String why) implements FromProcess {
    private static final String KIND = "unable";

    /**
     * Refuses fields out of their bounds.
     *
     * @param number of the start
     * @param why the reason
     */
    public Unable {
      Fields.checkRange(number, 0, Integer.MAX_VALUE);
    }

    @Override
    public String toLine() {
      return KIND + " " + number + " " + Line.printable(why);
    }
  }

  /** From a process that was started by {@link FromLauncher.Start}: it waits to be called. */
  record Ready() implements FromProcess {
    private static final String KIND = "ready";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * A recovery is over.
   *
   * @param processes that are left, with spares
   */
  record Living(int processes) implements FromProcess {
    private static final String KIND = "living";

    /**
     * Refuses fields out of their bounds.
     *
     * @param processes that are left, with spares
     */
    public Living {
      Fields.checkRange(processes, 0, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + processes;
    }
  }

  /**
   * In a recovery: it needs a waiting process.
   *
   * @param left how many processes are left
   */
  record Need(int left) implements FromProcess {
    private static final String KIND = "need";

    /**
     * Refuses fields out of their bounds.
     *
     * @param left how many processes are left
     */
    public Need {
      Fields.checkRange(left, 0, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + left;
    }
  }

  /** From a called process: the run has admitted it, as a spare or a rank. */
  record Joined() implements FromProcess {
    private static final String KIND = "joined";

    @Override
    public String toLine() {
      return KIND;
    }
  }

  /**
   * In a job on several hosts: the runtime has reported a failed process.
   *
   * @param job of that process
   * @param rank there
   */
  record ProcessFailed(String job, int rank) implements FromProcess {
    private static final String KIND = "dead";

    /**
     * Refuses fields out of their bounds.
     *
     * @param job of that process
     * @param rank there
     */
    public ProcessFailed {
      Fields.checkName(job);
      Fields.checkRange(rank, 0, MOST_PROCESSES);
    }

    @Override
    public String toLine() {
      return KIND + " " + job + " " + rank;
    }
  }

  /**
   * Parses a line.
   *
   * @param line of a process
   * @return the same line
   * @throws IllegalArgumentException if it is none, or if a field is out of its bounds
   */
  static FromProcess parse(String line) {
    Fields fields = Fields.of(line, LONGEST);
    return fields.only(switch (fields.word()) {
      case Introduction.KIND ->
        new Introduction(fields.longNumber(), fields.word(), fields.number(), fields.word(), fields.number());
      case Stacks.KIND -> new Stacks();
      case Here.KIND -> new Here(fields.longNumber(), RankPlace.ofLine(fields.rest()));
      case Limit.KIND -> new Limit(fields.rest());
      case Left.KIND -> new Left();
      case Ends.KIND -> new Ends();
      case Alive.KIND -> new Alive();
      case Call.KIND -> new Call(fields.longNumber(), CollectiveCall.ofLine(fields.rest()));
      case Member.KIND -> new Member(CommMember.ofLine(fields.rest()));
      case Fault.KIND -> new Fault(fields.rest());
      case Messages.KIND -> new Messages(MessageCount.ofLine(fields.rest()));
      case MessagesEnd.KIND -> new MessagesEnd(fields.number(), fields.number(), fields.rest());
      case Keep.KIND -> new Keep(fields.number());
      case Unable.KIND -> new Unable(fields.number(), fields.rest());
      case Ready.KIND -> new Ready();
      case Living.KIND -> new Living(fields.number());
      case Need.KIND -> new Need(fields.number());
      case Joined.KIND -> new Joined();
      case ProcessFailed.KIND -> new ProcessFailed(fields.word(), fields.number());
      default -> throw new IllegalArgumentException("not a line of a process");
    });
  }
}
