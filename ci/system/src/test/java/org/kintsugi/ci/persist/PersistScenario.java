// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.reinit.RunResult;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of {@link PersistKillTest}: stores messages as fast as it can.
 *
 * <p>Each rank stores for itself on self, and for itself and a neighbour on the world, while
 * processes die by SIGKILL at any moment. After a recovery each rank checks the received messages.
 */
final class PersistScenario {
  private static final int WORDS = 500;
  private static final int SELF_TAG = 1;
  private static final int STATE_TAG = 2;
  private static final int NEIGHBOUR_TAG = 3;

  private final Path folder;
  private final Map<String, String> settings;
  private final int rounds;
  private final int perRound;
  private final int victim;
  private final int killMillis;
  private final int deaths;
  /**
   * A process that is replaced may still run, and store: its record of stored messages proves nothing then. And the rounds go on
   * until this file exists. Null: a replaced process is dead, and the number of rounds is the requested one.
   */
  private final Path end;
  private long closed;
  private long replayed;

  private PersistScenario(String[] args) {
    folder = Path.of(args[0]);
    settings = Map.of("kintsugi_persist_store", args[1], "kintsugi_persist_dir", args[0] + "/persist");
    rounds = Integer.parseInt(args[2]);
    perRound = Integer.parseInt(args[3]);
    victim = Integer.parseInt(args[4]);
    killMillis = Integer.parseInt(args[5]);
    deaths = Integer.parseInt(args[6]);
    end = args.length > 7 ? folder.resolve(args[7]) : null;
  }

  /**
   * Arguments: the folder for reports, the store, rounds, messages in each, the first victim, after how many ms, deaths; and
   * the name of a file in the folder that ends it, where those who are replaced may live on.
   */
  public static void main(String[] args) {
    PersistScenario scenario = new PersistScenario(args);
    try (Mpi mpi = Mpi.init(args)) {
      Kintsugi.kintsugi_parent_pid(); // loaded now, so that a death is quick
      RunResult<Place> last = Reinit.call(mpi, run -> {
        scenario.body(mpi, run);
        return new Place(run.world().rank(), run.epoch());
      });
      if (!last.stayedSpare()) {
        RankJob.report(args[0], String.valueOf(last.value().rank()),
            last.value().epoch() + " " + (scenario.closed >= scenario.rounds) + " " + (scenario.replayed > 0));
      }
    }
  }

  /** The point that a process has reached. */
  private record Place(int rank, int epoch) {}

  private PersistentComm make(Comm comm, String... more) {
    try (Info info = Info.of(settings)) {
      for (int i = 0; i < more.length; i += 2) {
        info.set("kintsugi_persist_" + more[i], more[i + 1]);
      }
      return PersistentComm.of(comm, "scenario", info);
    }
  }

  private void body(Mpi mpi, Run run) throws IOException {
    Comm world = run.world();
    long[] message = new long[WORDS];
    int before = (world.rank() + world.size() - 1) % world.size();
    int next = (world.rank() + 1) % world.size();
    // SCR keeps what all processes hand to it together, which leaves out self.
    boolean together = settings.get("kintsugi_persist_store").equals("scr");
    try (PersistentComm self = together ? make(mpi.self(), "store", "file") : make(mpi.self());
        PersistentComm state = make(world, "recover", "barrier");
        PersistentComm other = make(world, "name", "never used"); // another communicator of the same key sees nothing
        RandomAccessFile returned = new RandomAccessFile(folder.resolve("returned-" + world.rank()).toFile(), "rw")) {
      require(!other.restarted(), "nothing is stored on the third communicator");
      long sent = recoverSelf(self, returned, world.rank());
      long round = recoverState(state, before);
      boolean dies = run.epoch() < deaths && world.rank() == (victim + run.epoch()) % world.size();
      long first = round;
      for (; goesOn(run, round); round++) {
        run.poll();
        if (dies && round == first + 2) {
          failSoon();
        }
        for (int k = 0; k < perRound; k++) {
          self.comm().send(fill(message, ++sent, world.rank()), 0, SELF_TAG);
          // At once: writeLong writes eight times, and a death may come in between.
          returned.seek(0);
          returned.write(ByteBuffer.allocate(Long.BYTES).putLong(sent).array());
          // The last of a round is what counts: the others are to be overwritten.
          boolean last = k == perRound - 1;
          state.comm().send(fill(message, last ? round + 1 : -k, world.rank()), world.rank(), STATE_TAG);
          state.comm().send(fill(message, last ? round + 1 : -k, world.rank() + 100), next, NEIGHBOUR_TAG);
        }
        state.comm().barrier();
        closed = round + 1;
      }
      closed = round;
    }
  }

  private boolean goesOn(Run run, long round) {
    boolean isMore = round < rounds || run.epoch() < deaths;
    return end == null ? isMore : isMore | run.world().allReduce(Files.exists(end) ? 1L : 0L, Op.MAX) == 0;
  }

  /** A message whose send has returned is there, and complete. */
  private long recoverSelf(PersistentComm self, RandomAccessFile returned, int salt) throws IOException {
    long atLeast = returned.length() < Long.BYTES ? 0 : returned.readLong();
    if (!self.restarted()) {
      require(atLeast == 0, "self has nothing, and " + atLeast + " sends had returned");
      return 0;
    }
    long[] message = receive(self.comm(), 0, SELF_TAG, salt);
    require(end != null || message[0] == atLeast || message[0] == atLeast + 1,
        "self gives back " + message[0] + ", and " + atLeast + " sends had returned");
    return message[0];
  }

  /** All go back to the same round, and it is not older than the last one that was closed. */
  private long recoverState(PersistentComm state, int before) {
    if (!state.restarted()) {
      require(closed == 0, "no round is left, and " + closed + " were closed");
      return 0;
    }
    int me = state.comm().rank();
    long[] own = receive(state.comm(), me, STATE_TAG, me);
    long[] neighbours = receive(state.comm(), before, NEIGHBOUR_TAG, before + 100);
    require(own[0] == neighbours[0], "own state is of round " + own[0] + ", the neighbour's of " + neighbours[0]);
    require(closed == 0 || own[0] == closed || own[0] == closed + 1,
        "round " + own[0] + " came back, and " + closed + " were closed");
    replayed++;
    return own[0];
  }

  private static Buf fill(long[] message, long value, int salt) {
    Arrays.fill(message, value * 31 + salt);
    message[0] = value;
    return Buf.wrap(message);
  }

  private static long[] receive(Comm comm, int source, int tag, int salt) {
    long[] message = new long[WORDS];
    comm.recv(Buf.wrap(message), source, tag);
    for (int i = 1; i < WORDS; i++) {
      require(message[i] == message[0] * 31 + salt, "word " + i + " is " + message[i] + " in message " + message[0]);
    }
    return message;
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException("WRONG: " + what);
    }
  }

  private void failSoon() {
    Thread killer = new Thread(() -> {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(killMillis * 1000L));
      Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
    });
    killer.setDaemon(true);
    killer.start();
  }
}
