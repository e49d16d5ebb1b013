// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static java.nio.file.StandardOpenOption.APPEND;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.kintsugi.launch.internal.batch.EndAnnouncement;
import org.kintsugi.launch.internal.batch.Slurm;
import org.kintsugi.launch.internal.batch.SlurmCommands;
import org.kintsugi.launch.internal.check.RankNumbers;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.commandline.RankWords;
import org.kintsugi.launch.internal.control.JobServer;
import org.kintsugi.launch.internal.host.Cores;
import org.kintsugi.launch.internal.host.HomeVariable;
import org.kintsugi.launch.internal.host.HostName;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.Programs;
import org.kintsugi.launch.internal.job.AbortWatch;
import org.kintsugi.launch.internal.job.BlockingOutput;
import org.kintsugi.launch.internal.job.JobOutput;
import org.kintsugi.launch.internal.job.ReinitJudge;
import org.kintsugi.launch.internal.job.RunningJob;
import org.kintsugi.launch.internal.mpirun.MpirunCommand;
import org.kintsugi.launch.internal.natives.ClassArchive;
import org.kintsugi.launch.internal.recording.JobLog;
import org.kintsugi.launch.internal.recording.RecordFolder;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

/**
 * One run of a job: starts mpirun, enforces a time limit, and cleans up.
 *
 * <p>However the job ends, no process (they are ended by their ids), no session folder and no
 * shared-memory segment remains.
 */
public final class Job {
  /** The exit code of a job that ran into its time limit, as timeout(1) has it. */
  public static final int TIMED_OUT = ExitCodes.TIMED_OUT;

  /** The exit code of a job in which all processes failed. It is that of a SIGKILL. */
  public static final int DIED_OUT = ExitCodes.DIED_OUT;

  /** The number of times that each rank may fail before any rank has begun MPI. */
  private static final int FAILED_STARTS = 3;

  private static final File NOTHING = new File("/dev/null");

  private static final List<String> BY_LINES = List.of("stdbuf", "-oL");

  private final JobSpec spec;
  private final MpiHome mpi;
  private long timeoutSeconds;
  private long stallSeconds = 60;
  private boolean stallEnds;
  private Path output;
  private EndAnnouncement endAnnouncement; // null: nobody announces the end
  private SlurmCommands slurm; // null: this is no job of Slurm

  /**
   * A job under an MPI.
   *
   * @param spec the ranks and their program
   * @param mpi the MPI of the job
   */
  public Job(JobSpec spec, MpiHome mpi) {
    this.spec = spec;
    this.mpi = mpi;
  }

  /**
   * Sets the time after which the job is ended; 0: never.
   *
   * @param seconds zero or more
   * @return this object
   */
  public Job timeoutSeconds(long seconds) {
    if (seconds < 0) {
      throw new LaunchException("--timeout " + seconds + ": expected seconds, zero or more");
    }
    timeoutSeconds = seconds;
    return this;
  }

  /**
   * Sets the time without progress after which the ranks' places are reported; 0: never.
   *
   * @param seconds zero or more
   * @return this object
   */
  public Job stallSeconds(long seconds) {
    if (seconds < 0) {
      throw new LaunchException("--stall " + seconds + ": expected seconds, zero or more");
    }
    stallSeconds = seconds;
    return this;
  }

  /**
   * Sets whether the job ends after such a report, with {@link #TIMED_OUT}.
   *
   * @param ends false: the job goes on
   * @return this object
   */
  public Job stallEnds(boolean ends) {
    stallEnds = ends;
    return this;
  }

  /**
   * Sends the job's output and messages to a file; the job has no input.
   *
   * <p>Both streams of the job go there. (Two jobs at the same time would share this process's
   * input. On a pipe each mpirun would block in its {@code read} for input that the other one has
   * read, and not answer its processes.)
   *
   * @param file is overwritten
   * @return this object
   */
  public Job outputTo(Path file) {
    output = file;
    return this;
  }

  /** Has all processes told when the end of the job's time is announced. */
  Job endAnnouncement(EndAnnouncement announcement) {
    endAnnouncement = announcement;
    return this;
  }

  /**
   * The mpirun command line for job scripts: without the folders that only this class makes and removes.
   *
   * @return one command line, quoted for a shell
   */
  public String dryRun() {
    MpirunCommand command = command(null);
    return RankWords.line(command.arguments(), command.environment());
  }

  /**
   * Over what the job's messages between hosts travel, in words.
   *
   * @return a part of a line
   */
  public String network() {
    return command(null).network();
  }

  private MpirunCommand command(JobFolders folders) {
    return new MpirunCommand(spec, mpi, folders, Cores.ofThisHost());
  }

