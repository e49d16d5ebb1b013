// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;

/**
 * A job that a test starts and checks from outside: a main class on several ranks. The ranks have
 * this JVM's class path, and a time limit ends the job. Tests in which processes fail need this;
 * {@link RanksTest} is simpler for others. Every setter returns this object.
 *
 * <p>{@link #run} starts the job with the launcher ({@link Job}) in this JVM, as {@code jmpirun} does. {@link RanksTest} uses the
 * same launcher, and shares one job among the methods of a class with the same number of ranks.
 *
 * <p>The main class gets a folder as its first argument, which {@link #report} takes. Values of wrong size are refused as
 * {@code jmpirun} refuses them, with a {@code LaunchException}.
 */
public final class RankJob {
  /** System property of the JVM that runs the tests: the flavour of MPI, {@code ulfm} (default) or {@code reinit}. */
  public static final String FLAVOUR = "kintsugi.test.flavour";

  private static final String REPORT = "report-";
  private static final long DEFAULT_TIMEOUT_SECONDS = 60;
  /** A quarter of what an empty job's ranks took was compiling what is never used again. */
  private static final List<String> SOON_AT_AN_END = List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=10");

  private final JobSpec spec;
  private final List<String> jvmOptions = new ArrayList<>();
  private long timeoutSeconds = DEFAULT_TIMEOUT_SECONDS;
  private long stallSeconds = DEFAULT_TIMEOUT_SECONDS;
  private boolean stallEnds;
  private boolean isThisJava = true;
  private boolean areUsersCompilers;
  private boolean areNativesInJars;

  private RankJob(int ranks, int spares) {
    spec = new JobSpec().ranks(ranks).spares(spares);
  }

  /**
   * A job with these numbers of processes.
   *
   * @param ranks of the program's world, at least 1
   * @param spares that wait to replace failed ranks, or 0
   * @return a job that is not started
   */
  public static RankJob of(int ranks, int spares) {
    return new RankJob(ranks, spares);
  }

  /**
   * Injects a fault, as {@code jmpirun --kill} does; may be called several times.
   *
   * @param specification such as {@code process:2@60}: rank 2 is killed when it calls {@code run.iteration(60)}
   * @return this
   */
  public RankJob kill(String specification) {
    spec.kill(specification);
    return this;
  }

  /**
   * Whether new processes are started while the job runs, to replace failed ones. This is the default.
   *
   * @param refilled false: spares run out
   * @return this
   */
  public RankJob refill(boolean refilled) {
    spec.refill(refilled);
    return this;
  }

  /**
   * The flavour of MPI that the tests of this JVM are for: see {@link #FLAVOUR}.
   *
   * @return that flavour
   * @throws SetupException if the property names none
   */
  public static Flavour flavour() {
    return Flavour.of(System.getProperty(FLAVOUR, Flavour.ULFM.toString()));
  }

  /**
   * Skips a test that holds on one flavour only.
   *
   * @param needed the flavour
   * @param why the reason that the report gives for a skipped test
   */
  public static void assumeFlavour(Flavour needed, String why) {
    Assumptions.assumeTrue(flavour() == needed, why);
  }

  /**
   * Adds options for the JVMs of the ranks.
   *
   * @param options such as {@code -Xmx64m} or {@code -Dkintsugi.checkpoint.store=file}
   * @return this
   */
  public RankJob jvm(String... options) {
    jvmOptions.addAll(List.of(options));
    return this;
  }

  /**
   * Has ranks compile with both compilers of the JVM, as they do outside of tests. By default they use the quick compiler only:
   * most ranks of tests end before the other one pays. For a job that computes for long.
   *
   * @return this
   */
  public RankJob compiledAsForUsers() {
    areUsersCompilers = true;
    return this;
  }

  /**
   * Runs the ranks on another java than the one that runs the tests.
   *
   * @param java the program
   * @return this
   */
  public RankJob java(Path java) {
    spec.java(java);
    isThisJava = false;
    return this;
  }

  /**
   * Adds options for mpirun.
   *
   * @param options passed as they are
   * @return this
   */
  public RankJob mpirun(String... options) {
    spec.mpirunOptions(List.of(options));
    return this;
  }

  /**
   * Sets over what messages between hosts travel, as {@code jmpirun --network} does.
   *
   * @param route {@code tcp}, {@code ofi[:PROVIDER]} or {@code ucx[:DEVICE]}
   * @return this
   */
  public RankJob network(String route) {
    spec.network(route);
    return this;
  }

  /**
   * Starts the job without fault tolerance, as {@code jmpirun --no-fault-tolerance} does.
   *
   * @return this
   */
  public RankJob withoutFaultTolerance() {
    spec.faultTolerance(false);
    return this;
  }

