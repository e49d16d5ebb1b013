// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.internal.commandline.Hosts;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.internal.mpirun.FlavourFlags;
import org.kintsugi.launch.internal.network.Route;
import org.kintsugi.launch.internal.network.TestedRoutes;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.ExitCodes;
import org.kintsugi.runtime.MpiHome;

/**
 * The test of {@code kintsugi doctor --network}: on each route between hosts a job without a failure, and one in which a process
 * is killed. A route survives if both end with the same answer. The quickest of these is what jobs take from then on.
 *
 * @param mpi the Open MPI
 * @param jmpirun the launcher's script
 * @param classPath with the program that is run, {@value #PROGRAM}
 * @param environment the variables of this process
 * @param hostfile the hosts; null: those that a batch system has given to this process. Of one host only, also its own messages
 *     go over the network
 */
public record NetworkExamination(MpiHome mpi, Path jmpirun, String classPath, Map<String, String> environment, Path hostfile) {
  /** The program. */
  public static final String PROGRAM = "org.kintsugi.examples.network.NetworkTrial";

  private static final int RANKS = 4;
  /** Parameters that a site sets for its jobs, and that would have a job take another route than the one that is tested. */
  private static final Pattern OF_ROUTES = Pattern.compile("OMPI_MCA_(pml|mtl|btl|btl_(ofi|uct)_.+|opal_common_(ofi|ucx)_.+)");
  private static final int LIMIT_SECONDS = 120;
  private static final int END_SECONDS = 30;
  private static final Pattern SAID =
      Pattern.compile("(?m)^network: answer ([0-9a-f]{16}), (\\d+) recoveries, (8 bytes ([0-9.]+) us, 1 MiB [0-9.]+ GB/s)$");

  /** A job's end: what it has printed, and what the program found; null: nothing, as it has failed. */
  private record Outcome(int exitCode, String output, String answer, int recoveries, String times, double micros) {
    String why() {
      String lines = output.lines().filter(line -> !line.isBlank() && !line.matches("-+")).limit(3)
          .reduce((one, two) -> one + " / " + two).orElse("");
      return exitCode == ExitCodes.TIMED_OUT ? "did not end within " + LIMIT_SECONDS + " s"
          : "ended with " + exitCode + " (" + lines + ")";
    }
  }

  /** A route's test. */
  private record Tested(Route route, Finding finding, double micros) {}

  /**
   * Tests routes one after the other.
   *
   * @param wanted their names; empty: all that are built in
   * @param findings gets each as soon as it is there: a route that connects nothing takes minutes
   */
  public void examine(List<String> wanted, Consumer<Finding> findings) throws IOException, InterruptedException {
    Tested best = null;
    for (Route route : routes(wanted)) {
      Tested tested = test(route);
      findings.accept(tested.finding);
      if (tested.finding.isWell() && (best == null || tested.micros < best.micros)) {
        best = tested;
      }
    }
    if (best == null) {
      return;
    }
    if (!areHostsSeveral()) {
      findings
          .accept(new Finding("network", false, false, "tested within one host only, so jobs go on to take what they have taken: "
              + "repeat this on two hosts or more, in a job of a batch system or with --hostfile FILE, and they take the "
              + "quickest"));
    } else {
      TestedRoutes file = TestedRoutes.own(mpi, environment);
      file.write(best.route, mpi);
      findings.accept(
          new Finding("network", true, false, "jobs take " + best.route + " from now on, as " + file.path() + " has it; jmpirun "
              + "--network overrules it, and --verbose tells"));
    }
  }

  /** Ends a job that did not end in time: while it runs, the times of the next route would be wrong. */
  private static void end(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }

  private List<String> hosts() {
    return hostfile == null ? List.of() : List.of("--hostfile", hostfile.toString());
  }

  private boolean areHostsSeveral() {
    Hosts hosts = Hosts.of(new MpirunLine(hosts(), environment, FlavourFlags.prefixes(mpi)), mpi);
    if (!hosts.isKnown()) {
      throw new LaunchException("the environment does not say which hosts this job has: name them, with --hostfile FILE");
    }
    return hosts.count() > 1;
  }

  private List<Route> routes(List<String> wanted) {
    if (!wanted.isEmpty()) {
      List<Route> named = wanted.stream().map(Route::of).toList();
      named.forEach(route -> route.check(mpi));
      named.forEach(Route::requireSurvival);
      return named;
    }
    List<Route> all = new ArrayList<>(List.of(Route.TCP));
    Stream.of(Route.Library.OFI, Route.Library.UCX).map(library -> new Route(library, "")).filter(route -> route.canBeTaken(mpi))
        .forEach(all::add);
    return all;
  }

  private Tested test(Route route) throws IOException, InterruptedException {
    String name = "network " + route;
    Outcome undisturbed = run(route, List.of());
    if (undisturbed.answer == null) {
      return new Tested(route, new Finding(name, false, route.equals(Route.TCP), "a job without a failure " + undisturbed.why()),
          0);
    }
    Outcome failed = run(route, List.of("--spares", "1", "--kill", "process:" + (RANKS - 1) + "@20"));
    if (failed.answer == null || failed.recoveries != 1) {
      return new Tested(route, new Finding(name, false, false, "a job in which a process was killed " + failed.why()), 0);
    }
    if (!failed.answer.equals(undisturbed.answer)) {
      return new Tested(route, new Finding(name, false, false, "a job in which a process was killed had another result"), 0);
    }
    return new Tested(route, new Finding(name, true, false, "survives the failure of a process; " + undisturbed.times),
        undisturbed.micros);
  }

  private Outcome run(Route route, List<String> more) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(jmpirun.toString(), "-n", String.valueOf(RANKS), "--mpi", mpi.prefix().toString(),
        "--network", route.toString(), "--timeout", String.valueOf(LIMIT_SECONDS)));
    line.addAll(more);
    line.addAll(hosts());
    // Neighbours are on different hosts.
    line.addAll(areHostsSeveral() ? List.of("--map-by", "node", "--oversubscribe") : route.withinAHost());
    line.addAll(List.of("-cp", classPath, PROGRAM));
    Path output = Files.createTempFile("kintsugi-doctor", null);
    Process process = null;
    try {
      ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().keySet().removeIf(name -> OF_ROUTES.matcher(name).matches());
      process = builder.start();
      boolean ended = process.waitFor(LIMIT_SECONDS + END_SECONDS, TimeUnit.SECONDS);
      String said = Files.readString(output, StandardCharsets.ISO_8859_1);
      Matcher found = SAID.matcher(said);
      int code = ended ? process.exitValue() : ExitCodes.TIMED_OUT;
      return code == 0 && found.find()
          ? new Outcome(code, said, found.group(1), Integer.parseInt(found.group(2)), found.group(3),
              Double.parseDouble(found.group(4)))
          : new Outcome(code, said, null, 0, "", 0);
    } catch (IOException e) {
      throw new LaunchException(jmpirun + " does not start: " + e.getMessage(), e);
    } finally {
      Files.delete(output);
      if (process != null) {
        end(process);
      }
    }
  }
}
