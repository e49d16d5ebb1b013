// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.ci.network.SoftwareRoute;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.SlurmCluster;

/** Many deaths under a real Slurm, on both flavours, and what a batch system does besides. */
@Tag("flavours")
@Tag("series")
@Execution(ExecutionMode.SAME_THREAD)
class SlurmSeriesTest extends SlurmJobs {
  /** A job that lasts longer than Slurm takes to note a loss, and to end the job if it does. */
  private static final int LONG = 450;
  private static final int SHORT = 120;
  private static final int DEATHS = 5;
  private static final long SECONDS_TO_END = 15;
  private static final String FILES =
      "-Dkintsugi.checkpoint.store=file -Dkintsugi.checkpoint.dir=saves-$SLURM_JOB_ID";
  private static final String REQUEUE = "code=$?\n[ $code -ne 75 ] || scontrol requeue $SLURM_JOB_ID\nexit $code\n";

  private static boolean isReinit() {
    return RankJob.flavour() == Flavour.REINIT;
  }

  /** The options of a job with four or six ranks that outlives one node. */
  private static String outlivesANode() {
    return isReinit() ? "--flavour reinit -n 6 --spare-nodes 1" : "-n 4 --spares 4";
  }

  private static int ranks() {
    return isReinit() ? 6 : 4;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void fiveProcessesDie(long seed) {
    Random random = new Random(seed);
    String kills = IntStream.range(0, DEATHS)
        .mapToObj(i -> "--kill process:" + random.nextInt(4) + "@" + (20 + i * 60 + random.nextInt(20)))
        .collect(Collectors.joining(" "));
    String flavour = isReinit() ? "--flavour reinit " : "";
    SlurmCluster.Ended ended = assertCompleted(submit(script(flavour + "-n 4 --spares 1 " + kills), 350), 4, 350);
    assertThat(ended.output().lines().filter(line -> line.contains("died; recovered"))).as(ended.output()).hasSize(DEATHS);
  }

  /** The node's daemon, its step and its ranks end at once. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 2, 2, 3})
  void aNodeCrashes(int node) {
    assertOutlives(() -> cluster.crash(node));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 2, 2, 3})
  void aNodeFallsSilent(int node) {
    nodesKeepFiles();
    assertOutlives(() -> cluster.cut(node));
  }

  @Test
  void theAdministratorSetsANodeDown() {
    nodesKeepFiles();
    try {
      assertOutlives(() -> cluster.run("scontrol", "update", "nodename=n2", "state=down", "reason=test"));
    } finally {
      cluster.run("scontrol", "update", "nodename=n2", "state=idle");
    }
  }

  private static void assertOutlives(Runnable loss) {
    long job = submit(script(outlivesANode()), LONG);
    awaitSave(job);
    loss.run();
    SlurmCluster.Ended ended = assertCompleted(job, ranks(), LONG);
    // Under ULFM n3 has only spares: its loss causes no recovery. Under the fork n2 and n3 have ranks.
    boolean hadRanks = isReinit() || !ended.output().contains("lost node n3");
    assertThat(ended.output().contains("died; recovered")).as(ended.output()).isEqualTo(hadRanks);
    assertThat(ended.output()).containsOnlyOnce("begins with step 0");
  }

  private static MpiHome mpiOrSkip(SoftwareRoute route) {
    MpiHome mpi = RankJob.mpiOrSkip();
    assumeTrue(route.isIn(mpi), route::whyNot);
    return mpi;
  }

  @ParameterizedTest
  @EnumSource(value = SoftwareRoute.class, names = {"OFI_NET", "UCX_TCP"})
  void aJobOverAFastNetworkOutlivesProcessesAndANode(SoftwareRoute route) {
    mpiOrSkip(route);
    String options = outlivesANode() + " --verbose --network " + route + " --kill process:1@20 --kill process:0@60";
    long job = submit(script(options), LONG);
    cluster.awaitOutput(job, "saved 100", LIMIT_SECONDS);
    cluster.crash(2);
    SlurmCluster.Ended ended = assertCompleted(job, ranks(), LONG);
    assertThat(ended.output()).contains("messages between hosts: " + route, "rank(s) [2, 3] died; recovered");
  }

  /** A site tests its network in a job, on the nodes of that. */
  @Test
  void theDoctorTestsTheNetworkOfTheAllocation() {
    MpiHome mpi = mpiOrSkip(SoftwareRoute.OFI_NET);
    long job = submit(
        NODES_OF_TWO + "java -XX:-UsePerfData -cp " + System.getProperty("java.class.path") + " " + NetworkDoctor.class.getName()
            + " " + Checkout.FOLDER.resolve("bin/jmpirun") + " " + mpi.prefix() + " tcp " + SoftwareRoute.OFI_NET + "\n",
        0);
    SlurmCluster.Ended ended = cluster.await(job, LIMIT_SECONDS);
    assertThat(ended.state()).as(ended.output()).isEqualTo("COMPLETED");
    assertThat(ended.output()).containsPattern("(?m)^well   network tcp: survives the failure of a process; ")
        .containsPattern("(?m)^well   network ofi:net: survives the failure of a process; ")
        .containsPattern("(?m)^well   network: jobs take (tcp|ofi:net) from now on");
  }

  /** Not enough spares: the job starts again in the same allocation, without the node. */
  @Test
  void aJobStartsAgainOnTheNodesThatAreLeft() {
    String options = isReinit() ? "--flavour reinit -n 6" : "-n 6 --refill=false --spares 1";
    long job = submit(script(options + " --restart " + FILES), SHORT);
    awaitSave(job);
    cluster.crash(2);
    SlurmCluster.Ended ended = assertCompleted(job, 6, SHORT);
    assertThat(ended.output())
        .contains("nodes of the allocation that do not answer: n2. Left: n1, n3, n4, with 6 tasks for 6 ranks")
        .contains("starting it again (1 of at most 3)").containsPattern("begins with step [1-9]");
  }

  /** Not enough spares: Slurm runs the job again when the node is back. */
  @Test
  void aJobThatHasLostANodeIsRequeued() {
    String options = isReinit() ? "--flavour reinit -n 8" : "-n 7 --refill=false --spares 1";
    long job = submit(script(options + " " + FILES) + REQUEUE, SHORT);
    awaitSave(job);
    cluster.crash(2);
    cluster.awaitState(job, LIMIT_SECONDS, "PENDING");
    cluster.boot(2);
    runRequeued(job);
    SlurmCluster.Ended ended = assertCompleted(job, isReinit() ? 8 : 7, SHORT);
    assertThat(ended.restarts()).isEqualTo(1);
    assertThat(ended.output()).containsPattern("begins with step [1-9]");
  }

  /**
   * The manual's script. Under ULFM the spare and a new process take the places of the two ranks. The fork has neither: too few
   * tasks are left for a start in the same allocation, and the job is requeued.
   */
  @Test
  void theScriptWithARestartIsRight() throws IOException {
    long job = submit(manual("Started again, and requeued"), LONG);
    awaitSave(job);
    cluster.crash(2);
    if (isReinit()) {
      cluster.awaitState(job, LIMIT_SECONDS, "PENDING");
      cluster.boot(2);
      runRequeued(job);
    }
    SlurmCluster.Ended ended = assertCompleted(job, 7, LONG);
    assertThat(ended.restarts()).isEqualTo(isReinit() ? 1 : 0);
    assertThat(ended.output().contains("with 6 tasks for 7 ranks")).as(ended.output()).isEqualTo(isReinit());
  }

  /** A process failure without a spare: 75, and Slurm runs the job again. */
  @Test
  void aJobThatHasLostAProcessIsRequeued() {
    if (isReinit()) {
      nodesKeepFiles();
    }
    String options = isReinit() ? "--flavour reinit -n 8 --max-respawns 0" : "-n 8 --refill=false";
    // The second run comes to this step again.
    String kill = " $([ ${SLURM_RESTART_COUNT:-0} -gt 0 ] || echo --kill process:5@35) ";
    long job = submit(script(options + kill + FILES) + REQUEUE, SHORT);
    cluster.awaitOutput(job, "saved 30", LIMIT_SECONDS);
    runRequeued(job);
    SlurmCluster.Ended ended = assertCompleted(job, 8, SHORT);
    assertThat(ended.restarts()).isEqualTo(1);
    assertThat(ended.output()).containsPattern("begins with step [1-9]");
  }

  /** One rank on each node, as a program with threads has it: a process failure leaves a node without processes, but not lost. */
  @Test
  void aProcessDiesOnANodeOfItsOwn() {
    String flavour = isReinit() ? "--flavour reinit " : "";
    String options = flavour + "-n 3 --spares 1 --kill process:1@40 --kill process:2@160";
    long job = submit(script(options).replace("--ntasks-per-node=2", "--ntasks-per-node=1 --cpus-per-task=2")
        + "srun --ntasks=4 hostname > /dev/null\n", 300);
    cluster.awaitOutput(job, "saved 140", LIMIT_SECONDS);
    for (int node = 2; node <= NODES; node++) {
      assertThat(cluster.left(node, 0)).as("n%d has processes of the job", node).anyMatch(line -> line.contains("/bin/java "));
    }
    SlurmCluster.Ended ended = assertCompleted(job, 3, 300);
    assertThat(ended.output().lines().filter(line -> line.contains("died; recovered"))).as(ended.output()).hasSize(2);
  }

  /** Slurm's own signal, before its own limit. Slurm looks every thirty seconds, so that it may come soon after the start. */
  @Test
  void theTimeLimitIsAnnounced() throws IOException {
    long job = submit(manual("Saved before the time limit"), LONG, "--time=2", "--signal=B:USR1@60");
    awaitSave(job);
    boolean isOver = false;
    for (int runs = 1; !isOver; runs++) {
      assertThat(runs).as("each run goes on").isLessThan(5);
      String state = cluster.awaitState(job, LIMIT_SECONDS, "PENDING", "COMPLETED");
      isOver = state.equals("COMPLETED");
      if (!isOver) {
        runRequeued(job);
        cluster.awaitState(job, LIMIT_SECONDS, "RUNNING", "COMPLETED");
      }
    }
    assertThat(assertCompleted(job, 6, LONG).restarts()).isPositive();
  }

  @Test
  void twoJobsOfAnArrayRunAtATime() throws IOException {
    long array = submit(manual("Several jobs at a time"), SHORT);
    cluster.awaitState(array, LIMIT_SECONDS, "RUNNING");
    List<Long> jobs = cluster.jobsOf(array);
    assertThat(jobs).hasSize(2);
    jobs.forEach(SlurmSeriesTest::awaitSave);
    assertThat(jobs).allMatch(job -> cluster.field(job, "JobState").equals("RUNNING"));
    jobs.forEach(job -> assertCompleted(job, 3, SHORT));
  }

  @Test
  void nodesHaveUnequalNumbersOfTasks() throws IOException {
    long job = submit(manual("Nodes with unequal numbers of tasks"), 300);
    awaitSave(job);
    cluster.crash(2);
    assertCompleted(job, 3, 300);
  }

  @Test
  void aCancelledJobEndsWithinSeconds() {
    nodesKeepFiles();
    long job = submit(script(outlivesANode()), LONG);
    awaitSave(job);
    cluster.run("scancel", String.valueOf(job));
    SlurmCluster.Ended ended = cluster.await(job, SECONDS_TO_END);
    assertThat(ended.state()).isEqualTo("CANCELLED");
  }

  /** What Slurm ends is not finished, and the code says so. */
  @Test
  void aJobWhoseStepSlurmEndsDoesNotEndWithZero() {
    nodesKeepFiles();
    long job = submit(script(outlivesANode()).replace("jmpirun", "SLURM_NO_KILL=off jmpirun"), LONG);
    awaitSave(job);
    cluster.crash(2);
    SlurmCluster.Ended ended = cluster.await(job, LIMIT_SECONDS);
    assertThat(ended.state()).as(ended.output()).isEqualTo("FAILED");
    assertThat(ended.exitCode()).isGreaterThan(1);
    assertThat(ended.output()).doesNotContain("all " + LONG + " steps").contains("jmpirun: Slurm says: ");
  }

  /** As soon as srun has started the step, and before a rank has reported. */
  @Test
  void aStepThatIsCancelledAtOnceDoesNotEndWithZero() {
    nodesKeepFiles();
    long job = submit(script(outlivesANode()), SHORT);
    cluster.awaitState(job, LIMIT_SECONDS, "RUNNING");
    while (!cluster.run("squeue", "-h", "-s", "-j", String.valueOf(job)).contains(job + ".0")) {
      assertThat(cluster.field(job, "JobState")).isEqualTo("RUNNING");
    }
    cluster.run("scancel", job + ".0");
    SlurmCluster.Ended ended = cluster.await(job, LIMIT_SECONDS);
    assertThat(ended.output()).doesNotContain("all " + SHORT + " steps");
    assertThat(ended.state()).as(ended.output()).isEqualTo("FAILED");
  }

  @Test
  void aMissingNoKillIsReported() {
    long job = submit(script(outlivesANode()).replace("--no-kill", ""), SHORT);
    assertThat(assertCompleted(job, ranks(), SHORT).output()).contains("the job script has no line #SBATCH --no-kill");
  }

  @Test
  void whatSrunSaysIsPrinted() {
    String option = isReinit() ? "--flavour reinit --mca" : "--prtemca";
    long job = submit(script("-n 4 " + option + " plm_slurm_args --bogus"), SHORT);
    SlurmCluster.Ended ended = cluster.await(job, LIMIT_SECONDS);
    assertThat(ended.state()).isEqualTo("FAILED");
    assertThat(ended.output()).contains("jmpirun: Slurm says: ", "unrecognized option '--bogus'")
        .doesNotContain("minimum Slurm version");
  }
}
