// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.mpirun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.launch.internal.host.StandIns;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.NativeFolders;

/** Command lines for the Reinit++ fork, without it. */
class ReinitCommandTest {
  private static final MpiHome FORK = new MpiHome(Path.of("/fork"), Flavour.REINIT);
  private static final MpiHome ULFM = new MpiHome(Path.of("/mpi"), Flavour.ULFM);

  private static JobSpec spec(String... options) {
    return new JobSpec().ranks(6).mpirunOptions(List.of(options)).javaArguments(List.of("-cp", "app.jar", "Main", "arg"));
  }

  private static MpirunCommand command(JobSpec spec, int cores) {
    return new MpirunCommand(spec, FORK, StandIns.FOLDERS, cores, Map.of());
  }

  private static String line(JobSpec spec, int cores) {
    return String.join(" ", command(spec, cores).arguments());
  }

  @Test
  void sparesNeedTheNativesThatStartThem() {
    assertThatThrownBy(() -> line(spec().spares(2), 8)).isInstanceOf(LaunchException.class)
        .hasMessageContaining("--spares 2: nothing can start them").hasMessageContaining("-Dkintsugi.library.path=FOLDER");
  }

  @Test
  void hasTheFlagsOfTheForkAndNoneOfOpenMpi5(@TempDir Path natives) throws IOException {
    StandIns.executable(natives.resolve("kintsugi-rank"));
    StandIns.executable(natives.resolve("libkintsugi.so"));
    JobSpec warm = new JobSpec().ranks(6).spares(2)
        .javaArguments(List.of("-Dkintsugi.library.path=" + natives, "-cp", "app.jar", "Main", "arg"));
    assertThat(line(warm, 8)).contains("-n 6 " + natives + "/kintsugi-rank /", "-Dkintsugi.flavour=reinit -Dkintsugi.spares=2");
    assertThat(line(spec(), 8)).startsWith("/fork/bin/mpirun ")
        .contains("--mca orte_enable_recovery 1", "--mca pml ^cm", "--mca btl self,vader,tcp",
            "--mca pmix_server_usock_connections 1 -x PMIX_MCA_ptl=usock", "--mca odls_base_signal_direct_children_only 1",
            "--mca oob_tcp_keepalive_probes 2",
            "--mca btl_vader_backing_directory /dev/shm/kintsugi-job-N --mca orte_tmpdir_base /tmp/kintsugi-job-N",
            "-n 6 env --ignore-signal=USR1 --block-signal=USR1 /", "-Dkintsugi.flavour=reinit -Dkintsugi.spares=0")
        .doesNotContain("--with-ft", "prtemca", "errhandler", "async_mpi_finalize", "oversubscribe", "plm_rsh", "forward_signals")
        .endsWith("-cp app.jar Main arg");
    assertThat(command(spec(), 8).environment()).containsEntry("PMIX_SYSTEM_TMPDIR", "/tmp/kintsugi-job-N")
        .doesNotContainKeys("OMPI_ALLOW_RUN_AS_ROOT", "TMPDIR");
    assertThat(line(spec(), 2)).contains("--oversubscribe --mca mpi_yield_when_idle 1");
  }

  /** srun hands the variable to hosts that lack the folder. */
  @Test
  void underSlurmDaemonsOfOtherHostsFindTheirFolders() {
    Map<String, String> slurm = Map.of("SLURM_JOB_ID", "1", "SLURM_JOB_NODELIST", "n[1-3]", "SLURM_TASKS_PER_NODE", "2(x3)");
    assertThat(new MpirunCommand(spec(), FORK, StandIns.FOLDERS, 8, slurm).environment())
        .containsEntry("PMIX_SYSTEM_TMPDIR", "/tmp").containsEntry("SLURM_NO_KILL", "set");
  }

  @Test
  void leavesAloneWhatTheUserGave() {
    JobSpec spec = spec("--mca", "btl", "self,tcp", "-x", "PMIX_MCA_ptl=tcp");
    assertThat(line(spec, 8)).contains("--mca btl self,tcp").doesNotContain("vader,tcp", "usock -", "usock --");
    assertThat(String.join(" ", new MpirunCommand(spec(), FORK, StandIns.FOLDERS, 8,
        Map.of("OMPI_MCA_pml", "ob1", "PRTE_MCA_oob_tcp_keepalive_time", "9")).arguments()))
        .doesNotContain("^cm").contains("--mca oob_tcp_keepalive_time 1");
  }

  @Test
  void leavesHostsEmpty() {
    JobSpec scarce = spec("--host", "a,b,c,d").spareNodes(1);
    assertThat(line(scarce, 8))
        .contains("--mca plm_rsh_no_tree_spawn 1 --mca orte_tmpdir_base /dev/shm --oversubscribe --map-by ppr:2:node",
            "-n 6 sh -c trap '' USR1; export OMPI_MCA_btl_vader_backing_directory=")
        .doesNotContain("--mca btl_vader", "kintsugi.job.dir", "ignore-signal");
    assertThat(line(spec("--host", "a,b", "--mca", "orte_tmpdir_base", "/x"), 8)).contains("-n 6 env --ignore-signal");
    assertThat(command(scarce, 8).spareNodes()).isEqualTo(new SpareNodes(4, 1));
    JobSpec enough = spec("--host", "a:2,localhost:4,c:2,d:2").spareNodes(1);
    assertThat(line(enough, 8)).contains("--map-by slot").doesNotContain("oversubscribe", "ppr");
    assertThat(command(enough, 8).spareNodes()).isEqualTo(new SpareNodes(2, 2));
    JobSpec mapped = spec("--host", "a,b,c,d", "--map-by", "node").spareNodes(1);
    assertThat(line(mapped, 8)).doesNotContain("ppr");
    assertThat(command(mapped, 8).spareNodes()).isEqualTo(SpareNodes.NONE);
    assertThat(line(spec("--host", "a,b,c,d"), 8)).contains("--oversubscribe --map-by slot");
    // The number of cores replaces a missing number of slots in counts only. The mapping must not
    // rely on it.
    assertThat(line(spec("--host", "a:*,b:*,c:*").spareNodes(1), 8)).contains("--map-by ppr:3:node").doesNotContain("oversub");
  }

