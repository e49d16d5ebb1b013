// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.ci.ranks.Meeting;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.Request;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;
import org.kintsugi.test.cluster.Cluster;

/**
 * Long messages over TCP that a failure meets in the middle: what becomes of their buffers. A buffer is the program's again when
 * its request has ended, and not before.
 */
@Execution(ExecutionMode.SAME_THREAD)
class BrokenMessagesTest {
  private static final int RECEIVER = 0;
  private static final int SENDER = 1;
  private static final int OTHER = 2;
  private static final int TAG = 7;
  private static final long THEIRS = 0x5EAD;
  private static final long OURS = 0x0A11;
  /** Together they are far more than sockets hold. */
  private static final int MESSAGES = 32;
  private static final int LENGTH = 1 << 17;

  @BeforeEach
  void failuresAreReported() {
    RankJob.assumeFlavour(Flavour.ULFM, "only ULFM reports failures to the program");
    assumeTrue(RankJob.mpiOrSkip(Flavour.ULFM).isPatched(),
        "only the Open MPI that make setup builds keeps buffers until requests end (native/openmpi/patches/pml-btl/0002)");
  }

  private static void pause(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  private static void kill(long pid) {
    Kintsugi.kintsugi_kill((int) pid, SignalNumbers.SIGKILL);
  }

  private static Buf[] filled(long value) {
    Buf[] bufs = new Buf[MESSAGES];
    Arrays.setAll(bufs, i -> Buf.allocateLongs(LENGTH));
    fill(bufs, value);
    return bufs;
  }

  private static void fill(Buf[] bufs, long value) {
    for (Buf buf : bufs) {
      for (int i = 0; i < LENGTH; i++) {
        buf.putLong(i, value);
      }
    }
  }

  private static int count(Buf[] bufs, long value) {
    int count = 0;
    for (Buf buf : bufs) {
      for (int i = 0; i < LENGTH; i++) {
        count += buf.getLong(i) == value ? 1 : 0;
      }
    }
    return count;
  }

  private static Request[] send(Comm world, Buf[] bufs) {
    return Arrays.stream(bufs).map(buf -> world.iSend(buf, RECEIVER, TAG)).toArray(Request[]::new);
  }

  private static Request[] receive(Comm world, Buf[] bufs) {
    return Arrays.stream(bufs).map(buf -> world.iRecv(buf, SENDER, TAG)).toArray(Request[]::new);
  }

  /** Until all messages have been matched, the first of them are here, and others are coming in. */
  private static void progress(Buf[] in, Request[] requests) {
    while (in[MESSAGES / 4].getLong(0) != THEIRS) {
      Request.testAll(requests);
    }
  }

  private static String end(Request... requests) {
    try {
      Request.waitAll(requests);
      return "done";
    } catch (MpiException e) {
      return e.getClass().getSimpleName();
    }
  }

  /** Runs in the ranks: the sender dies in the middle of its message, with much of it in the sockets. */
  static final class SenderDies {
    public static void main(String[] args) throws InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Buf pid = Buf.allocateLongs(1);
        pid.putLong(0, ProcessHandle.current().pid());
        world.bcast(pid, SENDER);
        if (world.rank() == SENDER) {
          Request.waitAll(send(world, filled(THEIRS)));
        } else if (world.rank() == RECEIVER) {
          Buf[] in = filled(0);
          Request[] requests = receive(world, in);
          progress(in, requests);
          kill(pid.getLong(0));
          String end = end(requests);
          fill(in, OURS);
          long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
          while (System.nanoTime() < until) {
            world.iProbe(RECEIVER, TAG, null);
          }
          RankJob.report(args[0], "told", end + ", overwritten: " + (MESSAGES * LENGTH - count(in, OURS)));
        }
      }
    }
  }

  @Test
  void nothingIsWrittenToABufferThatWasGivenBack() throws IOException, InterruptedException {
    MpiHome mpi = RankJob.mpiOrSkip(Flavour.ULFM);
    try (Cluster cluster = Cluster.of(1, 1)) {
      cluster.limit("200mbit"); // the news of the death are here before all that it has sent
      RankJob.Outcome outcome = cluster.run(mpi, 60, List.of("-n", "2"), SenderDies.class).assertSuccess();
      assertThat(outcome.reports()).as(outcome.output())
          .isEqualTo(Map.of("told", "ProcessFailedException, overwritten: 0"));
    } catch (Cluster.UnavailableException e) {
      abort(e.getMessage());
    }
  }

  /**
   * Runs in the ranks: messages are under way from a process that lives, another process dies, and the communicator is revoked.
   * Messages that cannot be cancelled any more go on, also when the request next to them fails.
   */
  static final class OtherDies {
    public static void main(String[] args) throws IOException, InterruptedException {
      try (Mpi mpi = Mpi.init(args)) {
        Comm world = mpi.world();
        Path begun = Path.of(args[0], "begun");
        Path ended = Path.of(args[0], "ended");
        world.barrier();
        if (world.rank() == OTHER) {
          Meeting.await(begun);
          kill(ProcessHandle.current().pid());
        } else if (world.rank() == SENDER) {
          Request[] requests = send(world, filled(THEIRS));
          boolean enough = false; // the receiver may take all that is there before it notices
          while (!enough && !Files.exists(begun)) {
            enough = requests[MESSAGES / 2].test();
          }
          Meeting.await(ended); // meanwhile out of MPI: the rest of the messages stays here
          end(Arrays.stream(requests).filter(Request::isActive).toArray(Request[]::new));
        } else {
          Buf[] in = filled(0);
          Request[] requests = Arrays.copyOf(receive(world, in), MESSAGES + 1);
          requests[MESSAGES] = world.iRecv(Buf.allocateLongs(1), OTHER, TAG);
          progress(in, Arrays.copyOf(requests, MESSAGES));
          Files.createFile(begun);
          pause(1000);
          world.revoke();
          String told = end(requests);
          requests = Arrays.stream(requests).filter(Request::isActive).toArray(Request[]::new);
          told += requests.length == 0 ? ", NONE ACTIVE" : ", some active";
          Files.createFile(ended);
          told += ", " + end(requests);
          RankJob.report(args[0], "told", told + (count(in, THEIRS) == MESSAGES * LENGTH ? ", whole" : ", NOT WHOLE"));
        }
      }
    }
  }

  @Test
  void messagesUnderWayOutliveTheirCommunicator() {
    RankJob.Outcome outcome =
        RankJob.of(3, 0).timeoutSeconds(60).mpirun("--mca", "btl", "self,tcp").run(OtherDies.class).assertSuccess();
    assertThat(outcome.reports()).as(outcome.output())
        .isEqualTo(Map.of("told", "RevokedException, some active, done, whole"));
  }
}
