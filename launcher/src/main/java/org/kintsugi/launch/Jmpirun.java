// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.advice.Advice;
import org.kintsugi.launch.internal.advice.AdviceOptions;
import org.kintsugi.launch.internal.batch.Allocation;
import org.kintsugi.launch.internal.batch.BatchSystem;
import org.kintsugi.launch.internal.batch.EndAnnouncement;
import org.kintsugi.launch.internal.batch.Slurm;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.JvmArguments;
import org.kintsugi.launch.internal.commandline.LoneOptions;
import org.kintsugi.launch.internal.commandline.OwnClasses;
import org.kintsugi.launch.internal.commandline.RankWords;
import org.kintsugi.launch.internal.commandline.ShownPassword;
import org.kintsugi.launch.internal.commandline.SpellingHints;
import org.kintsugi.launch.internal.control.JobStacks;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.job.BlockingOutput;
import org.kintsugi.launch.internal.mpirun.MpirunCommand;
import org.kintsugi.launch.internal.network.NetworkOptions;
import org.kintsugi.launch.internal.proof.Proof;
import org.kintsugi.launch.internal.proof.ProofOptions;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;
import picocli.CommandLine;

/** The command {@code jmpirun}. */
@Command(
    name = "jmpirun",
    versionProvider = Kintsugi.Version.class,
    sortOptions = false,
    customSynopsis = "jmpirun -n RANKS [--spares S] [--kill SPEC]... [mpirun options] [JVM options] -cp CP Main [args]",
    description = "Starts a Java program under the right mpirun with the flags that fault tolerance needs.",
    footer = {
        "",
        "Everything before the first JVM option (-D..., -X..., -cp, -jar, ...) is for jmpirun or, unknown to it, for mpirun.",
        "SPEC: process:RANK@ITERATION, node:RANK@ITERATION, random:SEED[@ITERATIONS].",
        "Exit code: that of mpirun (of a rank that failed); " + ExitCodes.TIMED_OUT + " after --timeout or --stall-ends; "
            + ExitCodes.DIED_OUT
            + " if no process came to the end of MPI;",
        ExitCodes.RESTART
            + " if the job could not recover and may be started again; 128 + the number of a signal to jmpirun; 2 for a wrong",
        "command line."
    })
public final class Jmpirun implements Callable<Integer> {
  private static final String RESTART = "--restart";
  private static final String MAX_RESTARTS = "3";

  /** Options of jmpirun that java has as well. */
  private static final Set<String> OF_JAVA_TOO = Set.of("-h", "--help", "--version", "--dry-run");

  /**
   * The first token like this ends our part of the command line. The JVM's long options are named one by one, as mpirun has some
   * that begin alike (--add-host, --enable-recovery).
   */
  private static final Pattern JVM_TOKEN = Pattern.compile(
      "-D.+|-X.*|-cp|-classpath|--class-path(=.*)?|-jar|-(ea|da|esa|dsa|(en|dis)able(system)?assertions)(:.*)?|-javaagent:.*"
          + "|-agent(lib|path):.*|--(add|limit)-modules(=.*)?|--add-(exports|opens|reads)(=.*)?|--patch-module(=.*)?"
          + "|--(en|dis)able-preview|--(enable|illegal)-native-access(=.*)?|--illegal-access=.*|-p|--(upgrade-)?module-path(=.*)?"
          + "|-m|--module(=.*)?|--sun-misc-unsafe-memory-access=.*|--finalization=.*|-server|-verbose(:.*)?|@.+");

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(us|ms|s)");

  @Option(names = {"-n", "-np", "--np"}, paramLabel = "RANKS", description = "ranks of the program")
  private Integer ranks;

  @Option(names = "--spares", paramLabel = "S",
      description = "processes more, which wait to replace dead ones (Reinit++ fork: JVMs that are warm already)")
  private int spares;

  @Option(names = "--refill", arity = "0..1", fallbackValue = "true", paramLabel = "true|false",
      description = "start new processes while the job runs, in the place of those that have died; unless said otherwise where "
          + "no resource manager chooses the hosts (Reinit++ fork: its runtime does so anyway)")
  private Boolean refill;

