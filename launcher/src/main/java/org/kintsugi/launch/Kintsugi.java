// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.commandline.RankWords;
import org.kintsugi.launch.internal.doctor.Examination;
import org.kintsugi.launch.internal.doctor.Finding;
import org.kintsugi.launch.internal.doctor.NetworkExamination;
import org.kintsugi.launch.internal.host.Installation;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.job.BlockingOutput;
import org.kintsugi.launch.internal.natives.SiteBuild;
import org.kintsugi.launch.internal.natives.SiteFile;
import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.launch.internal.network.TestedRoutes;
import org.kintsugi.launch.internal.timeline.JobTimeline;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.OptionalHome;
import org.kintsugi.runtime.SetupException;
import org.kintsugi.runtime.internal.NativesRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine;

/** The command {@code kintsugi}: the installation, its problems, and the examples. */
@Command(name = "kintsugi", mixinStandardHelpOptions = true, sortOptions = false, versionProvider = Kintsugi.Version.class,
    subcommands = CommandLine.HelpCommand.class,
    description = "What is installed, what is wrong with it, and the examples. jmpirun starts programs.")
public final class Kintsugi {
  private static final String NOT_INSTALLED = "this command runs from a checkout, not from an installation: ";

  @Spec
  private CommandSpec command;

  private Kintsugi() {}

  /** The line that {@code --version} prints. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"kintsugi " + (Installation.version() == null ? "in a checkout" : Installation.version())};
    }
  }

  /**
   * Runs the command and exits with its code.
   *
   * @param args a subcommand and its own
   */
  public static void main(String... args) {
    BlockingOutput.replaceStreams();
    System.exit(execute(RankWords.typed(args)));
  }

  static int execute(String... args) {
    return commandLine().execute(args);
  }

  static CommandLine commandLine() {
    CommandLine kintsugi = new CommandLine(new Kintsugi());
    // The words that follow belong to jmpirun, the JVM and the example, the -- between them included.
    for (String command : List.of("run", "doctor", "experiment")) {
      kintsugi.getSubcommands().get(command).setUnmatchedOptionsArePositionalParams(true).setEndOfOptionsDelimiter("");
    }
    // In kintsugi run heat -- --help the option belongs to the example.
    kintsugi.getSubcommands().get("run").setStopAtPositional(true);
    kintsugi.setExecutionExceptionHandler((exception, line, parsed) -> {
      if (exception instanceof SetupException) {
        line.getErr().println("kintsugi: " + exception.getMessage());
        return line.getCommandSpec().exitCodeOnInvalidInput();
      }
      throw exception;
    });
    return kintsugi;
  }

  private static Installation installation(String instead) {
    Installation installation = Installation.current();
    if (installation == null) {
      throw new LaunchException(NOT_INSTALLED + instead);
    }
    return installation;
  }

  @Command(name = "info", mixinStandardHelpOptions = true, versionProvider = Version.class,
      description = "Prints what was found: Java, each Open MPI, native libraries, FTI and SCR.")
  int info() {
    PrintWriter out = command.commandLine().getOut();
    Installation installation = Installation.current();
    row(out, "kintsugi", installation == null ? "in a checkout" : installation.home() + ", version " + Installation.version());
    row(out, "java", Runtime.version() + " in " + System.getProperty("java.home"));
    for (Flavour flavour : Flavour.values()) {
      row(out, "MPI, " + flavour, found(() -> {
        MpiHome mpi = MpiHome.find(null, flavour, System.getenv());
        return mpi.prefix() + (mpi.version() == null ? "" : ", Open MPI " + mpi.version())
            + (flavour == Flavour.REINIT ? ": global restart"
                : ": revoke, shrink, agree" + (mpi.isPatched() ? "; built by Kintsugi" : "; not built by Kintsugi"));
      }));
      row(out, "network, " + flavour, found(() -> networks(MpiHome.find(null, flavour, System.getenv()))));
      if (installation != null) {
        Path natives = installation.natives(flavour);
        row(out, "natives, " + flavour, Files.isDirectory(natives) ? natives.toString() : "none in this installation");
      }
      for (SiteFile file : SiteFile.all(System.getenv(), installation)) {
        Path natives = file.named(flavour);
        if (natives != null) {
          row(out, "site's, " + flavour, natives + ", by " + file.path());
        }
      }
      for (String library : List.of("fti", "scr")) {
        row(out, library.toUpperCase(Locale.ROOT) + ", " + flavour,
            found(() -> OptionalHome.find(library, flavour).toString()));
      }
    }
    return 0;
  }

  /** The transports between hosts that an Open MPI has, and which one jobs take. */
  private static String networks(MpiHome mpi) {
    String all = Stream.of(Route.Library.values()).filter(library -> new Route(library, "").canBeTaken(mpi))
        .map(Route.Library::toString).collect(Collectors.joining(", "));
    Route tested = TestedRoutes.quickest(mpi, System.getenv());
    return all + (tested == null ? "; jobs take tcp" : "; jobs take " + tested + ", as kintsugi doctor --network has tested it");
  }

