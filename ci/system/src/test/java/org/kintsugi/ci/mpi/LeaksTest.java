// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.test.RankJob;

/** Handles that a program does not close are named once, with the place where they were made. */
@Tag("flavours")
class LeaksTest {
  private static final String LEAK = "kintsugi: leak: ";

  /** Runs in the ranks; the argument says whether it closes what it makes. */
  static final class Program {
    private final boolean closes;
    private final Comm self;

    private Program(boolean closes, Comm self) {
      this.closes = closes;
      this.self = self;
    }

    public static void main(String[] args) throws Exception {
      try (Mpi mpi = Mpi.init(args)) {
        Program program = new Program(args[1].equals("closes"), mpi.self());
        for (int i = 0; i < 3; i++) {
          program.group();
          program.datatype();
          program.operation();
          program.info();
          program.persistentRequest();
          program.message();
          program.communicator();
          program.persistentCommunicator();
          program.request();
        }
      }
    }

    private void end(AutoCloseable handle) throws Exception {
      if (closes) {
        handle.close();
      }
    }

    private void group() throws Exception {
      Group group = self.group();
      end(group);
    }

    private void datatype() throws Exception {
      Datatype pair = Datatype.contiguous(2, Datatype.INT);
      assertThat(pair.handle()).isNotZero();
      end(pair);
      Datatype withoutHandle = Datatype.vector(2, 1, 2, Datatype.INT); // nothing of it is MPI's
      self.sendRecv(Buf.wrap(new int[3]).as(withoutHandle, 1), 0, 1, Buf.wrap(new int[2]), 0, 1);
    }

    private void operation() throws Exception {
      end(Op.of(Datatype.INT, true, (in, inOut, count) -> {}));
    }

    private void info() throws Exception {
      end(Info.of(Map.of("a", "b")));
    }

    private void persistentRequest() throws Exception {
      PersistentRequest send = self.sendInit(Buf.copyOf(1), Comm.PROC_NULL, 2);
      send.start();
      send.waitFor();
      end(send);
    }

    private void message() {
      Request sent = self.iSend(Buf.copyOf(5), 0, 3);
      var message = self.mProbe(0, 3);
      if (closes) {
        message.recv(Buf.wrap(new int[1]));
        sent.waitFor();
      } else {
        sent.test();
      }
    }

    private void communicator() throws Exception {
      end(self.dup());
    }

    private void persistentCommunicator() throws Exception {
      PersistentComm persistent = PersistentComm.of(self, "leaks", null);
      persistent.forget();
      end(persistent);
    }

    private void request() {
      Request receive = self.iRecv(Buf.wrap(new int[1]), 0, 4);
      if (closes) {
        self.send(Buf.copyOf(1), 0, 4);
        receive.waitFor();
      }
    }
  }

  /** Runs in the ranks: handles cut off by a rollback are no leaks, handles left open by the last epoch are. */
  static final class Epochs {
    public static void main(String[] args) {
      try (Mpi mpi = Mpi.init(args)) {
        Reinit.run(mpi, run -> {
          run.checkpoint().protect("data", new double[1]);
          run.checkpoint().save(1);
          if (run.epoch() == 0) {
            cutShort(run);
          }
          leftOpen(run);
        });
      }
    }

    private static void cutShort(Run run) {
      Comm copy = run.world().dup();
      run.world().iRecv(Buf.wrap(new int[1]), 0, 5);
      for (long i = 0; i < 1_000_000; i++) {
        run.iteration(i);
        copy.barrier();
      }
    }

    private static void leftOpen(Run run) {
      run.world().dup().barrier();
    }
  }

  private static RankJob leaky(int ranks, int spares) {
    return RankJob.of(ranks, spares).timeoutSeconds(60).jvm("-D" + JobConfig.LEAKS.property() + "=true");
  }

  private static long leaks(RankJob.Outcome outcome) {
    return outcome.output().lines().filter(line -> line.contains(LEAK)).count();
  }

  @Test
  void eachPlaceIsNamedOnce() {
    RankJob.Outcome outcome = leaky(1, 0).run(Program.class, "leaks").assertSuccess();
    for (String kind : new String[] {"a group", "a datatype", "an operation", "an info", "a persistent request",
        "a message that a probe has matched", "a communicator", "a request"}) {
      // A persistent communicator is one of two.
      assertThat(outcome.output().lines().filter(line -> line.contains(LEAK + kind))).as(kind + ": " + outcome.output())
          .hasSize(kind.equals("a communicator") ? 2 : 1);
    }
    Arrays
        .stream(
            new String[] {"group", "datatype", "operation", "info", "persistentRequest", "message", "communicator",
                "persistentCommunicator", "request"})
        .forEach(method -> assertThat(outcome.output()).contains("at " + Program.class.getName() + "." + method + "("));
  }

  @Test
  void whatIsClosedIsNotNamed() {
    RankJob.Outcome outcome = leaky(1, 0).run(Program.class, "closes").assertSuccess();
    assertThat(leaks(outcome)).as(outcome.output()).isZero();
  }

  @Test
  void nothingIsSaidUnlessAskedFor() {
    RankJob.Outcome outcome = RankJob.of(1, 0).timeoutSeconds(60).run(Program.class, "leaks").assertSuccess();
    assertThat(leaks(outcome)).as(outcome.output()).isZero();
  }

  @Test
  void aRollbackLeaksNothing() {
    RankJob.Outcome outcome = leaky(2, 1).kill("process:1@20").run(Epochs.class).assertSuccess();
    assertThat(outcome.output()).contains(Epochs.class.getName() + ".leftOpen(").doesNotContain(".cutShort(");
    assertThat(leaks(outcome)).as("one for each rank: " + outcome.output()).isEqualTo(2);
  }
}
