// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.ci.checkout.Checkout;
import org.kintsugi.launch.internal.doctor.Finding;
import org.kintsugi.launch.internal.doctor.NetworkExamination;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.RankJob;

/** What {@code kintsugi doctor --network} says of the networks of this machine: real jobs, with a failure. */
class NetworkDoctorTest {
  private static List<String> findings(MpiHome mpi, String... routes) throws IOException, InterruptedException {
    return new NetworkExamination(mpi, Checkout.FOLDER.resolve("bin/jmpirun"), System.getProperty("java.class.path"), null)
        .findings(List.of(routes), Map.of()).stream().map(Finding::toString).toList();
  }

  @Test
  void aNetworkSurvivesOrTheDoctorSaysWhyNot() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    List<SoftwareRoute> there = Stream.of(SoftwareRoute.TCP, SoftwareRoute.OFI_NET).filter(route -> route.isIn(mpi)).toList();
    List<String> said = findings(mpi, there.stream().map(SoftwareRoute::network).toArray(String[]::new));
    assertThat(said).hasSize(there.size() + 1);
    for (int i = 0; i < there.size(); i++) {
      assertThat(said.get(i)).matches("well   network " + there.get(i) + ": survives the failure of a process; "
          + "8 bytes [0-9.]+ us, 1 MiB [0-9.]+ GB/s");
    }
    assertThat(said.get(there.size())).startsWith("limit  network: tested within this host only");
  }
}