  @Option(names = "--spare-nodes", paramLabel = "N",
      description = "N of the given hosts stay empty until a node is lost (Reinit++ fork)")
  private int spareNodes;

  @Option(names = "--max-respawns", paramLabel = "MAX", defaultValue = "100",
      description = "end the job after more processes that were started anew (Reinit++ fork; 100)")
  private int maxRespawns;

  @Option(names = "--kill", paramLabel = "SPEC", description = "inject a fault; several are possible")
  private List<String> kills = new ArrayList<>();

  @Option(names = "--mpi", paramLabel = "PREFIX", description = "the Open MPI to use (else MPI_HOME, mpirun on the PATH, "
      + "$XDG_DATA_HOME/kintsugi/openmpi-ulfm, /opt/kintsugi/openmpi-ulfm)")
  private Path prefix;

  @Option(names = "--flavour", paramLabel = "ulfm|reinit", completionCandidates = FlavourNames.class,
      description = "only an Open MPI with ULFM, or only the Reinit++ fork "
          + "of Open MPI (REINIT_HOME, $XDG_DATA_HOME/kintsugi/reinit, /opt/kintsugi/reinit); else what is found, ulfm first")
  private String flavour;

  @Option(names = RESTART, arity = "0..1", fallbackValue = MAX_RESTARTS, defaultValue = "0", paramLabel = "MAX",
      description = "start the job again, at most MAX times (3), after a failure from which it could not recover")
  private int maxRestarts;

  @Option(names = "--timeout", paramLabel = "SECONDS", description = "end the job after that time, hard")
  private long timeoutSeconds;

  @Option(names = "--stall", defaultValue = "60", paramLabel = "SECONDS",
      description = "report where the ranks are when none has made progress for this time (60); 0: never")
  private long stallSeconds;

  @Option(names = "--stall-ends", description = "and end the job then")
  private boolean stallEnds;

  @Option(names = "--check", description = "compare what the ranks of a communicator are about to call, and end the job with a "
      + "table of who does what when it is not the same")
  private boolean check;

  @Option(names = "--record", paramLabel = "DIR", description = "have all processes record what they do into this new folder; "
      + "kintsugi timeline DIR draws it")
  private Path record;

  @Option(names = "--record-calls", paramLabel = "TIME",
      description = "with --record: calls of MPI that take this time or longer are recorded one by one (1ms; 500us, 1s)")
  private String recordCalls;

  @Option(names = "--class-archive", arity = "0..1", fallbackValue = "true", defaultValue = "true", paramLabel = "true|false",
      description = "keep Kintsugi's classes in an archive, which is made once, in the user's cache: ranks start sooner")
  private boolean classArchive;

  @Mixin
  private final NetworkOptions network = new NetworkOptions();

  @Mixin
  private final ProofOptions proof = new ProofOptions();

  @Mixin
  private final AdviceOptions advice = new AdviceOptions();

  @Option(names = "--stacks", paramLabel = "JOB",
      description = "say where the ranks of a running job are, and do nothing else; JOB: the process id of its jmpirun")
  private Long stacks;

  @Option(names = "--verbose", description = "say over what messages between hosts travel")
  private boolean verbose;

  @Option(names = "--dry-run", description = "print the command instead of running it")
  private boolean dryRun;

  @Option(names = {"-h", "--help"}, usageHelp = true, description = "print this")
  private boolean help;

  @Option(names = {"-V", "--version"}, versionHelp = true, description = "print Kintsugi's version")
  private boolean version;

  @Unmatched
  private final List<String> mpirunOptions = new ArrayList<>();

  @Spec
  private CommandSpec command;

  private final EndAnnouncement end = new EndAnnouncement();
  /** An option of mpirun that names the hosts of an allocation that are left; empty: all are. */
  private List<String> hostsLeft = List.of();
  private List<String> javaArguments = List.of();
  private List<String> ownWords = List.of();

  private Jmpirun() {}

