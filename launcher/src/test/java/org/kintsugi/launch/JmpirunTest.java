// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.SpellingHints;
import org.kintsugi.launch.internal.host.StandIns;
import org.kintsugi.runtime.internal.PropertyNames;

/** Sorts the words of a command line: jmpirun's own options, mpirun's, and the JVM's. */
class JmpirunTest {
  @TempDir
  private Path folder;

  private Path hosts;

  @BeforeEach
  void makeFiles() throws IOException {
    StandIns.ulfm(folder.resolve("mpi"));
    hosts = Files.writeString(folder.resolve("hosts"), "a slots=4\nb slots=4\n");
  }

  /** The line that jmpirun would run. */
  private String dryRun(String... words) {
    List<String> all = new ArrayList<>(List.of("--dry-run"));
    if (!List.of(words).contains("--mpi")) {
      all.addAll(List.of("--mpi", folder.resolve("mpi").toString()));
    }
    all.addAll(List.of(words));
    PrintStream out = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(Jmpirun.execute(all.toArray(new String[0]))).isZero();
    } finally {
      System.setOut(out);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void addsItsClassesToTheClassPathThatMpirunGivesToTheRanks() throws IOException {
    String before = System.getProperty(PropertyNames.HOME);
    System.setProperty(PropertyNames.HOME, folder.toString());
    Files.createDirectories(folder.resolve("java-api/target/classes"));
    try {
      assertThat(dryRun("-n", "4", "-x", "CLASSPATH=app.jar", "-Xmx1g", "Main"))
          .contains("app.jar:" + folder.resolve("java-api/target/classes"));
    } finally {
      if (before == null) {
        System.clearProperty(PropertyNames.HOME);
      } else {
        System.setProperty(PropertyNames.HOME, before);
      }
    }
  }

  @Test
  void refusesItsOwnOptionsAfterTheFirstOfTheJvm() {
    String mpi = folder.resolve("mpi").toString();
    for (String ours : List.of("--kill process:1@20", "--spares 1", "--restart", "--timeout=5", "-n 2")) {
      List<String> words = new ArrayList<>(List.of("--dry-run", "--mpi", mpi, "-n", "4", "-Xmx1g"));
      words.addAll(List.of(ours.split(" ")));
      words.addAll(List.of("-cp", "app.jar", "Main"));
      PrintStream err = System.err;
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
      try {
        assertThat(Jmpirun.execute(words.toArray(new String[0]))).isEqualTo(2);
      } finally {
        System.setErr(err);
      }
      assertThat(printed.toString(StandardCharsets.UTF_8)).contains(ours.split("[ =]")[0] + " comes after -Xmx1g");
    }
    assertThat(dryRun("-n", "4", "-cp", "app.jar", "Main", "--kill", "x")).endsWith("Main ''\\''--kill'\\''' x\n");
  }

  @Test
  void aProgramInFrontIsRefused() {
    String mpi = folder.resolve("mpi").toString();
    assertThat(refusal("--dry-run", "--mpi", mpi, "-n", "4", "java", "-cp", "app.jar", "Main"))
        .contains("java: expected an option of jmpirun's, mpirun's or the JVM's. Leave it out: jmpirun names Java itself");
    assertThat(refusal("--dry-run", "--mpi", mpi, "--stall-ends", "30", "-n", "4", "-cp", "app.jar", "Main"))
        .contains("30: expected an option of jmpirun's, mpirun's or the JVM's");
    assertThat(dryRun("-n", "4", "--mca", "a", "b", "-cp", "app.jar", "Main")).contains("--mca a b");
  }

  @Test
  void optionsOfAProofOrOfAdviceNeedTheirMainOption() {
    String mpi = folder.resolve("mpi").toString();
    for (String lone : List.of("--prove-deaths 3", "--prove-seed=2", "--prove-until 5", "--prove-ignore x", "--advise-once",
        "--advise-until=5", "--advise-without x", "--advise-ignore x")) {
      List<String> words = new ArrayList<>(List.of("--dry-run", "--mpi", mpi, "-n", "4"));
      words.addAll(List.of(lone.split(" ")));
      words.addAll(List.of("-cp", "app.jar", "Main"));
      String main = lone.substring(0, lone.indexOf('-', 2));
      assertThat(refusal(words.toArray(new String[0])))
          .contains(lone.split("[ =]")[0] + " without " + main + ": it has no effect: add " + main);
    }
    assertThat(dryRun("-n", "4", "--proof-record", "folder", "--prove-until", "5", "-cp", "app.jar", "Main")).contains("app.jar");
    assertThat(dryRun("-n", "4", "--prove", "--prove-deaths", "3", "-cp", "app.jar", "Main")).contains("app.jar");
    assertThat(refusal("--dry-run", "--mpi", mpi, "-n", "4", "--prove", "--advise-once", "-cp", "app.jar", "Main"))
        .contains("--advise-once without --advise");
  }

  @Test
  void itIsNotStartedAgainLessThanNever() {
    assertThat(refusal("--dry-run", "--mpi", folder.resolve("mpi").toString(), "--restart=-1", "-n", "4", "-cp", "app.jar",
        "Main")).contains("--restart=-1: expected how often at most, zero or more");
  }

  @Test
  void aRecordingHasAFolderAndALimitForCalls() {
    String mpi = folder.resolve("mpi").toString();
    assertThat(dryRun("-n", "4", "--record", "rec", "--record-calls", "250us", "-cp", "app.jar", "Main"))
        .contains("-Dkintsugi.record=true", "-Dkintsugi.record.calls.micros=250", "/rec,settings=none");
    assertThat(Path.of("rec")).as("a dry run makes nothing").doesNotExist();
    assertThat(refusal("--dry-run", "--mpi", mpi, "-n", "4", "--record", "rec", "--record-calls", "2", "-cp", "app.jar", "Main"))
        .contains("--record-calls 2: expected a number and a unit: 500us, 1ms or 1s");
    assertThat(refusal("--dry-run", "--mpi", mpi, "-n", "4", "--record-calls", "2ms", "-cp", "app.jar", "Main"))
        .contains("--record-calls 2ms: there is no recording: name its folder by --record DIR");
  }

  /** Mpirun would not know them either, and would say so of itself. */
  @Test
  void guessesWhatAMisspeltOptionWasToBe() {
    String mpi = folder.resolve("mpi").toString();
    for (String[] pair : new String[][] {{"--spare", "--spares"}, {"--kil", "--kill"}, {"--flavor", "--flavour"},
        {"--restarts", "--restart"}, {"--stall-end", "--stall-ends"}}) {
      assertThat(refusal("--dry-run", "--mpi", mpi, "-n", "4", pair[0], "1", "-cp", "app.jar", "Main"))
          .isEqualTo("jmpirun: " + pair[0] + ": neither jmpirun nor mpirun has such an option; did you mean " + pair[1] + "?\n");
    }
    for (String theirs : List.of("--mca", "--host", "--n", "--max-restarts", "--x", "--tune", "--prtemca", "--path")) {
      assertThat(SpellingHints.option(List.of(theirs), Set.of("--mpi", "--help", "-n", "--max-respawns", "--stall", "--kill",
          "--check"))).as(theirs).isNull();
    }
    assertThat(refusal("--dry-run", "--mpi", mpi, "-n", "4", "--hostfil", hosts.toString(), "-cp", "app.jar", "Main"))
        .startsWith("jmpirun: --hostfil: write --hostfile in full");
    for (String whole : List.of("--host", "--hostfile", "--machinefile", "--default-hostfile")) {
      assertThat(Hosts.inFull(whole)).as(whole).isNull();
    }
    assertThat(refusal("-n", "four", "-cp", "app.jar", "Main")).hasLineCount(1).contains("'four' is not an int",
        "jmpirun --help");
  }

  @Test
  void refusesValuesThatCannotBeRight() {
    String mpi = folder.resolve("mpi").toString();
    for (String[] pair : new String[][] {{"recovery.timeout.seconds=abc", "a whole number, zero or greater"},
        {"recovery.timeout.seconds=-1", "a whole number, zero or greater"}, {"leaks", "true or false"},
        {"reinit.policy=GROW", "SPAWN, SPAWN_TOGETHER, SHRINK, RESTART"},
        {"checkpoint.dir=", "a folder"}, {"checkpoint.local.dir= ", "a folder"}, {"persist.dir=", "a folder"},
        {"library.path=", "a folder"}, {"fti.group.size=32", "a whole number from 1 to 31, or auto"},
        {"kill=process:1", "process:RANK@ITERATION, node:RANK@ITERATION"}}) {
      String setting = "-Dkintsugi." + pair[0];
      assertThat(refusal("--mpi", mpi, "-n", "4", setting, "-cp", "app.jar", "Main")).hasLineCount(1)
          .startsWith("jmpirun: " + setting + (setting.contains("=") ? "" : "=") + ": expected " + pair[1]);
    }
    assertThat(refusal("--mpi", mpi, "-n", "4", "--kill", "process:1@5/2", "-cp", "app.jar", "Main")).isEqualToIgnoringNewLines(
        "jmpirun: --kill process:1@5/2: this job is started once: --restart=1 starts it again after a failure");
    assertThat(dryRun("-n", "4", "--kill", "process:1@5/2", "--restart", "-cp", "app.jar", "Main")).contains("process:1@5/2");
    assertThat(dryRun("-n", "4", "-Dkintsugi.leaks= true", "-Dkintsugi.reinit.policy=shrink", "-Dkintsugi.persist.store=my.Store",
        "-Dkintsugi.job.dir=", "-Dkintsugi.persist.url=",
        "-Dmine=abc", "-cp", "app.jar", "Main")).contains("-Dmine=abc");
  }

  /** A folder of classes that names its engines for checkpoints. */
  private String providers(String name, String... classes) throws IOException {
    Path services = Files.createDirectories(folder.resolve(name).resolve("META-INF/services"));
    Files.write(services.resolve("org.kintsugi.checkpoint.engine.EngineProvider"), List.of(classes));
    return folder.resolve(name).toString();
  }

  /** The program may have engines of its own, with names that only it knows. */
  @Test
  void refusesStoresThatTheProgramCannotHave() throws IOException {
    String mpi = folder.resolve("mpi").toString();
    String[] engines = Files.readAllLines(
        Path.of("../java-api/src/main/resources/META-INF/services/org.kintsugi.checkpoint.engine.EngineProvider"))
        .toArray(String[]::new);
    assertThat(engines).hasSizeGreaterThan(1);
    String ours = providers("ours", engines);
    String theirs = providers("theirs", "org.example.Provider");
    for (String store : List.of("files", "", "memory,file", "memory:2", "file,memory:2,scr:4", "fti,file:4")) {
      assertThat(refusal("--mpi", mpi, "-n", "4", "-Dkintsugi.checkpoint.store=" + store, "-cp", "app.jar:" + ours, "Main"))
          .startsWith(
              "jmpirun: -Dkintsugi.checkpoint.store=" + store + ": expected memory, xor, file, fti or scr, or several of ");
    }
    for (String store : List.of("memory", "scr", "memory, xor:4, file:20", "xor,memory:2")) {
      dryRun("-n", "4", "-Dkintsugi.checkpoint.store=" + store, "-cp", ours, "Main");
    }
    dryRun("-n", "4", "-Dkintsugi.checkpoint.store=files", "-cp", ours + ":" + theirs, "Main");
    dryRun("-n", "4", "-Dkintsugi.checkpoint.store=files", "-p", ours, "-m", "app/Main");
    dryRun("-n", "4", "-Dkintsugi.checkpoint.store=files", "-cp", "app.jar", "Main");
  }

  /** Its message on standard error when it refuses. */
  private static String refusal(String... words) {
    PrintStream err = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(Jmpirun.execute(words)).isEqualTo(2);
    } finally {
      System.setErr(err);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void saysWhichJobsThereAreWhereTheAskedOneIsNot() {
    // No process has the number 0.
    assertThat(refusal("--stacks", "0")).contains("--stacks 0: no job of yours on this host").contains("there are: ");
    assertThat(refusal("-cp", "app.jar", "Main")).contains("-n RANKS is missing");
    assertThat(refusal("-n", "2", "--stall", "-1", "--mpi", folder.resolve("mpi").toString(), "-cp", "app.jar", "Main"))
        .contains("--stall -1: expected seconds");
  }

  @Test
  void saysItsVersion() {
    for (String option : List.of("--version", "-V")) {
      PrintStream out = System.out;
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      try {
        assertThat(Jmpirun.execute(option)).isZero();
      } finally {
        System.setOut(out);
      }
      assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("kintsugi ").hasLineCount(1);
    }
    assertThat(dryRun("-n", "4", "-cp", "app.jar", "--version")).as("that of Java").endsWith("-cp app.jar --version\n");
  }

  @Test
  void leavesTheJvmsArchivesToTheUser() {
    // The JVM refuses -Xshare, whatever its value, together with these.
    assertThat(dryRun("-n", "4", "-XX:AOTCache=app.aot", "-cp", "app.jar", "Main")).doesNotContain("-Xshare");
  }

  @Test
  void leavesOptionsWithOneDashToMpirun() {
    for (String options : List.of("-hostfile " + hosts, "-host a,b", "-npernode 2", "-nolocal", "-nooversubscribe", "-N 2",
        "-mca coll basic", "-x HOME", "-H a:4")) {
      List<String> words = new ArrayList<>(List.of("-n", "4"));
      words.addAll(List.of(options.split(" ")));
      words.addAll(List.of("-cp", "app.jar", "Main"));
      assertThat(dryRun(words.toArray(new String[0]))).contains("/bin/mpirun ", " " + options + " -n 4 ", "-cp app.jar Main");
    }
  }

  @Test
  void whatADryRunPrintsNeedsNoFolderThatNobodyMakes() throws IOException {
    assertThat(dryRun("-n", "4", "-cp", "app.jar", "Main")).contains("--mca async_mpi_finalize 1", "-n 4 ")
        .doesNotContain("kintsugi-job", "KINTSUGI_JOB", "kintsugi.job.dir", "backing_directory", "tmpdir");
    String fork = StandIns.fork(folder.resolve("fork")).toString();
    assertThat(dryRun("--mpi", fork, "-n", "4", "-cp", "app.jar", "Main")).contains("--mca orte_enable_recovery 1", "-n 4 ")
        .doesNotContain("kintsugi-job", "KINTSUGI_JOB", "kintsugi.job.dir", "backing_directory", "TMPDIR", "tmpdir");
  }

  @Test
  void anOptionOfMpirunIsNoNumberOfRestarts() {
    assertThat(dryRun("--restart", "--hostfile", hosts.toString(), "-n", "4", "-cp", "app.jar", "Main"))
        .contains(" --hostfile " + hosts + " -n 4 ");
    assertThat(dryRun("--restart", "-hostfile", hosts.toString(), "-n", "4", "-cp", "app.jar", "Main"))
        .contains(" -hostfile " + hosts + " -n 4 ");
    assertThat(dryRun("--restart", "5", "--nolocal", "-n", "4", "-cp", "app.jar", "Main")).contains(" --nolocal -n 4 ");
  }

  @Test
  void longOptionsThatBeginAsTheJvmsAreMpiruns() {
    for (String option : List.of("--enable-recovery", "--add-host a", "--add-hostfile " + hosts)) {
      assertThat(dryRun(("-n 4 " + option + " -cp app.jar Main").split(" "))).contains(" " + option + " -n 4 ");
    }
    for (String option : List.of("--add-modules java.sql", "--add-opens java.base/java.nio=ALL-UNNAMED", "--enable-preview",
        "--enable-native-access=ALL-UNNAMED", "--class-path=x", "-esa", "-ea:a...", "-enableassertions",
        "--limit-modules=a")) {
      assertThat(dryRun(("-n 4 " + option + " -cp app.jar Main").split(" "))).contains(" " + option + " -cp app.jar Main")
          .doesNotContain(" " + option + " -n 4");
    }
  }
}