  /** The number of ranks that an example needs, or the default. */
  private static String ranks(Properties examples, String example) {
    return examples.getProperty(example + Installation.RANKS, "4");
  }

  private static void row(PrintWriter out, String what, String value) {
    out.printf("%-16s %s%n", what, value);
  }

  private static String found(Supplier<String> place) {
    try {
      return place.get();
    } catch (SetupException | UnsupportedOperationException notThere) {
      return "none: " + notThere.getMessage().lines().findFirst().orElse("");
    }
  }

  @Command(name = "doctor", mixinStandardHelpOptions = true, versionProvider = Version.class,
      description = "Looks for what jobs on this host would fail of. Each finding has its remedy.",
      footer = "Exit code: 0 if jobs can run on this host; 1 if not.")
  int doctor(
      @Option(names = "--mpi", paramLabel = "PREFIX",
          description = "the Open MPI to look at (else as jmpirun finds it)") Path mpi,
      @Option(names = "--flavour", paramLabel = "ulfm|reinit", description = "of which it has to be",
          completionCandidates = Jmpirun.FlavourNames.class) String flavour,
      @Option(names = "--hostfile", paramLabel = "FILE",
          description = "the hosts of the job: asked over ssh whether they have Java, "
              + "Open MPI, Kintsugi and PROGRAM's class path where this one has them") Path hostfile,
      @Option(names = "--network", arity = "0..1", fallbackValue = "", paramLabel = "ROUTES",
          description = "only test the network, with a process failure on each route that Open MPI has, or on these "
              + "(tcp,ofi:PROVIDER,ucx:DEVICE); on the hosts of --hostfile or of the batch job; jobs take the quickest "
              + "then") String routes,
      @Parameters(index = "0..*", paramLabel = "PROGRAM",
          description = "as after jmpirun's options: -cp CP Main; would ranks find it?") List<String> words)
      throws IOException, InterruptedException {
    List<String> program = words == null ? List.of() : words;
    if (!program.isEmpty() && !Jmpirun.isForJvm(program.get(0))) {
      throw new LaunchException(program.get(0) + ": expected an option of doctor, or -cp CLASSPATH Main");
    }
    PrintWriter out = command.commandLine().getOut();
    Flavour wanted = flavour == null ? null : Flavour.of(flavour);
    AtomicInteger stopping = new AtomicInteger();
    Consumer<Finding> printed = finding -> {
      out.println(finding);
      out.flush();
      stopping.addAndGet(finding.stopsJobs() ? 1 : 0);
    };
    if (routes == null) {
      new Examination(System.getenv(), Installation.current()).findings(mpi, wanted, hostfile, program).forEach(printed);
    } else {
      examineNetwork(MpiHome.find(mpi, wanted, System.getenv()), hostfile, routes, printed);
    }
    return stopping.get() > 0 ? 1 : 0;
  }

  private static void examineNetwork(MpiHome mpi, Path hostfile, String routes, Consumer<Finding> findings)
      throws IOException, InterruptedException {
    Installation installation = installation("make run APP=network MPIRUN=\"--network ROUTE\" tries a network there");
    String classPath = installation.home().resolve("lib/examples") + "/*:" + installation.libraries();
    new NetworkExamination(mpi, installation.home().resolve("bin/jmpirun"), classPath, System.getenv(), hostfile)
        .examine(routes.isEmpty() || routes.equals(JobSpec.ANY_NETWORK) ? List.of() : List.of(routes.split(",")), findings);
  }

  @Command(name = "build", mixinStandardHelpOptions = true, versionProvider = Version.class,
      description = "Compiles the native libraries for an MPI of this site's, from the sources that the "
          + "installation has, and has jobs take them from then on. Needs a JDK and a compiler for C and C++; no network.")
  int build(
      @Option(names = "--mpi", paramLabel = "PREFIX", required = true,
          description = "an Open MPI with ULFM, or the Reinit++ fork") Path prefix,
      @Option(names = "--prefix", paramLabel = "DIR",
          description = "where the libraries are to lie: a folder for them alone (else in the installation, or among the "
              + "user's own files where that may not be written)") Path folder)
      throws IOException, InterruptedException {
    Installation installation = installation("make build compiles them there");
    MpiHome mpi = MpiHome.find(prefix, null, System.getenv());
    SiteFile file = SiteFile.own(System.getenv(), installation);
    Path into = folder == null ? file.folder(mpi.flavour()) : folder.toAbsolutePath().normalize();
    if (Files.exists(into) && NativesRecord.of(into) == null) {
      throw new LaunchException(
          "--prefix " + into + ": it is there, and was not made by kintsugi build: name a folder that is not");
    }
    makeFolder(into.getParent(), "the native libraries", folder == null ? "" : "another --prefix DIR, ");
    makeFolder(file.path().getParent(), "the file that names them to jobs", "");
    Path aside = Files.createTempDirectory(into.getParent(), into.getFileName() + "-");
    try {
      SiteBuild.run(installation, mpi, aside.resolve("new"), System.getenv());
      if (Files.exists(into)) {
        Files.move(into, aside.resolve("old"));
      }
      Files.move(aside.resolve("new"), into);
    } finally {
      JobFolders.remove(aside);
    }
    file.name(mpi.flavour(), into);
    command.commandLine().getOut().println("native libraries for " + mpi.prefix() + " (Open MPI " + mpi.version() + ", flavour "
        + mpi.flavour() + ") are in " + into + "; " + file.path() + " has jobs take them");
    return 0;
  }

