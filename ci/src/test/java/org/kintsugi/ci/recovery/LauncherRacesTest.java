// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kintsugi.ci.cluster.Cluster;
import org.kintsugi.ci.ranks.RankJob;
import org.kintsugi.ci.ranks.TemporaryFolder;
import org.kintsugi.launch.Jmpirun;
import org.kintsugi.launch.LaunchException;
import org.kintsugi.launch.MpiHome;
import org.kintsugi.mpi.Mpi;

/**
 * The Reinit++ fork's launcher on several nodes, slowed down where a loaded machine slows it down now and then
 * (native/reinit/delay.c): without native/reinit/launcher.c and wakeup.c each of these jobs ends badly or not at all.
 */
class LauncherRacesTest {
  private static final int RANKS = 6;
  private static final long LIMIT_SECONDS = 40;

  /** Runs in the ranks. */
  static final class Starts {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        mpi.world().barrier();
        RankJob.report(args[0], String.valueOf(mpi.world().rank()), "started");
      }
    }
  }

  private static Path delay() {
    // From ci/target/classes: native/target.
    Path classes = Path.of(RankJob.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    return classes.resolve("../../../native/target/cmake-reinit/test/libkintsugi_delay.so").normalize();
  }

  private static List<String> command(Cluster cluster, MpiHome mpi, String race, Path folder) {
    String classPath = System.getProperty("java.class.path");
    return List.of("env", "LD_PRELOAD=" + delay(), "KINTSUGI_DELAY=" + race,
        Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:-UsePerfData", "-cp", classPath,
        Jmpirun.class.getName(), "-n", String.valueOf(RANKS), "--mpi", mpi.prefix().toString(), "--spare-nodes", "1",
        "--hostfile", cluster.hostFile().toString(), "--mca", "plm_rsh_agent", cluster.agent().toString(), "--bind-to", "none",
        "--mca", "mpi_yield_when_idle", "1", "-cp", classPath, Starts.class.getName(), folder.toString());
  }

  @ParameterizedTest(name = "a late {0}")
  @ValueSource(strings = {"message", "loop"})
  void theJobStartsAndEnds(String race) throws IOException, InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-races-"); Cluster cluster = Cluster.of(2, 2, 2, 2)) {
      MpiHome mpi = MpiHome.find(null, MpiHome.Flavour.REINIT, System.getenv());
      Path output = folder.path().resolve("output");
      int code = cluster.start(LIMIT_SECONDS, output, command(cluster, mpi, race, folder.path())).waitFor();
      assertThat(code).as(Files.readString(output)).isZero();
      assertThat(IntStream.range(0, RANKS)).as(Files.readString(output))
          .allMatch(rank -> Files.exists(folder.path().resolve("report-" + rank)));
    } catch (Cluster.UnavailableException | LaunchException e) {
      System.out.println("LauncherRacesTest is skipped: " + e.getMessage());
      abort("skipped: " + e.getMessage());
    }
  }
}
