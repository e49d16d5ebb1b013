// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.launch.internal.doctor.NetworkExamination;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** What {@code kintsugi doctor --network} says of the networks of this machine: real jobs, with a failure. */
class NetworkDoctorTest {
  private static List<String> findings(MpiHome mpi, String... routes) throws IOException, InterruptedException {
    List<String> said = new ArrayList<>();
    new NetworkExamination(mpi, Checkout.FOLDER.resolve("bin/jmpirun"), System.getProperty("java.class.path"), Map.of(), null)
        .examine(List.of(routes), finding -> said.add(finding.toString()));
    return said;
  }

  @Test
  void aNetworkThatSurvivesIsWell() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    List<String> said = findings(mpi, "tcp");
    assertThat(said).hasSize(2);
    assertThat(said.get(0)).matches("well   network tcp: survives the failure of a process; "
        + "8 bytes [0-9.]+ us, 1 MiB [0-9.]+ GB/s");
    assertThat(said.get(1)).startsWith("limit  network: tested within one host only");
  }

  @Test
  void aProviderThatIsNotThereIsALimit() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    assumeTrue(SoftwareRoute.OFI_NET.isIn(mpi), SoftwareRoute.OFI_NET::whyNot);
    assertThat(findings(mpi, "ofi:cxi")).singleElement().asString()
        .startsWith("limit  network ofi:cxi: a job without a failure ended with ");
  }
}