  private static void makeFolder(Path folder, String what, String remedy) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new LaunchException("cannot make the folder " + folder + " for " + what + " (" + e + "): name " + remedy
          + "a folder of your own by XDG_DATA_HOME (else it is HOME's .local/share), or be a user who may write into the "
          + "installation", e);
    }
  }

  @Command(name = "classpath", mixinStandardHelpOptions = true, versionProvider = Version.class,
      description = "Prints what programs are compiled with, for javac -cp. jmpirun adds it by itself.")
  int classpath() {
    String own = Installation.ownClasses();
    if (own == null) {
      throw new LaunchException(
          "this launcher was not started by bin/kintsugi of an installation, or of a checkout after make build");
    }
    command.commandLine().getOut().println(own);
    return 0;
  }

  @Command(name = "run", mixinStandardHelpOptions = true, versionProvider = Version.class,
      description = "Runs an example: kintsugi run hpccg --kill process:2@60 -- 16 16 16",
      footer = "Without -n: 4 ranks, or as many as the example needs, and a spare.")
  int run(@Parameters(index = "0", paramLabel = "EXAMPLE", description = "its name",
      completionCandidates = Installation.ExampleNames.class) String example,
      @Parameters(index = "1..*", paramLabel = "WORDS",
          description = "options of jmpirun and of the JVM, --, arguments of the example") List<String> words)
      throws IOException {
    Installation installation = installation("make run APP=" + example + " runs one there");
    Properties mains = installation.examples();
    if (!Installation.names(mains).contains(example)) {
      throw new LaunchException("example " + example + ": there is none; there are: "
          + String.join(", ", Installation.names(mains)));
    }
    List<String> all = words == null ? List.of() : words;
    int end = all.indexOf("--");
    List<String> line = new ArrayList<>(end < 0 ? all : all.subList(0, end));
    String stray = Jmpirun.strayWord(line);
    if (stray != null) {
      throw new LaunchException(
          stray + ": no option of jmpirun or of the JVM; the example's own arguments come after --, as in "
              + "kintsugi run " + example + " -n 4 -- " + stray);
    }
    if (line.stream().noneMatch(word -> word.matches("-np?|--np"))) {
      line.addAll(0, List.of("-n", ranks(mains, example), "--spares", "1"));
    }
    line.addAll(List.of("-cp", installation.home().resolve("lib/examples") + "/*:" + installation.libraries(),
        mains.getProperty(example)));
    line.addAll(end < 0 ? List.of() : all.subList(end + 1, all.size()));
    return Jmpirun.execute(line.toArray(new String[0]));
  }

  @Command(name = "timeline", mixinStandardHelpOptions = true, versionProvider = Version.class,
      description = "Draws what the processes of a job did, when they failed and how they recovered, as a page for a browser.")
  int timeline(
      @Parameters(index = "0", paramLabel = "DIR", description = "the folder that jmpirun --record was given") Path folder,
      @Option(names = {"-o", "--output"}, paramLabel = "FILE",
          description = "the page to write (DIR/timeline.html); with the ending .svg only one picture") Path output,
      @Option(names = "--epoch", paramLabel = "N",
          description = "with an .svg: the picture of the recovery to this epoch, in place of that of the whole job") int epoch)
      throws IOException {
    Path page = output == null ? folder.resolve("timeline.html") : output;
    JobTimeline.write(folder, page, epoch);
    command.commandLine().getOut().println("timeline of " + folder + ": " + page.toAbsolutePath().normalize());
    return 0;
  }

  @Command(name = "experiment", description = "Repeats experiments of the papers, and makes reports: kintsugi experiment "
      + "match-scaling --size laptop. kintsugi experiment --help tells more.")
  int experiment(@Parameters(paramLabel = "WORDS", description = "names of experiments or files, and options") List<String> words)
      throws IOException, InterruptedException {
    Installation installation = installation("make papers repeats experiments there");
    String classPath = installation.home().resolve("lib/examples") + "/*:" + installation.libraries();
    List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
        classPath, "org.kintsugi.examples.experiments.ExperimentCommand", "--jmpirun",
        installation.home().resolve("bin/jmpirun").toString(), "--class-path", classPath, "--experiments",
        installation.home().resolve("share/kintsugi/experiments").toString()));
    line.addAll(words == null ? List.of("--help") : words);
    Process process = new ProcessBuilder(line).inheritIO().start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
    return process.waitFor();
  }
}