  /**
   * Packs native libraries that are in folders of the class path into jars. Then ranks unpack them,
   * as they do outside of the build of Kintsugi.
   *
   * @return this
   */
  public RankJob nativesInJars() {
    areNativesInJars = true;
    return this;
  }

  /**
   * Limits how many processes the Reinit++ fork's runtime starts again before the job is ended for a restart.
   *
   * @param respawns zero or more
   * @return this
   */
  public RankJob maxRespawns(int respawns) {
    spec.maxRespawns(respawns);
    return this;
  }

  /**
   * Sets the time limit; 60 seconds by default. A job that reaches it has hung: its processes are killed, and its output has the
   * stacks of all of them in C where gdb is installed.
   *
   * @param seconds from the start of mpirun
   * @return this
   */
  public RankJob timeoutSeconds(long seconds) {
    timeoutSeconds = seconds;
    return this;
  }

  /**
   * Sets when the job prints where its ranks wait.
   *
   * @param seconds without progress of any rank
   * @param ends whether the job is ended then
   * @return this
   */
  public RankJob stall(long seconds, boolean ends) {
    stallSeconds = seconds;
    stallEnds = ends;
    return this;
  }

  /**
   * Has the launcher compare what the ranks are about to call, as {@code jmpirun --check} does.
   *
   * @return this
   */
  public RankJob check() {
    spec.check(true);
    return this;
  }

  /**
   * Has all processes record what they do, as {@code jmpirun --record} does.
   *
   * @param folder that is made, or is empty
   * @return this
   */
  public RankJob record(Path folder) {
    spec.record(folder);
    return this;
  }

  /**
   * The outcome of a job.
   *
   * @param exitCode of the job, {@link Job#TIMED_OUT} if it reached its time limit
   * @param output all that the ranks and mpirun printed
   * @param reports what the ranks have reported, by the names that they gave
   */
  public record Outcome(int exitCode, String output, Map<String, String> reports) {
    private static final String OUTPUT = "output";
    private static final Pattern NEVER_STRUCK = Pattern.compile("the injected kill \\S+ never struck");

    /**
     * The file of a job's output in its folder.
     *
     * @param folder the first argument of the main class
     * @return a file in it
     */
    public static Path outputIn(Path folder) {
      return folder.resolve(OUTPUT);
    }

    /**
     * Reads what a job that has ended left in its folder, for tests that start the job by a command line of their own.
     *
     * @param exitCode of the job
     * @param folder where its output and its reports are
     * @return the outcome
     * @throws IOException if there is no output
     */
    public static Outcome of(int exitCode, Path folder) throws IOException {
      return new Outcome(exitCode, Files.readString(outputIn(folder)), readReports(folder));
    }

    /**
     * Fails unless the job ended with 0. Fails also if the job says that an injected kill never struck: a test of a recovery
     * shows nothing then. Where that is meant, look at the exit code instead.
     *
     * @return this
     * @throws AssertionError with all that the job printed
     */
    public Outcome assertSuccess() {
      if (exitCode != 0) {
        throw new AssertionError((exitCode == Job.TIMED_OUT ? "the job hung" : "the job ended with " + exitCode)
            + "; it printed:\n" + output);
      }
      if (NEVER_STRUCK.matcher(output).find()) {
        throw new AssertionError("the job ended with 0, but an injected kill never struck; it printed:\n" + output);
      }
      return this;
    }
  }