  /**
   * Writes an archive (AppCDS) of what ranks load from a class path: a job of one rank does so at its end.
   *
   * @param archive the file to write
   * @param java that of the ranks
   * @param mpi of the job
   * @param classes options of the JVM that say where its classes are; only jars
   * @param output gets the output of the rank
   * @return the job's exit code; with another than 0 there may be no archive
   */
  public static int writeClassArchive(Path archive, Path java, MpiHome mpi, List<String> classes, Path output) {
    JobSpec job =
        new JobSpec().ranks(1).java(java).classArchive(false).javaArguments(ClassArchive.writerArguments(archive, classes));
    return new Job(job, mpi).timeoutSeconds(ClassArchive.LIMIT_SECONDS).stallSeconds(0).outputTo(output).run();
  }

  /**
   * The JVM's options with which it takes an archive of classes if it can, and is silent if it cannot.
   *
   * @param archive the file
   * @param java the JVM's version, 17 for instance
   * @return options of the command java
   */
  public static List<String> classArchiveOptions(Path archive, int java) {
    return new ClassArchive(archive, List.of()).options(java);
  }

  /**
   * Runs it to its end.
   *
   * @return the exit code of mpirun, or of the rank that has aborted the job; {@link #TIMED_OUT}; {@link #DIED_OUT}, or 128
   *     and the signal of the first failure, if all processes died
   * @throws LaunchException if it cannot be started, or a signal has ended this process meanwhile
   */
  public int run() {
    PrintStream messages = messages();
    try (RunningJob job = new RunningJob(messages)) {
      MpirunCommand command = command(job.makeFolders());
      command.requireProgram();
      command.prepareOptions(messages);
      slurm = command.slurmCommands();
      if (spec.isClassArchiveWanted()) {
        command.takeArchive(Job::writeClassArchive);
      }
      JobServer server =
          JobServer.begin(job.folders(), command.isOnThisHostOnly(), command.processes(), stallSeconds, stallEnds,
              messages);
      JobLog log = spec.record() == null ? null : new RecordFolder(spec.record(), spec.restarts()).make();
      if (log != null) {
        log.write(JobLog.Kind.BEGINS, program());
        if (server != null) {
          server.recordIn(log);
        }
      }
      job.servedBy(server);
      if (server != null && command.areHostsLostForGood()) {
        server.hostsAreLostForGood();
      }
      if (endAnnouncement != null && server != null) {
        endAnnouncement.whenMade(server::announceEnd);
      }
      tellOfAllocation(command, messages);
      spec.launcherAddress(server == null ? "" : server.addresses());
      int ended = mpi.flavour() == Flavour.REINIT ? runJudged(job, command, server, messages) : runDirectly(job, command, server);
      boolean isUnfinished = isUnfinished(ended, job, command, server);
      int code = ended == 0 && isUnfinished ? DIED_OUT : ended;
      if (log != null) {
        log.write(JobLog.Kind.ENDS, String.valueOf(code));
      }
      if (code != 0 && slurm != null) {
        slurm.tell(messages);
      }
      if (isUnfinished) {
        messages.println("jmpirun: " + (ended == 0 ? "mpirun ended with 0, but " : "") + "no process came to the end of MPI: "
            + command.whoMayHaveEndedThem());
      } else if (code != 0 && command.suspicion() != null) {
        messages.println("jmpirun: " + command.suspicion());
      } else if (code != 0 && code != ExitCodes.RESTART && server != null) {
        tellWhoWasNotHeard(command, server, messages);
      }
      return code;
    } finally {
      leave(messages);
    }
  }

  /** Whether no process has finished, although mpirun may have ended with 0: to it no failure is an error. */
  private boolean isUnfinished(int code, RunningJob job, MpirunCommand command, JobServer server) {
    // The mpirun of the Open MPI that Kintsugi builds returns the code of the first failure.
    if (command.isOnThisHostOnly()) {
      return (code == 0 || code > ExitCodes.BY_SIGNAL) && job.haveAllFailed();
    }
    // A batch system may also end the daemons before a process has reported.
    boolean isUnheard = slurm != null && slurm.hasStepEnded() && server != null && server.isNobodyHeard();
    return code == 0 && (isUnheard || server != null && server.haveAllFailed());
  }

