// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.kintsugi.examples.app.OutputFile;
import org.kintsugi.examples.experiments.report.StudyReport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code kintsugi experiment}. */
@Command(name = "kintsugi experiment", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Repeats experiments of the papers, what is compared by turns: designs of fault tolerance, revocations, "
        + "persistent communicators. Started again, it goes on where it was.",
    footer = {"", "In the folder OUT: NAME-SIZE.jsonl, a line for each run; NAME-SIZE.html, the report; NAME-SIZE.csv.",
        "Exit code: 0 if all runs ended right, 1 if not or if none was possible, 2 for wrong arguments."})
public final class ExperimentCommand implements Callable<Integer> {
  /** More ranks than this on each processor, and times say nothing. */
  private static final int MOST_RANKS_PER_PROCESSOR = 8;

  @Parameters(paramLabel = "EXPERIMENT", arity = "1..*",
      description = "names of experiments that come with Kintsugi, such as match-scaling, or files of your own")
  private List<Path> files;

  @Option(names = "--size", paramLabel = "smoke|laptop|paper", defaultValue = "smoke",
      description = "how large: a minute, about an hour, or as in the paper (smoke)")
  private String size;

  @Option(names = "--out", paramLabel = "OUT", defaultValue = "experiments",
      description = "the folder of results and reports, which all hosts of the jobs see (experiments)")
  private Path out;

  @Option(names = "--report", description = "makes reports of the results that are there, and runs nothing")
  private boolean onlyReport;

  @Option(names = "--manual", paramLabel = "FOLDER",
      description = "writes each report into this folder, too, as Markdown with its figures as files, without the details")
  private Path manual;

  @Option(names = "--jmpirun-option", paramLabel = "WORD",
      description = "a word for jmpirun in all runs; may be given several times: --jmpirun-option --hostfile "
          + "--jmpirun-option FILE")
  private List<String> options = List.of();

  @Option(names = "--any-machine", description = "starts even if the machine is too small for the size")
  private boolean anyMachine;

  @Option(names = "--jmpirun", paramLabel = "PATH", required = true, hidden = true)
  private Path jmpirun;

  @Option(names = "--experiments", paramLabel = "DIR", required = true, hidden = true)
  private Path folder;

  @Option(names = "--class-path", paramLabel = "CP", required = true, hidden = true)
  private String classPath;

  @Option(names = "--twins", paramLabel = "LIBRARY", hidden = true)
  private Path twins;

  private final PrintStream console = System.out;

  private ExperimentCommand() {}

  /** @param args see {@code --help} */
  public static void main(String... args) {
    System.exit(execute(args));
  }

  /** As {@link #main}, for a program that goes on. @return the exit code */
  public static int execute(String... args) {
    CommandLine command = new CommandLine(new ExperimentCommand());
    command.setExecutionExceptionHandler((exception, line, parsed) -> {
      if (exception instanceof ExperimentException) {
        line.getErr().println("kintsugi experiment: " + exception.getMessage());
        return line.getCommandSpec().exitCodeOnInvalidInput();
      }
      throw exception;
    });
    return command.execute(args);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Studies studies = new Studies();
    List<Study> experiments = files.stream().map(file -> read(studies, file)).toList();
    for (Study experiment : experiments) {
      requireMachine(experiment);
    }
    Files.createDirectories(out);
    for (Study experiment : experiments) {
      experiment.runs(size); // names all mistakes before the first run
    }
    boolean isAllRight = true;
    for (Study experiment : experiments) {
      Map<String, JsonNode> runs;
      try (RunLog log = new RunLog(out.resolve(experiment.name() + "-" + size + ".jsonl"))) {
        if (!onlyReport) {
          run(experiment, log);
        }
        runs = log.runs();
      }
      StudyReport report = experiment.report(size, runs.values());
      Path page = out.resolve(experiment.name() + "-" + size + ".html");
      report.write(page, out.resolve(experiment.name() + "-" + size + ".csv"));
      if (manual != null) {
        Files.createDirectories(manual);
        report.page().writeMarkdown(manual, experiment.name());
        OutputFile.write(manual.resolve(experiment.name() + ".csv"), report.table());
      }
      console.println(experiment.name() + ": " + report.summary() + "; " + page.toAbsolutePath());
      isAllRight &= report.isAllRight();
    }
    return isAllRight ? 0 : 1;
  }

  private Study read(Studies studies, Path nameOrFile) {
    Path named = folder.resolve(nameOrFile + ".json");
    Path file = Files.exists(nameOrFile) || !Files.exists(named) ? nameOrFile : named;
    try {
      return studies.read(file, twins);
    } catch (IOException e) {
      throw new ExperimentException(file + " cannot be read: " + e);
    }
  }

  private boolean hasHosts() {
    return !options.isEmpty() || System.getenv("SLURM_JOB_ID") != null || System.getenv("PBS_NODEFILE") != null
        || System.getenv("LSB_JOBID") != null || System.getenv("PE_HOSTFILE") != null;
  }

  private void requireMachine(Study experiment) {
    int most = experiment.mostRanks(size);
    int processors = Runtime.getRuntime().availableProcessors();
    if (!onlyReport && !anyMachine && !hasHosts() && most > MOST_RANKS_PER_PROCESSOR * processors) {
      throw new ExperimentException(experiment.name() + " in the size " + size + " needs up to " + most
          + " ranks, and this machine has " + processors + " processors: run it inside of a batch allocation, name hosts "
          + "(--jmpirun-option --hostfile --jmpirun-option FILE), take --size laptop, or try all the same: --any-machine");
    }
  }

  private void run(Study experiment, RunLog log) throws IOException, InterruptedException {
    List<StudyRun> runs = experiment.runs(size);
    List<StudyRun> left = runs.stream().filter(run -> !log.has(run.key())).toList();
    console.printf("%s, %s: %d runs, %d of them made already%n", experiment.name(), size, runs.size(), runs.size() - left.size());
    if (left.isEmpty()) {
      return;
    }
    ObjectNode here = Circumstances.here(jmpirun.resolveSibling("kintsugi"));
    Launcher launcher = new Launcher(jmpirun, options, classPath, here.path("installed").asText(), hasHosts());
    JobRun job = new JobRun(launcher, here, out);
    long begin = System.nanoTime();
    int made = 0;
    for (StudyRun run : left) {
      JsonNode result = job.make(run);
      log.add(result);
      made++;
      long each = (System.nanoTime() - begin) / made;
      console.printf(Locale.ROOT, "%d of %d  %-60s %s, %.1f s; %s left%n", runs.size() - left.size() + made, runs.size(),
          run.key(), result.path("outcome").asText(), result.path("wallSeconds").asDouble(),
          rounded(Duration.ofNanos(each * (left.size() - made))));
    }
  }

  private static String rounded(Duration time) {
    return time.toMinutes() < 2 ? time.toSeconds() + " s" : time.toMinutes() + " min";
  }
}
