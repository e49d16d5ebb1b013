// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;
import org.kintsugi.test.cluster.SlurmCluster;

/**
 * Jobs under a real Slurm of four nodes with two tasks each. The program is {@link Steps}, as {@code Main} in a file {@code
 * app.jar}, so that the job scripts of the manual run unchanged.
 */
abstract class SlurmJobs {
  static final int NODES = 4;
  static final long LIMIT_SECONDS = 150;
  /** The beginning of a job script for all nodes. */
  static final String NODES_OF_TWO = "#!/bin/bash\n#SBATCH --nodes=4 --ntasks-per-node=2 --no-kill\n";

  private static final int TASKS = 2;
  private static final int STEP_MILLIS = 100;
  private static final long BEGIN_SECONDS = 60;
  private static final long LEFT_MILLIS = 10_000;
  private static final String PROGRAM =
      "public class Main { public static void main(String... args) { " + Steps.class.getName() + ".main(args); } }";
  private static final Path PAGE = Checkout.FOLDER.resolve("docs/batch-systems.md");
  private static final Pattern SECTION = Pattern.compile("(?ms)^## ([^\\n]*)\\n(.*?)(?=^## |\\z)");
  private static final Pattern SCRIPT = Pattern.compile("(?ms)^```bash\\n(.*?)^```$");

  private static final Pattern PMIX_FILE = Pattern.compile("/pmix-\\d+$");

  static SlurmCluster cluster;

  private boolean doNodesKeepFiles;

  @BeforeAll
  static void begin() throws IOException {
    MpiHome mpi = RankJob.mpiOrSkip();
    try {
      cluster = SlurmCluster.of(NODES, TASKS);
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
    writeProgram(cluster.folder());
    Path command = Files.writeString(Files.createDirectory(cluster.folder().resolve("bin")).resolve("jmpirun"),
        "#!/bin/sh\nexec " + Checkout.FOLDER + "/bin/jmpirun --mpi " + mpi.prefix() + " \"$@\"\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
  }

  private static void writeProgram(Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("Main.java"), PROGRAM);
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", classes(), "-d", folder.toString(),
        source.toString())).isZero();
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, Path.of(classes()).toUri().toString());
    try (OutputStream file = Files.newOutputStream(folder.resolve("app.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      jar.putNextEntry(new JarEntry("Main.class"));
      jar.write(Files.readAllBytes(folder.resolve("Main.class")));
    }
  }

  /** The folder with the compiled {@link Steps}. */
  private static String classes() {
    return Checkout.FOLDER.resolve("ci/target/test-classes").toString();
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
      cluster = null;
    }
  }

  /** For a test in which Slurm kills the daemons of mpirun, or a node is cut off: nobody removes the files there. */
  final void nodesKeepFiles() {
    doNodesKeepFiles = true;
  }

  /** All nodes are there for the next job, and the last one has left nothing. */
  @AfterEach
  void bootAll() {
    int[] all = IntStream.rangeClosed(1, NODES).toArray();
    if (doNodesKeepFiles) {
      IntStream.of(all).forEach(cluster::crash);
    }
    cluster.boot(all);
    for (int node : all) {
      assertThat(left(node)).as("n%d", node).isEmpty();
    }
  }

  /** What a job has left on a node, but for a file of the fork's mpirun, which may stay there (known-issues.md). */
  private static List<String> left(int node) {
    List<String> all = cluster.left(node, LEFT_MILLIS);
    return RankJob.flavour() == Flavour.REINIT ? all.stream().filter(line -> !PMIX_FILE.matcher(line).find()).toList() : all;
  }

  /** The job script below a heading of the manual's page. */
  static String manual(String heading) throws IOException {
    String section = SECTION.matcher(Files.readString(PAGE)).results().filter(one -> one.group(1).equals(heading))
        .map(one -> one.group(2)).findFirst().orElseThrow(() -> new AssertionError("no \"" + heading + "\" in " + PAGE));
    return SCRIPT.matcher(section).results().map(one -> one.group(1)).findFirst()
        .orElseThrow(() -> new AssertionError("no job script below \"" + heading + "\" in " + PAGE));
  }

  /** A job script with these options of jmpirun, on all nodes. */
  static String script(String options) {
    return NODES_OF_TWO + "jmpirun " + options + " -cp app.jar Main\n";
  }

  /** Submits a job whose program has these steps, of a tenth of a second each. */
  static long submit(String script, int steps, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--export=ALL,PATH=" + cluster.folder() + "/bin:" + System.getenv("PATH") + "," + Steps.STEPS + "=" + steps + ","
        + Steps.MILLIS + "=" + STEP_MILLIS);
    return cluster.submit(script, all.toArray(new String[0]));
  }

  /** Waits until a job has saved for the first time. */
  static void awaitSave(long job) {
    cluster.awaitOutput(job, "saved 10", BEGIN_SECONDS);
  }

  /** Waits for the end of a job, which must be a right one. */
  static SlurmCluster.Ended assertCompleted(long job, int ranks, int steps) {
    SlurmCluster.Ended ended = cluster.await(job, LIMIT_SECONDS);
    assertThat(ended.state()).as("%s\n%s", ended.output(), cluster.run("scontrol", "show", "job", String.valueOf(job)))
        .isEqualTo("COMPLETED");
    assertThat(ended.output()).contains(Steps.result(ranks, steps)).doesNotContain("minimum Slurm version");
    return ended;
  }

  /**
   * Has Slurm run a requeued job soon: by default it waits for two minutes. While the first run's script is ending on its node,
   * slurmd does not start a second one, and the job fails. It does not in the second in which it has ended the first one either
   * (slurm_cred_revoked compares seconds).
   */
  static void runRequeued(long job) {
    cluster.awaitState(job, BEGIN_SECONDS, "PENDING");
    assertThat(left(1)).as("n1").isEmpty();
    String answer = cluster.run("sh", "-c", "scontrol update jobid=" + job + " StartTime=now+2 2>&1 || true");
    // It may just have begun.
    assertThat(answer).matches("|Job is no longer pending execution for job " + job);
  }
}
