// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.kintsugi.bindings.MPI;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RankJob;

/** Ports and their names, by the C functions (native/openmpi/patches/prrte/0011). Flavour ulfm. */
class PortsTest {
  private static final int PORT_BYTES = 1024;

  private static Buf text(String words) {
    Buf text = Buf.allocateBytes(PORT_BYTES);
    for (int i = 0; i < words.length(); i++) {
      text.putByte(i, (byte) words.charAt(i));
    }
    return text;
  }

  private static void check(int code) {
    if (code != MPI.MPI_SUCCESS) {
      throw new IllegalStateException("error class " + code);
    }
  }

  /**
   * Runs in the ranks: all but rank 0 connect to one port at once, repeatedly.
   *
   * <p>Each sends its rank, and gets it back.
   */
  static final class ManyConnectToOnePort {
    private static final int ROUNDS = 5;
    private static final int TAG = 3;

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args); Buf port = Buf.allocateBytes(PORT_BYTES); Buf comm = Buf.allocateLongs(1);
          Buf value = Buf.allocateInts(1)) {
        Comm world = mpi.world();
        if (world.rank() == 0) {
          check(MPI.MPI_Open_port(MPI.MPI_INFO_NULL, port.address()));
        }
        world.bcast(port, 0);
        int meetings = world.rank() == 0 ? (world.size() - 1) * ROUNDS : ROUNDS;
        int sum = 0;
        for (int i = 0; i < meetings; i++) {
          value.putInt(0, world.rank());
          if (world.rank() == 0) {
            check(MPI.MPI_Comm_accept(port.address(), MPI.MPI_INFO_NULL, 0, MPI.MPI_COMM_SELF, comm.address()));
            receive(value, comm);
            send(value, comm);
          } else {
            check(MPI.MPI_Comm_connect(port.address(), MPI.MPI_INFO_NULL, 0, MPI.MPI_COMM_SELF, comm.address()));
            send(value, comm);
            receive(value, comm);
          }
          sum += value.getInt(0);
          check(MPI.MPI_Comm_disconnect(comm.address()));
        }
        RankJob.report(args[0], String.valueOf(world.rank()), String.valueOf(sum));
      }
    }

    private static void send(Buf value, Buf comm) {
      check(MPI.MPI_Send(value.address(), 1, Datatype.INT.handle(), 0, TAG, comm.getLong(0)));
    }

    private static void receive(Buf value, Buf comm) {
      check(MPI.MPI_Recv(value.address(), 1, Datatype.INT.handle(), 0, TAG, comm.getLong(0), MPI.MPI_STATUS_IGNORE));
    }
  }

  @Test
  void eachWhoConnectsMeetsTheOwner() {
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "Open MPI without patch prrte/0011 waits for good in the second accept");
    RankJob.Outcome outcome = RankJob.of(4, 0).timeoutSeconds(60).run(ManyConnectToOnePort.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("0", "30").containsEntry("1", "5").containsEntry("2", "10")
        .containsEntry("3", "15");
  }

  /** Runs in the ranks: rank 1 publishes a name and dies, and its successor publishes the same name. */
  static final class PublisherDies {
    private static final String NAME = "service";

    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          Comm world = run.world();
          check(MPI.MPI_Comm_set_errhandler(MPI.MPI_COMM_SELF, MPI.MPI_ERRORS_RETURN));
          if (run.epoch() > 0 && world.rank() == 0) {
            RankJob.report(args[0], "meanwhile", String.valueOf(lookUp()));
          }
          world.barrier();
          if (world.rank() == 1) {
            try (Buf name = text(NAME); Buf port = text("port of epoch " + run.epoch())) {
              check(MPI.MPI_Publish_name(name.address(), MPI.MPI_INFO_NULL, port.address()));
            }
          }
          if (run.epoch() == 0) {
            Victim.diesWhenAllAreThere(world, 1);
          }
          world.barrier();
          RankJob.report(args[0], String.valueOf(world.rank()), String.valueOf(lookUp()));
          world.barrier();
        });
      }
    }

    /** The port, or null. */
    private static String lookUp() {
      try (Buf name = text(NAME); Buf port = Buf.allocateBytes(PORT_BYTES)) {
        int code = MPI.MPI_Lookup_name(name.address(), MPI.MPI_INFO_NULL, port.address());
        StringBuilder found = new StringBuilder();
        for (int i = 0; port.getByte(i) != 0; i++) {
          found.append((char) port.getByte(i));
        }
        return code == MPI.MPI_SUCCESS ? found.toString() : null;
      }
    }
  }

  @Test
  void aNameEndsWithItsPublisher() {
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(), "Open MPI without patch prrte/0011 keeps it");
    RankJob.Outcome outcome = RankJob.of(2, 1).timeoutSeconds(60).run(PublisherDies.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output()).containsEntry("meanwhile", "null").containsEntry("0", "port of epoch 1")
        .containsEntry("1", "port of epoch 1");
  }
}
