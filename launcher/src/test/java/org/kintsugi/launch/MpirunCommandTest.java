// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The command lines that come out, without any MPI. */
class MpirunCommandTest {
  private static final MpiHome MPI = new MpiHome(Path.of("/mpi"), MpiHome.Flavour.ULFM);

  private static JobSpec spec() {
    return new JobSpec().ranks(4).spares(1).javaArguments(List.of("-cp", "app.jar", "Main", "arg"));
  }

  private static String line(JobSpec spec, int cores) {
    return String.join(" ", new MpirunCommand(spec, MPI, JobFolders.named(), cores).arguments());
  }

  @Test
  void hasTheFlagsThatFaultToleranceNeeds() {
    assertThat(line(spec(), 8)).startsWith("/mpi/bin/mpirun --with-ft ulfm ")
        .contains("--mca async_mpi_finalize 1", "--mca coll ^hcoll,portals4,han,adapt",
            "--prtemca oob_tcp_keepalive_time 1", "-n 5 ", "-Dkintsugi.spares=1")
        .doesNotContain("--oversubscribe").endsWith("-cp app.jar Main arg");
  }

  @Test
  void letsIdleRanksYieldWhenCoresAreScarce() {
    assertThat(line(spec(), 2)).contains("--oversubscribe --mca mpi_yield_when_idle 1");
  }

  @Test
  void callsJavaByItsPathBecauseMpirunEditsTheArgumentsOfJava() {
    assertThat(line(spec(), 8)).contains("/bin/java -XX:-UsePerfData");
  }

  @Test
  void leavesAloneWhatTheUserGave() {
    JobSpec spec = spec().mpirunOptions(List.of("--mca", "coll", "basic", "--hostfile", "hosts"))
        .java(Path.of("/jdk/bin/java"));
    assertThat(line(spec, 2)).contains("--mca coll basic --hostfile hosts")
        .doesNotContain("han,adapt", "--oversubscribe", "btl_sm_backing_directory");
    JobSpec g1 = new JobSpec().ranks(1).javaArguments(List.of("-XX:+UseG1GC", "-cp", "x", "Main"));
    assertThat(line(g1, 2)).doesNotContain("SerialGC");
  }

  @Test
  void handsOverFaults() {
    assertThat(line(spec().kill("process:2@60").kill("random:7@100"), 8))
        .contains("-Dkintsugi.kill=process:2@60;random:7@100");
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> new JobSpec().ranks(0)).isInstanceOf(LaunchException.class).hasMessageContaining("-n 0");
    assertThatThrownBy(() -> spec().spares(-1)).hasMessageContaining("--spares -1");
    assertThatThrownBy(() -> spec().kill("process:2")).hasMessageContaining("--kill process:2:");
    assertThatThrownBy(() -> spec().kill("process:4@1")).hasMessageContaining("rank 4 is not in 0 to 3");
    assertThatThrownBy(() -> MpiHome.find(Path.of("/nowhere"), Map.of()))
        .hasMessageContaining("--mpi /nowhere").hasMessageContaining("no bin/mpirun");
    assertThat(Jmpirun.execute("-n", "4")).isEqualTo(2);
    assertThat(Jmpirun.execute("-n", "4", "--kill", "nonsense", "-cp", "x", "Main")).isEqualTo(2);
  }
}
