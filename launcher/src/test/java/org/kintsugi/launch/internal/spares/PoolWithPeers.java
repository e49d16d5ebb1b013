// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.kintsugi.launch.internal.connections.WatchedRank;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.RankPlace.Doing;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;
import org.kintsugi.runtime.internal.protocol.RankPlace;

/** A pool of spares, and processes that speak with it; the test gives the time. */
abstract class PoolWithPeers {
  static final String JOB = "job@1";
  private static final String BEHIND = "different";

  /** A process as the pool sees it, and what it has heard. */
  final class Peer {
    private final WatchedRank rank;
    private final SocketChannel heard;

    Peer(int launchRank, String job, int number) throws IOException {
      this(launchRank, job, "here", number);
    }

    Peer(int launchRank, String job, String host, int number) throws IOException {
      heard = SocketChannel.open(server.getLocalAddress());
      rank = new WatchedRank(server.accept());
      rank.identify(launchRank, host, launchRank);
      peers.add(this);
      pool.greet(rank, job, host, number, now);
    }

    void says(String line) {
      assertThat(pool.hear(rank, FromProcess.parse(line), now)).isTrue();
    }

    void isIn(Phase phase) {
      rank.hears(new FromProcess.Here(1, new RankPlace(rank.rank(), phase, Doing.COMPUTES, 0, "", "", "", "")));
    }

    void dies() {
      pool.lose(rank, false, now);
    }

    void leaves() {
      pool.lose(rank, true, now);
    }

    /** All that was said since the last call, except for addresses to fetch or forget. */
    List<String> hears() throws IOException {
      return hearsAll().stream().filter(line -> !line.startsWith("prefetch ") && !line.startsWith("forget ")).toList();
    }

    /** All that was said since the last call. A last word shows that all has arrived. */
    List<String> hearsAll() throws IOException {
      rank.say(new FromLauncher.Different());
      ByteBuffer bytes = ByteBuffer.allocate(4096);
      String text = "";
      while (!text.endsWith(BEHIND + "\n")) {
        assertThat(heard.read(bytes)).as(text).isPositive();
        text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      }
      return text.lines().filter(line -> !line.equals(BEHIND)).toList();
    }
  }

  private final List<Peer> peers = new ArrayList<>();
  final ByteArrayOutputStream messages = new ByteArrayOutputStream();
  SparePool pool = pool(false);
  private ServerSocketChannel server;
  long now = 1;

  SparePool pool(boolean isOnOneHost) {
    return new SparePool("key", isOnOneHost, new PrintStream(messages, true, StandardCharsets.UTF_8));
  }

  @BeforeEach
  void listen() throws IOException {
    server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() throws IOException {
    for (Peer peer : peers) {
      peer.rank.close();
      peer.heard.close();
    }
    server.close();
  }

  void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
    pool.look(now);
  }

  void passToNextLook() {
    now += TimeUnit.MILLISECONDS.toNanos(pool.millisToNextLook(now));
    pool.look(now);
  }

  /**
   * A process dies, and a new one is ordered.
   *
   * <p>On one host the order is given when the others have recovered; none has reported that here.
   */
  void diesAndOneIsStarted(Peer dead) {
    dead.dies();
    pass(1);
  }

  /** A process dies, and its replacement is ready. */
  Peer readyInPlaceOf(Peer dead) throws IOException {
    diesAndOneIsStarted(dead);
    Peer fresh = new Peer(0, "job@2", 1);
    fresh.says("ready");
    return fresh;
  }

  static void all(Peer[] peers, String line) {
    for (Peer each : peers) {
      each.says(line);
    }
  }

  /** Two ranks and a spare, all well. */
  Peer[] three() throws IOException {
    Peer[] three = {new Peer(0, JOB, 0), new Peer(1, JOB, 0), new Peer(2, JOB, 0)};
    all(three, "keep 3");
    return three;
  }
}