  @Test
  void refusesNodesThatCannotBeLost() {
    assertThatThrownBy(() -> line(spec("--host", "a,b").kill("node:1@5"), 8))
        .hasMessageContaining("--kill node:1@5").hasMessageContaining("add --spare-nodes 1 and as many hosts more");
    assertThatThrownBy(() -> line(spec("--host", "a,b,c").spareNodes(1).kill("node:1@5").kill("node:2@9"), 8))
        .hasMessageContaining("add --spare-nodes 2");
    assertThat(line(spec("--host", "a,b,c").spareNodes(1).kill("node:1@5"), 8)).contains("kintsugi.kill=node:1@5");
    assertThatThrownBy(() -> line(spec("--host", "a,b").spareNodes(2), 8)).hasMessageContaining("name at least 3");
    assertThatThrownBy(() -> line(spec().spareNodes(1), 8)).hasMessageContaining("name at least 2");
    assertThatThrownBy(() -> line(spec("--host", "a,b,c", "--nooversubscribe").spareNodes(1), 8))
        .hasMessageContaining("2 slot(s) for 6 ranks");
    assertThatThrownBy(() -> new MpirunCommand(spec("--host", "a,b").spareNodes(1), ULFM, StandIns.FOLDERS, 8))
        .hasMessageContaining("say --spares");
    assertThatThrownBy(() -> spec().spareNodes(-1)).hasMessageContaining("--spare-nodes -1");
    assertThatThrownBy(() -> spec().maxRespawns(-1)).hasMessageContaining("--max-respawns -1");
  }

  @Test
  void hostsThatOnlyMpirunKnowsAreLeftToItAndThatIsSaid() {
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(new MpirunCommand(spec().spareNodes(9).kill("node:1@5"), FORK, StandIns.FOLDERS, 8, Map.of("SLURM_JOB_ID", "7"))
          .arguments()).doesNotContain("--map-by");
    } finally {
      System.setErr(err);
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("--spare-nodes 9: only mpirun knows the hosts");
  }

  @Test
  void nativesMustBeOfTheSameFlavour(@TempDir Path classes) throws IOException {
    Path folder = Files.createDirectories(classes.resolve(NativeFolders.of(Flavour.ULFM)));
    Files.createFile(folder.resolve("libkintsugi.so"));
    JobSpec spec = new JobSpec().ranks(1).javaArguments(List.of("-cp", "none.jar:" + classes, "Main"));
    assertThatThrownBy(() -> line(spec, 8)).isInstanceOf(LaunchException.class)
        .hasMessageContaining("natives of the flavour ulfm").hasMessageContaining("/fork is of the flavour reinit");
    assertThat(new MpirunCommand(spec, ULFM, StandIns.FOLDERS, 8).arguments()).contains("-Dkintsugi.library.path=" + folder);
    folder = Files.createDirectories(classes.resolve(NativeFolders.of(Flavour.REINIT)));
    Files.createFile(folder.resolve("libkintsugi.so"));
    assertThat(line(spec, 8)).contains("-n 1 env --ignore", "-Dkintsugi.library.path=" + folder);
    Path starter = StandIns.executable(folder.resolve("kintsugi-rank"));
    assertThat(line(spec, 8)).contains("-n 1 " + starter + " /").doesNotContain("ignore-signal");
  }

  @Test
  void findsTheFork(@TempDir Path data) throws IOException {
    assertThatThrownBy(() -> MpiHome.find(null, Flavour.REINIT, Map.of("REINIT_HOME", "/nowhere")))
        .hasMessageContaining("REINIT_HOME=/nowhere");
    Path fork = StandIns.fork(data.resolve("kintsugi/reinit"));
    Path ulfm = StandIns.ulfm(data.resolve("ulfm"));
    Map<String, String> environment = Map.of("XDG_DATA_HOME", data.toString());
    assertThat(MpiHome.find(null, Flavour.REINIT, environment)).isEqualTo(new MpiHome(fork, Flavour.REINIT));
    assertThat(MpiHome.find(null, null, Map.of("MPI_HOME", fork.toString())).flavour()).isEqualTo(Flavour.REINIT);
    assertThat(MpiHome.find(null, Flavour.REINIT, Map.of("MPI_HOME", ulfm.toString(), "REINIT_HOME", fork.toString())))
        .isEqualTo(new MpiHome(fork, Flavour.REINIT));
    assertThatThrownBy(() -> MpiHome.find(ulfm, Flavour.REINIT, environment))
        .hasMessageContaining("is of the flavour ulfm, not of reinit");
    assertThat(Jmpirun.execute("-n", "4", "--flavour", "mpich", "-cp", "x", "Main")).isEqualTo(2);
  }
}