  /** What the batch system's job lacks, while mpirun starts: the answer may take a while. */
  private void tellOfAllocation(MpirunCommand command, PrintStream messages) {
    if (slurm != null && command.mostHosts() > 1 && spec.restarts() == 0) {
      Thread thread = new Thread(() -> {
        String warning = Slurm.warning(System.getenv());
        if (warning != null) {
          messages.println("jmpirun: " + warning);
        }
      }, "jmpirun-slurm");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** The job in a few words. */
  private String program() {
    List<String> words = spec.javaArguments();
    JvmArguments jvm = new JvmArguments(words, Map.of());
    List<String> line = new ArrayList<>(List.of("jmpirun", "-n", String.valueOf(spec.ranks())));
    if (spec.spares() > 0) {
      line.addAll(List.of("--spares", String.valueOf(spec.spares())));
    }
    spec.kills().forEach(kill -> line.addAll(List.of("--kill", kill)));
    line.add("...");
    line.addAll(words.subList(Math.max(0, words.size() - jvm.programWords() - 1), words.size()));
    return RankWords.line(line, Map.of());
  }

  /**
   * Names the hosts that may lack something. mpirun has a different message in each case, and no
   * remedy.
   */
  private static void tellWhoWasNotHeard(MpirunCommand command, JobServer server, PrintStream messages) {
    Set<Integer> silent = server.neverHeard();
    if (!command.isOnThisHostOnly() && !silent.isEmpty() && server.hostsHeard() < command.mostHosts()) {
      messages.println("jmpirun: nothing was heard of " + RankNumbers.ranks(silent) + " before the job ended: "
          + JobServer.WHAT_A_HOST_MAY_LACK);
    }
  }

  /**
   * The stream of the job's output. It gets reports of a stall, and of why the job ends;
   * {@link #leave} closes it.
   */
  private PrintStream messages() {
    try {
      // Begin with an empty file: mpirun and this process append to it.
      return output == null ? System.err
          : new PrintStream(Files.newOutputStream(Files.write(output, new byte[0]), APPEND), true, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new LaunchException("cannot write " + output + ": " + e, e);
    }
  }

  private static void leave(PrintStream messages) {
    if (messages != System.err) {
      messages.close();
    }
  }

  private ProcessBuilder builder(RunningJob job, MpirunCommand command, List<String> arguments) {
    ProcessBuilder builder = new ProcessBuilder(arguments);
    builder.environment().putAll(command.environment());
    if (slurm != null) {
      builder.environment().merge("PATH", "", (given, none) -> slurm.path(given));
    }
    HomeVariable.setIn(builder.environment(), job.folders().session());
    return builder.redirectInput(output == null ? Redirect.INHERIT : Redirect.from(NOTHING));
  }

  private int runDirectly(RunningJob job, MpirunCommand command, JobServer server) {
    ProcessBuilder builder = builder(job, command, command.arguments());
    // mpirun drops output that a nonblocking stream does not take at once.
    JobOutput printed = output == null && BlockingOutput.isNeeded() ? new JobOutput(null) : null;
    if (output != null) {
      builder.redirectErrorStream(true).redirectOutput(Redirect.appendTo(output.toFile()));
    } else if (printed == null) {
      builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
    }
    job.start(builder);
    if (printed != null) {
      printed.read(job.mpirun(), List.of(), line -> false);
    }
    try (AbortWatch watch = job.watchAborts()) {
      endsBy(server, watch.verdict());
      int code = job.await(timeoutSeconds, watch.verdict());
      if (code != TIMED_OUT && printed != null) {
        printed.await();
      }
      return code == TIMED_OUT ? code : watch.judge(code);
    }
  }

  private static void endsBy(JobServer server, CompletableFuture<Integer> verdict) {
    if (server != null) {
      server.verdict().thenAccept(verdict::complete);
    }
  }

  private static String hostName() {
    try {
      return HostName.ofThis();
    } catch (IOException e) {
      throw new LaunchException("cannot read this host's name: " + e, e);
    }
  }

  /** The fork's mpirun reports the state of the job only in its output. */
  private int runJudged(RunningJob job, MpirunCommand command, JobServer server, PrintStream messages) {
    List<String> arguments = new ArrayList<>(command.arguments());
    if (Programs.find(BY_LINES.get(0), System.getenv().getOrDefault("PATH", "")) != null) {
      // Otherwise mpirun buffers its own lines until it has some 4 kB of them.
      arguments.addAll(0, BY_LINES);
    }
    JobOutput printed = new JobOutput(output);
    // If it is not known whether MPI has begun, there is no other limit.
    IntSupplier maxBeforeStart =
        () -> command.isOnThisHostOnly() && !job.hasBegun() ? FAILED_STARTS * spec.ranks() : Integer.MAX_VALUE;
    ReinitJudge judge = new ReinitJudge(job.folders().name(), spec.maxRespawns(), maxBeforeStart, command.spareNodes(),
        !command.isOnThisHostOnly(),
        job::rollBack, messages);
    endsBy(server, judge.verdict());
    job.start(builder(job, command, arguments));
    printed.read(job.mpirun(), judge.marks(job.mpirun().pid(), hostName()), judge::hears);
    int code = job.await(timeoutSeconds, judge.verdict());
    if (code == TIMED_OUT || judge.verdict().isDone()) {
      return code;
    }
    printed.await();
    return judge.judge(code);
  }
}
