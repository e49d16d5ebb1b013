// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.ci.checkpoint.traps.StaticField;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/** A proof, and advice, on two nodes of a simulated cluster. The spares that replace failed processes are on the other node. */
@Tag("flavours")
@Tag("once")
@Execution(ExecutionMode.SAME_THREAD)
class ProofOnNodesTest {
  private static final int LIMIT_SECONDS = 120;

  /** All nodes see this one; each has a folder for temporary files of its own. */
  @TempDir
  private Path shared;

  /** The undisturbed runs agree, and those after a failure differ. */
  @Test
  void ranksOnAllNodesAreCompared() throws IOException, InterruptedException {
    assertThat(run("incomplete", "--prove", "--prove-deaths", "2")).contains("differs first: \"x\" of rank",
        "of 2 failures the results differ");
  }

  /** Rank 0 is on another node than rank 1, the spare of which makes iterations again. */
  @Test
  void locationsOfRanksOnAllNodesAreNamed() throws IOException, InterruptedException {
    assertThat(run("incomplete", "--advise")).contains("run again with a failure of rank 1", "2 ranks, 12 iterations",
        "StaticField$Damping.factor, double, defined at", "8 bytes on each rank", "1 location is missing");
  }

  /** Ends with 1. */
  private String run(String form, String... options) throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip();
    try (Cluster cluster = Cluster.of(2, 2)) {
      List<String> line = new ArrayList<>(cluster.jmpirun(mpi));
      line.add(1, "-Djava.io.tmpdir=" + shared);
      // A rank on each node, and a spare.
      line.addAll(List.of("-n", "2", "--spares", "2", "--map-by", "node"));
      line.addAll(List.of(options));
      line.add("-XX:+UseSerialGC");
      line.addAll(RankJob.javaArguments(mpi, shared, StaticField.class, form));
      Path output = shared.resolve("output");
      int code = cluster.start(LIMIT_SECONDS, output, line).waitFor();
      String printed = Files.readString(output);
      assertThat(code).as(printed).isEqualTo(1);
      return printed;
    } catch (Cluster.UnavailableException e) {
      return abort(e.getMessage());
    }
  }
}