  /** The values that shells offer for {@code --flavour}. */
  static final class FlavourNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(Flavour.values()).map(Flavour::toString).iterator();
    }
  }

  /**
   * Runs the command and exits with its code.
   *
   * @param args options of jmpirun, then what follows {@code java}
   */
  public static void main(String... args) {
    BlockingOutput.replaceStreams();
    System.exit(execute(RankWords.typed(args)));
  }

  /**
   * Runs the command.
   *
   * @param args as typed: options of jmpirun, then what follows {@code java}
   * @return its exit code
   */
  public static int execute(String... args) {
    List<String> all = List.of(args);
    int split = split(all);
    CommandLine line = commandLine(all.subList(split, all.size()));
    Jmpirun jmpirun = line.getCommand();
    jmpirun.ownWords = all.subList(0, split);
    return line.execute(ofOurs(all.subList(0, split)));
  }

  /** The place of the first word for the JVM. */
  private static int split(List<String> all) {
    int split = 0;
    while (split < all.size() && !isForJvm(all.get(split))) {
      split++;
    }
    return split;
  }

  private static CommandLine commandLine(List<String> javaArguments) {
    Jmpirun jmpirun = new Jmpirun();
    jmpirun.javaArguments = javaArguments;
    return new CommandLine(jmpirun)
        // Otherwise options of mpirun with one dash (-host, -npernode) are read as our -h and -n,
        .setPosixClusteredShortOptionsAllowed(false)
        // and other options of mpirun as values of ours.
        .setUnmatchedOptionsAllowedAsOptionParameters(false)
        .setExecutionExceptionHandler((exception, line, parsed) -> {
          if (exception instanceof SetupException) {
            line.getErr().println("jmpirun: " + exception.getMessage());
            return line.getCommandSpec().exitCodeOnInvalidInput();
          }
          if (exception instanceof InvalidPathException) {
            line.getErr()
                .println("jmpirun: " + RankWords.printable(exception.getMessage()) + ": this locale (LC_ALL, LC_CTYPE, LANG; "
                    + System.getProperty("sun.jnu.encoding")
                    + ") does not know these letters, and no JVM finds such a file: rename it, "
                    + "or set LC_ALL to the locale that its name was written in");
            return line.getCommandSpec().exitCodeOnInvalidInput();
          }
          throw exception;
        })
        .setParameterExceptionHandler((exception, words) -> {
          // Print only the message: users would overlook it after a page of options.
          CommandLine line = exception.getCommandLine();
          line.getErr().println("jmpirun: " + exception.getMessage() + "; jmpirun --help lists all options");
          return line.getCommandSpec().exitCodeOnInvalidInput();
        });
  }

  /**
   * The first word that is neither an option nor the value of one.
   *
   * @param words in front of a program: options of jmpirun, of mpirun and of the JVM
   * @return null if there is none, or if it follows an option of mpirun, whose number of values is
   *     not known here
   */
  static String strayWord(List<String> words) {
    int split = split(words);
    CommandLine line = commandLine(List.of());
    try {
      line.parseArgs(ofOurs(words.subList(0, split)));
    } catch (CommandLine.ParameterException wrong) {
      return null; // the command itself reports it
    }
    Jmpirun jmpirun = line.getCommand();
    if (!jmpirun.mpirunOptions.isEmpty()) {
      return jmpirun.wordInFront();
    }
    String main = new JvmArguments(words.subList(split, words.size()), Map.of()).mainClass();
    return main == null || main.isEmpty() ? null : main;
  }

  /** Whether what begins with this word is for the JVM. */
  static boolean isForJvm(String word) {
    return JVM_TOKEN.matcher(word).matches();
  }

  /**
   * The words with an explicit value for --restart. Otherwise picocli takes the next word for it,
   * even an option of mpirun.
   */
  private static String[] ofOurs(List<String> words) {
    List<String> all = new ArrayList<>(words);
    int at = all.indexOf(RESTART);
    if (at >= 0 && (at + 1 == all.size() || !all.get(at + 1).matches("\\d+"))) {
      all.set(at, RESTART + "=" + MAX_RESTARTS);
    }
    return all.toArray(new String[0]);
  }

  @Override
  public Integer call() {
    if (stacks != null) {
      System.out.print(JobStacks.of(stacks));
      return 0;
    }
    if (ranks == null) {
      throw new LaunchException("-n RANKS is missing: how many ranks?");
    }
    if (javaArguments.isEmpty()) {
      throw new LaunchException("no program: expected -cp CLASSPATH Main or -jar FILE after the options");
    }
    if (maxRestarts < 0) {
      throw new LaunchException(RESTART + "=" + maxRestarts + ": expected how often at most, zero or more");
    }
    requireNoneOfOursIn(javaArguments);
    requireNoProgramInFront();
    refuse(SpellingHints.option(mpirunOptions, command.optionsMap().keySet()));
    if (!proof.isOfProof()) {
      refuse(LoneOptions.objection(command.commandLine().getParseResult(), "--prove"));
    }
    refuse(LoneOptions.objection(command.commandLine().getParseResult(), "--advise"));
    if (proof.isWanted() && advice.isWanted()) {
      throw new LaunchException("--prove with --advise: each runs the program in its own way: use one at a time");
    }
    if (proof.isWanted() && !dryRun) {
      if (network.isFaultToleranceOff()) {
        throw new LaunchException("--no-fault-tolerance with --prove: a proof has processes fail: leave one of the options out");
      }
      if (!kills.isEmpty()) {
        throw new LaunchException("--kill with --prove: a proof chooses the moments of failures itself (--prove-seed)");
      }
      if (record != null) {
        throw new LaunchException("--record " + record + " with --prove: a proof is several jobs, and a recording is of one job: "
            + "leave one of the options out");
      }
      return new Proof(proof, Jmpirun.class.getName(), withSpare(), javaArguments, System.out).run();
    }
    if (advice.isWanted() && !kills.isEmpty()) {
      throw new LaunchException("--kill with --advise: advice is about an undisturbed run: leave one of the options out");
    }
    Map<String, String> environment = MpirunCommand.ofRanks(mpirunOptions, System.getenv());
    javaArguments = OwnClasses.added(javaArguments, environment, Installation.ownClasses());
    JvmArguments jvm = new JvmArguments(javaArguments, environment);
    SpellingHints.settings(jvm).forEach(Jmpirun::refuse);
    String warning = ShownPassword.warning(mpirunOptions, jvm.options());
    if (warning != null) {
      System.err.println("jmpirun: " + warning);
    }
    MpiHome mpi = MpiHome.find(prefix, flavour == null ? null : Flavour.of(flavour), System.getenv());
    if (recordCalls != null && record == null) {
      throw new LaunchException("--record-calls " + recordCalls + ": there is no recording: name its folder by --record DIR");
    }
    if (advice.isWanted() && !dryRun) {
      // The program's standard output stays as it is.
      return new Advice(advice, System.err).run((agent, kill, output) -> {
        JobSpec spec = spec(0).javaAgent(agent).classArchive(false);
        Job job = job(kill == null ? spec : spec.kill(kill).spares(Math.max(1, spares)), mpi);
        return (output == null ? job : job.outputTo(output)).run();
      });
    }
    if (verbose) {
      System.err.println("jmpirun: messages between hosts: " + job(spec(0), mpi).network());
    }
    if (dryRun) {
      System.out.println(job(spec(0), mpi).dryRun());
      return 0;
    }
    end.listen(System.err);
    int restarts = 0;
    while (true) {
      int code = job(spec(restarts), mpi).endAnnouncement(end).run();
      boolean failed = code == ExitCodes.RESTART || code > ExitCodes.BY_SIGNAL;
      if (!failed || restarts == maxRestarts) {
        return code;
      }
      if (end.isMade()) {
        System.err.println("jmpirun: the job is not started again, as the end of its time is announced");
        return code;
      }
      if (!leaveOutLostHosts()) {
        return ExitCodes.RESTART;
      }
      restarts++;
      System.err.println("jmpirun: the job ended with " + code + ", starting it again (" + restarts + " of at most "
          + maxRestarts + ")");
    }
  }

  /**
   * Leaves lost hosts out of the next start: Slurm would wait minutes for one, and then not start anything.
   *
   * @return whether there are enough tasks left for the ranks
   */
  private boolean leaveOutLostHosts() {
    Allocation allocation = Allocation.of(System.getenv());
    if (allocation == null || allocation.system() != BatchSystem.SLURM || Hosts.areGiven(mpirunOptions)) {
      return true;
    }
    Set<String> lost = Slurm.lostHosts(allocation.slots().keySet());
    if (lost.isEmpty()) {
      return true;
    }
    Allocation left = allocation.without(lost);
    System.err.println("jmpirun: nodes of the allocation that do not answer: " + String.join(", ", lost) + ". Left: "
        + String.join(", ", left.slots().keySet()) + ", with " + left.tasks() + " tasks for " + ranks + " ranks");
    if (left.tasks() < ranks) {
      System.err.println("jmpirun: these are too few, and the job is not started again here");
      return false;
    }
    spares = Math.min(spares, left.tasks() - ranks);
    spareNodes = Math.max(0, spareNodes - lost.size());
    hostsLeft = List.of("--host", left.asHostOption());
    return true;
  }

  private Job job(JobSpec spec, MpiHome mpi) {
    return new Job(spec, mpi).timeoutSeconds(timeoutSeconds).stallSeconds(stallSeconds).stallEnds(stallEnds);
  }

  /**
   * Rejects options of jmpirun after the JVM's first option. The JVM would report them only as
   * unknown options.
   */
  private void requireNoneOfOursIn(List<String> words) {
    for (String option : new JvmArguments(words, Map.of()).options()) {
      String name = option.replaceFirst("=.*", "");
      if (command.optionsMap().containsKey(name) && !OF_JAVA_TOO.contains(name)) {
        throw new LaunchException(name + " comes after " + words.get(0) + ", where all is for the JVM: jmpirun's and mpirun's "
            + "options come before the JVM's first one");
      }
    }
  }

  /** The word in front of mpirun's options, which mpirun would take for the program that it is to start. Null: there is none. */
  private String wordInFront() {
    return mpirunOptions.isEmpty() || mpirunOptions.get(0).startsWith("-") ? null : mpirunOptions.get(0);
  }

  private void requireNoProgramInFront() {
    String word = wordInFront();
    if (word != null) {
      throw new LaunchException(word + ": expected an option of jmpirun's, mpirun's or the JVM's"
          + (Path.of(word).endsWith("java") ? ". Leave it out: jmpirun names Java itself, the one of JAVA_HOME, else of the PATH"
              : ""));
    }
  }

  /** The microseconds of a duration such as 1ms. */
  private static long micros(String duration) {
    Matcher parts = DURATION.matcher(duration);
    if (!parts.matches()) {
      throw new LaunchException("--record-calls " + duration + ": expected a number and a unit: 500us, 1ms or 1s");
    }
    TimeUnit unit = switch (parts.group(2)) {
      case "us" -> TimeUnit.MICROSECONDS;
      case "ms" -> TimeUnit.MILLISECONDS;
      default -> TimeUnit.SECONDS;
    };
    return unit.toMicros(Long.parseLong(parts.group(1)));
  }

  private static void refuse(String objection) {
    if (objection != null) {
      throw new LaunchException(objection);
    }
  }

  /** A proof is about data, and not about the number of spares. */
  private List<String> withSpare() {
    List<String> words = new ArrayList<>(ownWords);
    if (spares == 0) {
      words.addAll(List.of("--spares", "1"));
    }
    return words;
  }

  private JobSpec spec(int restarts) {
    List<String> options = new ArrayList<>(mpirunOptions);
    options.addAll(hostsLeft);
    JobSpec spec = new JobSpec().ranks(ranks).spares(spares).spareNodes(spareNodes).restarts(restarts)
        .maxRespawns(maxRespawns)
        .mpirunOptions(options).javaArguments(javaArguments).check(check).classArchive(classArchive);
    spec.record(record);
    if (recordCalls != null) {
      spec.recordCallsMicros(micros(recordCalls));
    }
    if (refill != null) {
      spec.refill(refill);
    }
    kills.forEach(spec::kill);
    spec.requireStartsOfKills(1 + maxRestarts);
    proof.addTo(spec);
    network.addTo(spec);
    return spec;
  }
}
