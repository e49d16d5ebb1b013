// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.JobSpec;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SetupException;

/** A job of a test: this JVM's class path, a main class, a hard time limit, and what came out of it. */
public final class RankJob {
  private static final String REPORT = "report-";
  private static final String FLAVOUR = "kintsugi.test.flavour";
  private static final long DEFAULT_TIMEOUT_SECONDS = 60;

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

  /** A job of so many ranks and spares. */
  public static RankJob of(int ranks, int spares) {
    return new RankJob(ranks, spares);
  }

  /** Injects a fault. */
  public RankJob kill(String specification) {
    spec.kill(specification);
    return this;
  }

  /** The flavour that this execution of the tests is for ({@value #FLAVOUR}; see ci/pom.xml). */
  public static Flavour flavour() {
    return Flavour.valueOf(System.getProperty(FLAVOUR, "ulfm").toUpperCase(Locale.ROOT));
  }

  /** Skips a test that says something of one flavour only. */
  public static void assumeFlavour(Flavour needed, String why) {
    Assumptions.assumeTrue(flavour() == needed, why);
  }

  /** Adds JVM options. */
  public RankJob jvm(String... options) {
    jvmOptions.addAll(List.of(options));
    return this;
  }

  /**
   * For a job that computes for long, or that is to run what users run: its ranks compile with both compilers of the JVM. Those
   * of others are at an end before that pays: all tests together take a tenth less of the processors with the quick one only.
   */
  public RankJob compiledAsForUsers() {
    areUsersCompilers = true;
    return this;
  }

  /** Another java than the one that runs the tests. */
  public RankJob java(Path java) {
    spec.java(java);
    isThisJava = false;
    return this;
  }

  /** Adds options for mpirun. */
  public RankJob mpirun(String... options) {
    spec.mpirunOptions(List.of(options));
    return this;
  }

  /** Has the native libraries in jars, as users have them, and nowhere else. */
  public RankJob nativesInJars() {
    areNativesInJars = true;
    return this;
  }

  /** How often the Reinit++ fork's runtime may start a process anew before the job is ended for a restart. */
  public RankJob maxRespawns(int respawns) {
    spec.maxRespawns(respawns);
    return this;
  }

  /** Sets the time limit. */
  public RankJob timeoutSeconds(long seconds) {
    timeoutSeconds = seconds;
    return this;
  }

  /** Has the job say where its ranks are when none has come forward for so long, and go on or end then. */
  public RankJob stall(long seconds, boolean ends) {
    stallSeconds = seconds;
    stallEnds = ends;
    return this;
  }

  /** Has the launcher compare what its ranks are about to call. */
  public RankJob check() {
    spec.check(true);
    return this;
  }

  /**
   * What came of it.
   *
   * @param exitCode of mpirun, {@link Job#TIMED_OUT} for a hang
   * @param output all that the ranks printed
   * @param reports what the ranks reported, by the names that they gave
   */
  public record Outcome(int exitCode, String output, Map<String, String> reports) {
    private static final String OUTPUT = "output";

    /** Where in a job's folder its output goes. */
    public static Path outputIn(Path folder) {
      return folder.resolve(OUTPUT);
    }

    /** What a job that has ended left in its folder. */
    public static Outcome of(int exitCode, Path folder) throws IOException {
      return new Outcome(exitCode, Files.readString(outputIn(folder)), readReports(folder));
    }

    /** Fails unless the job ended well. */
    public Outcome assertSuccess() {
      if (exitCode != 0) {
        throw new AssertionError((exitCode == Job.TIMED_OUT ? "the job hung" : "the job ended with " + exitCode)
            + "; it printed:\n" + output);
      }
      return this;
    }
  }

  /** Runs a main class; {@code arguments} follow the folder for reports, which comes first. */
  public Outcome run(Class<?> main, String... arguments) {
    MpiHome mpi = mpiOrSkip();
    try (TemporaryFolder temporary = TemporaryFolder.create("kintsugi-test-")) {
      Path folder = temporary.path();
      List<String> line = new ArrayList<>(areUsersCompilers ? List.of() : List.of("-XX:TieredStopAtLevel=1"));
      line.addAll(jvmOptions);
      line.addAll(areNativesInJars ? RankClasses.withNatives(folder) : RankClasses.options(mpi, isThisJava));
      line.addAll(program(folder, main, arguments));
      spec.javaArguments(line);
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

  /** How a rank's java gets its classes, its main class and its arguments, of which the folder for reports is the first. */
  public static List<String> javaArguments(MpiHome mpi, Path folder, Class<?> main, String... arguments) {
    List<String> line = new ArrayList<>(classes(mpi));
    line.addAll(program(folder, main, arguments));
    return line;
  }

  /** How a rank's java gets its classes. */
  public static List<String> classes(MpiHome mpi) {
    return RankClasses.options(mpi, true);
  }

  /** The command of jmpirun, for tests of itself; its options follow. */
  public static List<String> jmpirun(MpiHome mpi) {
    return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC", "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"), Jmpirun.class.getName(), "--mpi",
        mpi.prefix().toString()));
  }

  private static List<String> program(Path folder, Class<?> main, String... arguments) {
    List<String> words = new ArrayList<>(List.of(main.getName(), folder.toString()));
    words.addAll(Arrays.asList(arguments));
    return words;
  }

  /** The MPI of {@link #flavour}; where there is none the test is skipped. */
  public static MpiHome mpiOrSkip() {
    return mpiOrSkip(flavour());
  }

  /** An MPI of some flavour; where there is none the test is skipped. */
  public static MpiHome mpiOrSkip(Flavour flavour) {
    boolean isOptional = flavour == Flavour.REINIT;
    if (isOptional) {
      OptionalNatives.want();
    }
    try {
      return MpiHome.find(null, flavour, System.getenv());
    } catch (SetupException e) {
      Assumptions.abort(isOptional
          ? "no Reinit++ fork of Open MPI: docs/launching.md says where one is looked for" : e.getMessage());
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

  /** What a rank tells the test: one file, whole or not there. */
  public static void report(String folder, String name, String text) {
    try {
      Path aside = Files.writeString(Path.of(folder, "aside-" + name), text);
      Files.move(aside, Path.of(folder, REPORT + name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
