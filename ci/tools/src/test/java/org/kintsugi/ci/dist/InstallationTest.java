// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.ci.docs.MarkdownLinks;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.TemporaryFolder;

/**
 * An installation by {@code make install}, moved and write-protected: programs run from it, and no file of the checkout is used.
 */
@Tag("flavours")
@Tag("once")
class InstallationTest {
  private static final int LIMIT_SECONDS = 240;

  private static TemporaryFolder folder;
  private static MpiHome mpi;
  private static Path home;

  /** A user's program, which prints the path of its native library. */
  private static final String PROGRAM = """
      import java.nio.file.*;
      import org.kintsugi.mpi.*;
      import org.kintsugi.reinit.*;
      public class Sum {
        public static void main(String[] args) {
          try (Mpi mpi = Mpi.init(args)) {
            Reinit.run(mpi, run -> {
              long[] sum = {0};
              run.checkpoint().protect("sum", sum);
              for (long i = run.checkpoint().restore().orElse(0); i < 30; i++) {
                run.iteration(i);
                sum[0] += run.world().allReduce(i, Op.SUM);
                run.checkpoint().save(i + 1);
              }
              System.out.println("rank " + run.world().rank() + " has " + sum[0] + " " + run.state());
            });
            for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
              if (line.endsWith("libkintsugi.so")) {
                System.out.println("natives " + line.substring(line.indexOf('/')));
                break;
              }
            }
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        }
      }
      """;

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    mpi = RankJob.mpiOrSkip();
    folder = TemporaryFolder.create("kintsugi-installation-");
    Path first = folder.path().resolve("first");
    String said = run(Map.of(), List.of(Checkout.FOLDER.resolve("dist/install.sh").toString(), first.toString()));
    assertThat(said).startsWith("0 ");
    home = Files.move(first, folder.path().resolve("a place with blanks"), StandardCopyOption.ATOMIC_MOVE);
    run(Map.of(), List.of("chmod", "-R", "a-w", home.toString()));
  }

  @AfterAll
  static void remove() throws IOException, InterruptedException {
    if (folder != null) {
      run(Map.of(), List.of("chmod", "-R", "u+w", folder.path().toString()));
      folder.close();
    }
  }

  private static String run(Map<String, String> variables, List<String> line) throws IOException, InterruptedException {
    return Commands.run(folder.path(), LIMIT_SECONDS, variables, line);
  }

  private static List<String> jmpirun(String... words) {
    return jmpirun(mpi.prefix(), words);
  }

  private static List<String> jmpirun(Path prefix, String... words) {
    List<String> line = new ArrayList<>(List.of(home.resolve("bin/jmpirun").toString(), "--mpi", prefix.toString(),
        "--timeout", String.valueOf(LIMIT_SECONDS / 2)));
    line.addAll(List.of(words));
    return line;
  }

  /** The class path of the program, a folder first. */
  private static String compiled(Path home) throws IOException, InterruptedException {
    Path source = Files.writeString(folder.path().resolve("Sum.java"), PROGRAM);
    String libraries = home.resolve("lib") + "/*";
    assertThat(run(Map.of(), List.of(Path.of(System.getProperty("java.home"), "bin/javac").toString(), "-cp", libraries, "-d",
        folder.path().toString(), source.toString()))).startsWith("0 ");
    return folder.path() + ":" + libraries;
  }

  @Test
  void aJobThatLosesAProcessRunsFromAMovedInstallation() throws IOException, InterruptedException {
    Path cache = Files.createTempDirectory(folder.path(), "cache");
    String said = run(Map.of("XDG_CACHE_HOME", cache.toString()), jmpirun("-n", "3", "--spares", "1", "--kill", "process:1@17",
        "-cp", compiled(home), "Sum"));
    assertThat(said).startsWith("0 ");
    for (int rank = 0; rank < 3; rank++) {
      assertThat(said).contains("rank " + rank + " has " + 3 * 435 + (rank == 1 ? " RESTARTED" : " REINITED"));
    }
    assertThat(said).contains("natives " + home.resolve("lib/natives/" + mpi.flavour()));
    assertThat(cache).as("nothing is unpacked").isEmptyDirectory();
  }

  /** None of them is root, or may write into it. The Open MPI is a copy, as they cannot look into root's folders. */
  @Test
  void usersRunJobsFromItAtTheSameTime() throws IOException, InterruptedException {
    assumeTrue(ProcessHandle.current().info().user().filter("root"::equals).isPresent(),
        "only root runs jobs of other users");
    Path copy = folder.path().resolve("copied-mpi");
    assertThat(run(Map.of(), List.of("cp", "-a", mpi.prefix().toString(), copy.toString()))).startsWith("0 ");
    String classPath = compiled(home);
    assertThat(run(Map.of(), List.of("chmod", "-R", "a+rX", folder.path().toString()))).startsWith("0 ");
    List<CompletableFuture<String>> jobs = new ArrayList<>();
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    for (String user : List.of("1", "65534")) { // daemon and nobody; so are their groups
      Path own = Files.createTempDirectory(folder.path(), "home-of-" + user);
      assertThat(run(Map.of(), List.of("chown", user + ":" + user, own.toString()))).startsWith("0 ");
      List<String> line = new ArrayList<>(List.of("setpriv", "--reuid", user, "--regid", user, "--clear-groups"));
      String reach = run(Map.of(), Stream.concat(line.stream(), Stream.of("test", "-x", java.toString())).toList());
      assumeTrue(reach.startsWith("0 "), "other users than root cannot run " + java);
      line.addAll(jmpirun(copy, "-n", "2", "--spares", "1", "--kill", "process:1@17", "-cp", classPath, "Sum"));
      jobs.add(CompletableFuture.supplyAsync(() -> {
        try {
          return run(Map.of("HOME", own.toString(), "XDG_CACHE_HOME", own.toString()), line);
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(user + "'s job", e);
        }
      }));
    }
    for (CompletableFuture<String> job : jobs) {
      assertThat(job.join()).startsWith("0 ").contains("rank 0 has " + 2 * 435 + " REINITED")
          .contains("rank 1 has " + 2 * 435 + " RESTARTED");
    }
  }

  /** Of a copy of what it takes, as Lmod has no Tcl modules in folders with blanks in their names. */
  @ParameterizedTest
  @CsvSource({"Lmod, lmod, /usr/share/lmod/*/libexec/lmod", "Environment Modules, environment-modules, /usr/lib/*/modulecmd.tcl"})
  void aModuleSetsWhatThePageSays(String system, String ofDebian, String command) throws IOException, InterruptedException {
    assumeTrue(run(Map.of(), List.of("sh", "-c", "ls " + command)).startsWith("0 "),
        system + " is not installed (Debian: " + ofDebian + ")");
    Path plain = Files.createTempDirectory(folder.path(), "module");
    String shell = """
        set -e
        cd "$1"
        mkdir -p "$2/share/kintsugi"
        cp -r bin "$2"
        cp -r share/kintsugi/modulefiles "$2/share/kintsugi"
        export MODULEPATH="$2/share/kintsugi/modulefiles"
        set -- %s
        eval "$("$1" bash load kintsugi)"
        echo "$KINTSUGI_HOME"
        command -v jmpirun
        eval "$("$1" bash unload kintsugi)"
        echo "${KINTSUGI_HOME:-none}"
        command -v jmpirun || echo none
        """.formatted(command);
    assertThat(run(Map.of(), List.of("bash", "-c", shell, "bash", home.toString(), plain.toString())))
        .isEqualTo("0 " + plain + "\n" + plain.resolve("bin/jmpirun") + "\nnone\nnone\n");
  }

  @Test
  void whatSomebodyElseHasInThePrefixIsLeftAlone() throws IOException, InterruptedException {
    Path prefix = folder.path().resolve("taken");
    Path theirs = Files.createFile(Files.createDirectories(prefix.resolve("lib/examples")).resolve("theirs"));
    assertThat(run(Map.of(), List.of(Checkout.FOLDER.resolve("dist/install.sh").toString(), prefix.toString()))).startsWith("1 ")
        .contains(theirs.getParent() + " is there", "name another PREFIX");
    assertThat(theirs).exists();
  }

  /** Links to what an installation does not have are none there. */
  @Test
  void theLinksOfItsDocumentsLeadSomewhere() throws IOException {
    MarkdownLinks links = MarkdownLinks.of(home.resolve("share/kintsugi"));
    assertThat(links.broken()).isEmpty();
    assertThat(links.number()).as("links looked at").isGreaterThan(20);
  }

  private static long fromArchive(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.matches(".*org\\.kintsugi\\..*shared objects file \\(top\\).*")).count();
    }
  }

  /** It is there with the first job, and a job that cannot have it does without. */
  @Test
  void ranksTakeTheirClassesFromAnArchive() throws IOException, InterruptedException {
    Path cache = Files.createTempDirectory(folder.path(), "cache");
    Path log = folder.path().resolve("classes.log");
    // No JVM takes classes of an archive from a path with blanks in it.
    Path plain = folder.path().resolve("plain");
    assertThat(run(Map.of(), List.of("cp", "-r", home.toString(), plain.toString()))).isEqualTo("0 ");
    Map<String, String> variables = Map.of("XDG_CACHE_HOME", cache.toString());
    String[] words = {"-n", "1", "-Xlog:class+load:file=" + log, "-cp", compiled(plain), "Sum"};
    for (int job = 0; job < 2; job++) {
      assertThat(run(variables, jmpirun(words))).matches("(?s)0 rank 0 has 435 NEW\\nnatives .*libkintsugi.so\\n");
      assertThat(fromArchive(log)).isGreaterThan(100);
    }
    Path archive = cache.resolve("kintsugi").resolve(cache.resolve("kintsugi").toFile().list()[0]);
    archive.toFile().setWritable(true);
    // An archive of another Java, or one that is cut short: no message is printed.
    Files.writeString(archive, "no archive");
    assertThat(run(variables, jmpirun(words))).matches("(?s)0 rank 0 has 435 NEW\\nnatives .*libkintsugi.so\\n");
    assertThat(fromArchive(log)).isZero();
    assertThat(run(Map.of("XDG_CACHE_HOME", "/proc/none"), jmpirun(words))).startsWith("0 ");
    List<String> without = new ArrayList<>(List.of("--class-archive=false"));
    without.addAll(List.of(words));
    assertThat(run(variables, jmpirun(without.toArray(new String[0])))).startsWith("0 ");
    assertThat(archive).hasContent("no archive");
  }

  private static String kintsugi(Map<String, String> variables, String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(home.resolve("bin/kintsugi").toString()));
    line.addAll(List.of(words));
    return run(variables, line);
  }

  /** Runs the page's commands; the page has their output, too. */
  @Test
  void theFirstProgramOfTheManual() throws IOException, InterruptedException {
    String page = Files.readString(Checkout.FOLDER.resolve("docs/first-program.md"));
    Path here = Files.createDirectory(folder.path().resolve("first program"));
    Files.writeString(here.resolve("Sums.java"), page.replaceAll("(?s).*```java\\n(.*?)```.*", "$1"));
    List<String> indented = page.lines().filter(line -> line.startsWith("    ")).map(String::strip).toList();
    List<String> commands =
        indented.stream().filter(line -> line.matches("(javac|jmpirun) .* (-d|-cp) classes .*")).toList();
    String printed =
        indented.stream().filter(line -> line.matches("(sum|rank \\d|kintsugi:) [^$]+")).collect(Collectors.joining("\n"));
    assertThat(commands).hasSize(3);
    Map<String, String> variables = Map.of("MPI_HOME", mpi.prefix().toString(), "PATH",
        home.resolve("bin") + ":" + Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH"));
    String said = run(variables, List.of("sh", "-c", "cd '" + here + "' && " + String.join(" && ", commands)));
    // One rank's output may come before earlier output of another one.
    assertThat(said).startsWith("0 ");
    assertThat(withoutTimes(said.substring(2))).containsExactlyInAnyOrderElementsOf(withoutTimes(printed));
  }

  private static List<String> withoutTimes(String lines) {
    return lines.replaceAll("\\d+ ms", "some ms").lines().toList();
  }

  @Test
  void anExampleRunsByItsName() throws IOException, InterruptedException {
    Map<String, String> variables = Map.of("XDG_CACHE_HOME", folder.path().resolve("cache").toString());
    assertThat(kintsugi(variables, "run", "hpccg", "--mpi", mpi.prefix().toString(), "--timeout",
        String.valueOf(LIMIT_SECONDS / 2), "-n", "2", "--spares",
        "1", "--kill", "process:1@20", "--", "4", "4", "4")).startsWith("0 ").contains("HPCCG on 2 ranks")
        .contains("recovered from the loss of rank(s) [1]");
    assertThat(kintsugi(variables, "run", "hpcg")).startsWith("2 ").contains("example hpcg: there is none",
        "hpccg, lengths, lulesh");
  }

  @Test
  void theDoctorFindsWhatAJobWouldFailOf() throws IOException, InterruptedException {
    String prefix = mpi.prefix().toString();
    assertThat(kintsugi(Map.of(), "doctor", "--mpi", prefix)).startsWith("0 ").doesNotContain("WRONG")
        .contains("well   native libraries: " + home.resolve("lib/natives/" + mpi.flavour()));
    assertThat(kintsugi(Map.of(), "doctor", "--mpi", "/usr/share")).startsWith("1 ")
        .contains("WRONG  Open MPI: --mpi /usr/share: no bin/mpirun in it");
    assertThat(kintsugi(Map.of("KINTSUGI_LIBRARY_PATH", "/usr/share"), "doctor", "--mpi", prefix)).startsWith("1 ")
        .contains("WRONG  native libraries: KINTSUGI_LIBRARY_PATH=/usr/share: no libkintsugi.so in it");
    // In place of ssh: the question is asked of this host, which has no such mpirun on "bare".
    Path ssh = Files.writeString(Files.createDirectories(folder.path().resolve("bin")).resolve("ssh"), """
        #!/bin/sh
        while [ $# -gt 3 ]; do shift; done
        case $1 in
        away) echo 'no route to host away' >&2; exit 255 ;;
        bare) sed 's|/mpirun|/nowhere|g' | sh ;;
        empty) sed 's|/Sum-classes|/nowhere|g' | sh ;;
        newer) sh -s | sed 's|version "[0-9]*|version "99|' ;;
        mixed) sh -s | sed 's|^Kintsugi: .*|Kintsugi: jars with the sum 1 1|' ;;
        *) echo "Welcome to $1" >&2; bash -s ;;
        esac
        """);
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    Path hosts = Files.writeString(folder.path().resolve("hosts"), "whole slots=2\nbare\naway\nempty\nnewer\nmixed\n");
    Path classes = Files.createDirectories(folder.path().resolve("Sum-classes"));
    assertThat(kintsugi(Map.of("PATH", ssh.getParent() + ":" + System.getenv("PATH")), "doctor", "--mpi", prefix, "--hostfile",
        hosts.toString(), "-cp", classes + ":" + compiled(home), "Sum")).startsWith("1 ")
        .contains("well   whole: has Java, Open MPI, Kintsugi and the program's class path where this host has them")
        .contains("WRONG  empty: has no " + folder.path().resolve("nowhere") + ": install what is missing there")
        .contains("limit  newer: has Java: ", "version \"99", ", and this host has Java: ")
        .contains("WRONG  mixed: has Kintsugi: jars with the sum 1 1, and this host has Kintsugi: jars with the sum ")
        .contains("WRONG  bare: has no " + mpi.prefix().resolve("bin/nowhere") + ": install what is missing there")
        .contains("WRONG  away: no route to host away: ssh must work without a password");
    assertThat(kintsugi(Map.of("PATH", "/bin"), "info")).startsWith("0 ").contains("kintsugi         " + home + ", version ");
    assertThat(kintsugi(Map.of("KINTSUGI_HOME", "/opt/old"), "doctor", "--mpi", prefix)).startsWith("0 ")
        .contains("limit  installation: KINTSUGI_HOME=/opt/old is not the one that this command is of (" + home + ")");
    assertThat(kintsugi(Map.of("KINTSUGI_HOME", home.toString()), "doctor", "--mpi", prefix)).startsWith("0 ")
        .doesNotContain("installation:");
    assertThat(kintsugi(Map.of(), "--version")).matches("0 kintsugi \\d+\\.\\d+\\.\\d+.*\n");
  }

  @Test
  void shellsCompleteWhatThereIsToChooseFrom() throws IOException, InterruptedException {
    assertThat(home.resolve("share/kintsugi/kintsugi.bash")).content().contains("\"hpccg\"", "\"ulfm\"", "--hostfile");
    assertThat(home.resolve("share/kintsugi/jmpirun.bash")).content().contains("\"ulfm\"", "\"reinit\"", "--spare-nodes");
    assertThat(completed("jmpirun", "--fl")).isEqualTo("0 --flavour\n");
    assertThat(completed("jmpirun", "--flavour", "")).isEqualTo("0 ulfm reinit\n");
    assertThat(completed("kintsugi", "run", "mini")).isEqualTo("0 minife minivite\n");
    assertThat(completed("kintsugi", "doc")).isEqualTo("0 doctor\n");
  }

  /** The completions that bash offers for the last of these words. */
  private static String completed(String... words) throws IOException, InterruptedException {
    String script = """
        source "$1" && shift && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && COMP_LINE="$*" && COMP_POINT=${#COMP_LINE}
        "_complete_$1" 2>/dev/null
        echo ${COMPREPLY[@]}
        """;
    List<String> line = new ArrayList<>(
        List.of("bash", "-c", script, "bash", home.resolve("share/kintsugi/" + words[0] + ".bash").toString()));
    line.addAll(List.of(words));
    return run(Map.of(), line);
  }

  /** A prefix with an mpirun, and nothing that tells of faults. */
  private static Path withoutFaultTolerance() throws IOException {
    Path mpirun = Files.createDirectories(folder.path().resolve("plain/bin")).resolve("mpirun");
    assertThat(Files.writeString(mpirun, "#!/bin/sh\n").toFile().setExecutable(true)).isTrue();
    return mpirun.getParent().getParent();
  }

  private static Path nativesOfTheOtherFlavour() throws IOException {
    Path natives = Files.createDirectory(folder.path().resolve("others"));
    Files.writeString(natives.resolve("libkintsugi.so"), "");
    String record = Files.readString(home.resolve("lib/natives/" + mpi.flavour() + "/natives.properties"));
    Files.writeString(natives.resolve("natives.properties"), record.replaceAll("flavour=.*", "flavour=other"));
    return natives;
  }

  /** By the doctor, and by the job itself: no other message, and nothing is started. */
  private static void bothSay(Map<String, String> variables, String what, List<String> program, String... words)
      throws IOException, InterruptedException {
    List<String> doctor = new ArrayList<>(List.of(home.resolve("bin/kintsugi").toString(), "doctor"));
    List<String> job = new ArrayList<>(List.of(home.resolve("bin/jmpirun").toString(), "-n", "2", "--timeout", "60"));
    if (!variables.containsKey("MPI_HOME")) {
      List.of(doctor, job).forEach(line -> line.addAll(List.of("--mpi", mpi.prefix().toString())));
    }
    List.of(doctor, job).forEach(line -> line.addAll(program));
    assertThat(run(variables, doctor)).startsWith("1 ").contains("WRONG  " + what + ": ").contains(words);
    assertThat(run(variables, job)).startsWith("2 jmpirun: ").contains(words).hasLineCount(1);
  }

  @Test
  void whatABeginnerGetsWrongIsFoundBeforeTheJob() throws IOException, InterruptedException {
    List<String> program = List.of("-cp", compiled(home), "Sum");
    Path plain = withoutFaultTolerance();
    bothSay(Map.of("MPI_HOME", plain.toString()), "Open MPI", program,
        "MPI_HOME=" + plain + ": this Open MPI has no fault tolerance; it must be 5.0 or newer, configured --with-ft=mpi");
    Path others = nativesOfTheOtherFlavour();
    bothSay(Map.of("KINTSUGI_LIBRARY_PATH", others.toString()), "native libraries", program,
        "(flavour other), and " + mpi.prefix() + " is of the flavour " + mpi.flavour(), "kintsugi build --mpi");
    bothSay(Map.of(), "program", List.of("-cp", compiled(home) + ":missing.jar", "Som"), "class Som is not on the class path",
        "not there, or not for this user to read: missing.jar");
    List<String> well = new ArrayList<>(List.of("doctor", "--mpi", mpi.prefix().toString()));
    well.addAll(program);
    assertThat(kintsugi(Map.of(), well.toArray(new String[0]))).startsWith("0 ").contains("well   program: ");
    assertThat(kintsugi(Map.of(), "doctor", "--hostfil", "x")).startsWith("2 kintsugi: --hostfil: expected an option of doctor");
  }

  @Tag("series")
  @Test
  void otherMistakesAreFoundBeforeTheJob() throws IOException, InterruptedException {
    List<String> program = List.of("-cp", compiled(home), "Sum");
    bothSay(Map.of(), "program", List.of("-jar", "missing.jar"), "-jar missing.jar: no such file");
    bothSay(Map.of(), "program", List.of("-cp", compiled(home)), "no program after -cp: the class comes last");
    bothSay(Map.of(), "setting", Stream.concat(Stream.of("-Dkintsugi.checkpoint.stor=file"), program.stream()).toList(),
        "-Dkintsugi.checkpoint.stor=file: there is no setting of that name; the nearest one is kintsugi.checkpoint.store");
    bothSay(Map.of(), "setting", Stream.concat(Stream.of("-Dkintsugi.checkpoint.store=files"), program.stream()).toList(),
        "-Dkintsugi.checkpoint.store=files: expected memory, xor, file, fti or scr, or several");
    Path classes = Files.createDirectories(folder.path().resolve("newer"));
    byte[] newer = Files.readAllBytes(folder.path().resolve("Sum.class"));
    newer[7] = 99;
    Files.write(classes.resolve("Sum.class"), newer);
    bothSay(Map.of(), "program", List.of("-cp", classes + ":" + home.resolve("lib") + "/*", "Sum"),
        "class Sum was compiled for Java 55, and the ranks' ", "compile it with --release " + Runtime.version().feature());
    assertThat(kintsugi(Map.of(), "doctor", "--mpi", mpi.prefix().toString(), "-cp", folder.path().toString(), "Sum"))
        .startsWith("0 ").contains("well   program: its class and Kintsugi's are on the class path");
  }

  /** mpirun has other words for it each time, and names no remedy. */
  @Test
  void aHostThatLacksOpenMpiIsAskedAbout() throws IOException, InterruptedException {
    Path agent = Files.writeString(folder.path().resolve("agent"), "#!/bin/sh\necho 'no such file' >&2\nexit 127\n");
    assertThat(agent.toFile().setExecutable(true)).isTrue();
    Path hosts = Files.writeString(folder.path().resolve("away-hosts"), "elsewhere slots=2\n");
    boolean isUlfm = mpi.flavour() == Flavour.ULFM;
    List<String> line = jmpirun("-n", "2", "--hostfile", hosts.toString());
    line.addAll(isUlfm ? List.of("--prtemca", "plm_ssh_agent") : List.of("--mca", "plm_rsh_agent"));
    line.addAll(List.of(agent.toString(), "-cp", compiled(home), "Sum"));
    assertThat(run(Map.of(), line)).doesNotStartWith("0 ").contains("nothing was heard of ranks 0-1 before the job ended",
        "doctor");
  }

  /** The doctor and the job both report it. A second rank on this host is all right. */
  @Test
  void aHostThatLacksTheInstallationIsAskedAbout() throws IOException, InterruptedException {
    assumeTrue(run(Map.of(), List.of("unshare", "--mount", "--uts", "true")).startsWith("0 "),
        "a host without the installation is simulated by a mount namespace, which only root may make");
    // In place of ssh: options, the host's name, and a command.
    Path ssh = Files.writeString(Files.createDirectories(folder.path().resolve("lacking")).resolve("ssh"), """
        #!/bin/sh
        while true; do case $1 in -o) shift 2 ;; -*) shift ;; *) break ;; esac; done
        export HOST="$1" HIDDEN='%s/lib'
        shift
        exec unshare --mount --uts sh -c 'hostname "$HOST" && mount -t tmpfs none "$HIDDEN" && exec sh -c "$*"' sh "$@"
        """.formatted(home));
    assertThat(ssh.toFile().setExecutable(true)).isTrue();
    String here = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    Path hosts = Files.writeString(folder.path().resolve("two-hosts"), here + " slots=1\nelsewhere slots=1\n");
    List<String> program = List.of("-cp", compiled(home), "Sum");
    List<String> doctor = new ArrayList<>(List.of("doctor", "--mpi", mpi.prefix().toString(), "--hostfile", hosts.toString()));
    doctor.addAll(program);
    assertThat(kintsugi(Map.of("PATH", ssh.getParent() + ":" + System.getenv("PATH")), doctor.toArray(new String[0])))
        .startsWith("1 ").contains("WRONG  elsewhere: has no " + home.resolve("lib"), "install what is missing there");
    // Its JVM ends at once, and the other rank waits for it in MPI_Init.
    List<String> job =
        new ArrayList<>(List.of(home.resolve("bin/jmpirun").toString(), "--mpi", mpi.prefix().toString(), "-n", "2",
            "--stall", "5", "--timeout", "12", "--hostfile", hosts.toString()));
    job.addAll(mpi.flavour() == Flavour.ULFM ? List.of("--prtemca", "plm_ssh_agent") : List.of("--mca", "plm_rsh_agent"));
    job.add(ssh.toString());
    job.addAll(program);
    String remedy =
        "if a host lacks Java, Open MPI, Kintsugi or the program, kintsugi doctor --hostfile FILE -cp CLASSPATH Main says";
    assertThat(run(Map.of(), job)).startsWith("124 ").contains("rank 1: has not been heard of", "\njmpirun: " + remedy)
        .contains("nothing was heard of rank 1 before the job ended: " + remedy);
  }

  @Test
  void anOldJavaIsNamed() throws IOException, InterruptedException {
    Path old = folder.path().resolve("old");
    Path java = Files.createDirectories(old.resolve("bin")).resolve("java");
    assertThat(Files.writeString(java, "#!/bin/sh\necho started\n").toFile().setExecutable(true)).isTrue();
    for (String version : List.of("1.8.0_392", "11.0.2", "16")) {
      Files.writeString(old.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
      for (String command : List.of("kintsugi", "jmpirun")) {
        assertThat(run(Map.of(), List.of("env", "JAVA_HOME=" + old, home.resolve("bin").resolve(command).toString(), "doctor")))
            .isEqualTo("2 " + command + ": " + java + " is of Java " + version.replaceFirst("^1\\.", "").replaceFirst("\\..*", "")
                + ": install Java 17 or newer, or set JAVA_HOME to the folder of one\n");
      }
    }
  }

  @Test
  void nothingInItNamesTheCheckout() throws IOException, InterruptedException {
    assertThat(run(Map.of(), List.of("grep", "-rlF", Checkout.FOLDER + "/", home.toString()))).isEqualTo("1 ");
    try (Stream<Path> files = Files.walk(home)) {
      assertThat(files.filter(Files::isSymbolicLink)).isEmpty();
    }
    String dry = run(Map.of(), jmpirun("-n", "1", "--dry-run", "-cp", "x", "Main"));
    assertThat(dry).startsWith("0 ").contains("-Dkintsugi.library.path=" + home).doesNotContain(Checkout.FOLDER + "/");
  }
}
