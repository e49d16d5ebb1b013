// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.launch.internal.commandline.MpirunLine;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;

class RouteTest {
  @TempDir
  private Path folder;

  /** An Open MPI that Kintsugi has built, with these plugins. */
  private MpiHome mpi(Flavour flavour, String... plugins) throws IOException {
    Files.createDirectories(folder.resolve("lib/openmpi"));
    Files.writeString(folder.resolve("lib/libmpi.so.40"), "");
    Files.writeString(folder.resolve("kintsugi.stamp"), "");
    for (String plugin : plugins) {
      Files.writeString(folder.resolve("lib/openmpi/mca_" + plugin + ".so"), "");
    }
    return new MpiHome(folder, flavour);
  }

  private static String line(String route, String... given) {
    MpirunLine line = new MpirunLine(List.of(given), Map.of("OMPI_MCA_btl_tcp_if_include", "lo"), Set.of("OMPI_MCA_"));
    Route.of(route).addTo(line);
    return String.join(" ", line.words());
  }

  @Test
  void eachRouteHasItsOptionsAndTheUsersWin() {
    assertThat(line("tcp")).isEqualTo("--mca btl ^ofi,uct");
    assertThat(line("ofi")).isEqualTo("--mca btl self,sm,ofi --mca btl_ofi_mode 2");
    assertThat(line("ofi:cxi")).endsWith("--mca opal_common_ofi_provider_include cxi");
    assertThat(line("ofi:net", "--mca", "btl", "self,ofi")).doesNotContain("self").contains("provider_include net");
    assertThat(line("ucx:tcp"))
        .isEqualTo("--mca btl self,sm,uct --mca btl_uct_memory_domains tcp --mca btl_uct_transports tcp");
    assertThat(line("ucx:posix")).startsWith("--mca btl self,uct ");
    assertThat(Route.of("ofi:net").withinAHost()).containsExactly("--mca", "btl", "self,ofi");
    for (String name : List.of("tcp", "ofi", "ofi:cxi", "ucx:mlx5_0")) {
      assertThat(Route.of(name)).hasToString(name);
    }
  }

  @Test
  void whatIsNoRouteIsRefused() throws IOException {
    for (String name : List.of("ib", "", "tcp:eth0", "ofi:", "OFI", "ucx:a b")) {
      assertThatThrownBy(() -> Route.of(name)).isInstanceOf(LaunchException.class)
          .hasMessageContaining("--network " + name + ": expected auto, tcp, ofi or ucx");
    }
    MpiHome without = mpi(Flavour.ULFM);
    Route.TCP.check(without);
    assertThatThrownBy(() -> Route.of("ofi").check(without)).isInstanceOf(LaunchException.class)
        .hasMessageContaining("has no transport over ofi built in: make setup NETWORK=ofi");
    MpiHome with = mpi(Flavour.ULFM, "btl_ofi");
    Route.of("ofi").check(with);
    Files.delete(folder.resolve("kintsugi.stamp"));
    assertThatThrownBy(() -> Route.of("ofi").check(with)).hasMessageContaining("was not built by Kintsugi");
    assertThatThrownBy(() -> Route.of("ucx:tcp").check(mpi(Flavour.REINIT, "btl_uct")))
        .hasMessageContaining("the Reinit++ fork can roll back shared memory and TCP only");
  }

  @Test
  void aListOfTransportsThatLeavesTheRouteOutIsRefused() {
    for (String set : List.of("tcp,self", "^ofi", "^uct,ofi")) {
      MpirunLine line = new MpirunLine(List.of(), Map.of("OMPI_MCA_btl", set), Set.of("OMPI_MCA_"));
      assertThatThrownBy(() -> Route.of("ofi:net").requireNotExcluded(line)).isInstanceOf(LaunchException.class)
          .hasMessageStartingWith(
              "--network ofi:net: the parameter btl, which is set to " + set + " (--mca btl, or OMPI_MCA_btl), "
                  + "leaves its transport ofi out");
    }
    for (String set : List.of("self,ofi", "^uct", "^vader,tcp")) {
      Route.of("ofi:net").requireNotExcluded(new MpirunLine(List.of("--mca", "btl", set), Map.of(), Set.of("OMPI_MCA_")));
    }
    Route.TCP.requireNotExcluded(new MpirunLine(List.of(), Map.of(), Set.of()));
  }

  @Test
  void sharedMemoryOfTheLibrariesDoesNotSurvive() {
    for (String name : List.of("ucx:posix", "ucx:sysv", "ucx:xpmem", "ofi:shm", "ofi:sm2")) {
      assertThatThrownBy(() -> Route.of(name).requireSurvival()).isInstanceOf(LaunchException.class)
          .hasMessageStartingWith(
              "--network " + name + ": in the shared memory of libfabric and UCX a process that is killed in the "
                  + "middle of a message blocks its receiver for good");
    }
    Route.of("ucx:tcp").requireSurvival();
    Route.of("ofi").requireSurvival();
  }

  @Test
  void theUsersTestedRouteComesBeforeThatOfAll(@TempDir Path data) throws IOException {
    MpiHome mpi = mpi(Flavour.ULFM, "btl_ofi", "btl_uct");
    Map<String, String> environment = Map.of("XDG_DATA_HOME", data.toString());
    assertThat(TestedRoutes.quickest(mpi, environment)).isNull();
    assertThat(Route.untested(mpi)).startsWith(" (ofi and ucx are there, too: kintsugi doctor --network");
    TestedRoutes.own(mpi, environment).write(Route.of("ofi:cxi"), mpi);
    assertThat(TestedRoutes.quickest(mpi, environment)).hasToString("ofi:cxi");
    TestedRoutes.ofUser(mpi, environment).write(Route.of("ucx:posix"), mpi);
    assertThat(TestedRoutes.quickest(mpi, environment)).as("does not survive").hasToString("ofi:cxi");
    Files.delete(folder.resolve("lib/openmpi/mca_btl_ofi.so"));
    assertThat(TestedRoutes.quickest(mpi, environment)).as("built anew without it").isNull();
    TestedRoutes.ofUser(mpi, environment).write(Route.TCP, new MpiHome(Path.of("/other"), Flavour.ULFM));
    assertThat(TestedRoutes.quickest(mpi, environment)).as("of another Open MPI").isNull();
    TestedRoutes.own(mpi, environment).write(Route.TCP, mpi);
    assertThat(TestedRoutes.quickest(mpi, environment)).isEqualTo(Route.TCP);
    Files.writeString(TestedRoutes.ofUser(mpi, environment).path(), "route=\\u00");
    assertThatThrownBy(() -> TestedRoutes.quickest(mpi, environment)).isInstanceOf(LaunchException.class)
        .hasMessageContaining("run kintsugi doctor --network once more");
  }
}