  /**
   * Runs the job and waits for its end. If there is no MPI of the {@link #flavour}, the test is skipped.
   *
   * @param main a class with a main method that the class path of this JVM has
   * @param arguments follow the folder for reports, which is the first one
   * @return the outcome
   */
  public Outcome run(Class<?> main, String... arguments) {
    MpiHome mpi = mpiOrSkip();
    try (TemporaryFolder temporary = TemporaryFolder.create("kintsugi-test-")) {
      Path folder = temporary.path();
      addProgram(mpi, folder, main, arguments);
      try (NativeStacks stacks = new NativeStacks(folder, timeoutSeconds)) {
        int code = new Job(spec, mpi).timeoutSeconds(timeoutSeconds).stallSeconds(stallSeconds).stallEnds(stallEnds)
            .outputTo(Outcome.outputIn(folder)).run();
        Outcome outcome = Outcome.of(code, folder);
        return code == Job.TIMED_OUT ? new Outcome(code, outcome.output() + stacks, outcome.reports()) : outcome;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Proves that the program saves all data that it needs. As by {@code jmpirun --prove}, the program runs twice undisturbed, and
   * then with a process failure at each of several moments; it must save and print the same each time. If it does not, the
   * outcome has the exit code 1, and its output names the item that differs first, so that {@link Outcome#assertSuccess} fails
   * with that. If there is no MPI of the {@link #flavour}, the test is skipped.
   *
   * <p>All jobs of the proof get the same folder as the first argument. What ranks {@link #report} is compared as lines of
   * output, and the outcome has no reports. The {@link #timeoutSeconds time limit} is that of each job.
   *
   * @param failures the number of moments, at least 1; 5 are a good beginning
   * @param main a class with a main method that the class path of this JVM has; it calls {@code run.iteration} and saves
   * @param arguments follow the folder for reports, which is the first one
   * @return the outcome
   * @throws IllegalArgumentException if there is no moment
   * @throws IllegalStateException after {@link #kill}, {@link #record} or {@link #withoutFaultTolerance}
   */
  public Outcome prove(int failures, Class<?> main, String... arguments) {
    if (failures < 1) {
      throw new IllegalArgumentException("prove(" + failures + ", ...): expected one failure or more");
    }
    List<String> stall = new ArrayList<>(List.of("--stall", String.valueOf(stallSeconds)));
    if (stallEnds) {
      stall.add("--stall-ends");
    }
    JobProof proof = new JobProof(spec, timeoutSeconds, stall);
    MpiHome mpi = mpiOrSkip();
    try (TemporaryFolder temporary = TemporaryFolder.create("kintsugi-test-")) {
      Path folder = temporary.path();
      addProgram(mpi, folder, main, arguments);
      return Outcome.of(proof.run(mpi, failures, Outcome.outputIn(folder)), folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void addProgram(MpiHome mpi, Path folder, Class<?> main, String... arguments) throws IOException {
    List<String> line = new ArrayList<>(areUsersCompilers ? List.of() : SOON_AT_AN_END);
    line.addAll(jvmOptions);
    line.addAll(areNativesInJars ? RankClasses.withNatives(folder) : RankClasses.options(mpi, isThisJava));
    line.addAll(program(folder, main, arguments));
    // These jars are gone when this JVM ends: what there is of an archive is made by it, and named in the options.
    spec.javaArguments(line).classArchive(false);
  }

  /**
   * The arguments of a rank's java, for tests that start the job by a command line of their own.
   *
   * @param mpi what the ranks run under
   * @param folder for reports; the main class's first argument
   * @param main a class with a main method
   * @param arguments follow the folder
   * @return options for the class path, the main class, its arguments
   */
  public static List<String> javaArguments(MpiHome mpi, Path folder, Class<?> main, String... arguments) {
    List<String> line = new ArrayList<>(classes(mpi));
    line.addAll(program(folder, main, arguments));
    return line;
  }

  /**
   * The options by which a rank's java has this JVM's classes.
   *
   * @param mpi what the ranks run under
   * @return options of the JVM
   */
  public static List<String> classes(MpiHome mpi) {
    return RankClasses.options(mpi, true);
  }

  /**
   * The beginning of a command line of {@code jmpirun}, in a process of its own; its options follow.
   *
   * @param mpi what the job is to run under
   * @return a list that can be added to
   */
  public static List<String> jmpirun(MpiHome mpi) {
    List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
    line.addAll(SOON_AT_AN_END);
    line.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"),
        Jmpirun.class.getName(), "--mpi", mpi.prefix().toString()));
    return line;
  }

  private static List<String> program(Path folder, Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>(List.of(main.getName(), folder.toString()));
    words.addAll(Arrays.asList(arguments));
    return words;
  }

  /**
   * The MPI of {@link #flavour}; where there is none the test is skipped.
   *
   * @return where it is installed
   */
  public static MpiHome mpiOrSkip() {
    return mpiOrSkip(flavour());
  }

  /**
   * An MPI of some flavour, found as {@code jmpirun} finds it; where there is none the test is skipped.
   *
   * @param flavour which
   * @return where it is installed
   */
  public static MpiHome mpiOrSkip(Flavour flavour) {
    try {
      return MpiHome.find(null, flavour, System.getenv());
    } catch (SetupException e) {
      Assumptions.abort(e.getMessage());
      throw e;
    }
  }

  private static Map<String, String> readReports(Path folder) throws IOException {
    Map<String, String> reports = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.startsWith(REPORT)) {
          reports.put(name.substring(REPORT.length()), Files.readString(file));
        }
      }
    }
    return reports;
  }

  /**
   * Tells the test something; called by a rank. The report is there as a whole or not at all, whenever the rank dies. In a job of
   * {@link #prove} it is printed instead.
   *
   * @param folder the first argument of the rank's main method
   * @param name the report's name in {@link Outcome#reports}, a part of a file name; each is used once in a job
   * @param text what it says
   */
  public static void report(String folder, String name, String text) {
    if (!JobConfig.PROOF_DIR.value().isEmpty()) {
      System.out.println("report " + name + ": " + text); // the jobs of a proof share the folder
      return;
    }
    try {
      Path aside = Files.writeString(Path.of(folder, "aside-" + name), text);
      Files.move(aside, Path.of(folder, REPORT + name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
