// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.internal.Handshake;
import org.kintsugi.runtime.internal.JobSecret;

/**
 * The connections that the processes of a job make to jmpirun: accepts them, and hands on what comes over them, line by line.
 * Used by one thread, but for {@link #wakeUp} and {@link #close}.
 *
 * <p>Anybody may connect, and the thread and its memory are the job's. What holds: another user of this host is sent away before
 * anything is read ({@link LocalUsers}); of the others that have not proved to be of the job there are not more than the job has
 * use for, and each has some seconds; nobody is read from for longer than the others can wait; and no write waits.
 */
final class JobConnections implements AutoCloseable {
  private static final int WAITING_CONNECTIONS = 1024;

  /** The most that are accepted at a time. */
  private static final int ACCEPTED = 256;

  /** The most clients that have not proved to be of the job, besides two for each of its processes. Then the oldest is closed. */
  private static final int STRANGERS = 64;

  /** The time for a client to prove it. */
  private static final long HELLO_MILLIS = 5000;

  /** Where no connection can be accepted, as this process may have no more files open, until it is tried again. */
  private static final long PAUSE_MILLIS = 500;

  /** Receives the lines that come in. */
  interface Hearer {
    /**
     * A line has come.
     *
     * @throws IllegalArgumentException if it is none that a process of this job says: the connection ends
     * @throws IndexOutOfBoundsException likewise
     */
    void hears(WatchedRank rank, String line);

    /** A connection has ended. */
    void loses(WatchedRank rank);
  }

  private final ServerSocketChannel server;
  private final Selector selector;
  private final String ownAddress;
  private final String addresses;
  private final JobSecret secret;
  private final int mostStrangers;
  private final SelectionKey accepting;
  private final Map<SelectionKey, WatchedRank> ranks = new HashMap<>();
  /** Those of them that have not proved to be of the job, the oldest first. */
  private final Map<SelectionKey, WatchedRank> strangers = new LinkedHashMap<>();
  private long pausedNanos;

  private JobConnections(ServerSocketChannel server, Selector selector, JobSecret secret, int mostStrangers, String ownAddress,
      String addresses) throws IOException {
    this.server = server;
    this.selector = selector;
    this.secret = secret;
    this.mostStrangers = mostStrangers;
    accepting = server.register(selector, SelectionKey.OP_ACCEPT);
    this.ownAddress = ownAddress;
    this.addresses = addresses;
  }

  /**
   * Begins to listen.
   *
   * @param secret of the job
   * @param processes how many the job has
   * @param isOnThisHostOnly whether no other host needs to reach it
   */
  static JobConnections open(JobSecret secret, int processes, boolean isOnThisHostOnly) throws IOException {
    InetAddress own = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(isOnThisHostOnly ? new InetSocketAddress(own, 0) : new InetSocketAddress(0), WAITING_CONNECTIONS);
    server.configureBlocking(false);
    Selector selector = Selector.open();
    int port = server.socket().getLocalPort();
    List<String> addresses = new ArrayList<>();
    for (String host : isOnThisHostOnly ? List.of(own.getHostAddress()) : addressesOfThisHost()) {
      addresses.add(host + ":" + port);
    }
    return new JobConnections(server, selector, secret, STRANGERS + 2 * processes, own.getHostAddress() + ":" + port,
        String.join(",", addresses));
  }

  private static List<String> addressesOfThisHost() throws IOException {
    List<String> all = new ArrayList<>();
    for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(each.getInetAddresses())) {
        if (each.isUp() && address instanceof Inet4Address) {
          // A process on this host reaches it by any of these addresses, one on another host by none that is for this host only.
          all.add(address.isLoopbackAddress() ? all.size() : 0, address.getHostAddress());
        }
      }
    }
    return all;
  }

  /** The address for a process on this host. */
  String ownAddress() {
    return ownAddress;
  }

  /** The addresses for the job's processes. */
  String addresses() {
    return addresses;
  }

  /** Waits for so long at most for something to come, and hands it on. */
  void serve(long millis, Hearer hearer) throws IOException {
    selector.select(isPaused() ? Math.min(millis, PAUSE_MILLIS) : millis);
    for (SelectionKey ready : selector.selectedKeys()) {
      if (ready.isValid() && ready.isAcceptable()) {
        accept();
      }
      WatchedRank rank = (WatchedRank) ready.attachment();
      if (ready.isValid() && rank != null && ready.isWritable()) {
        rank.sendMore();
      }
      if (ready.isValid() && rank != null && ready.isReadable()) {
        read(ready, rank, hearer);
      }
    }
    selector.selectedKeys().clear();
    long now = System.nanoTime();
    dropStrangers(now);
    if (isPaused() && now - pausedNanos > TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS)) {
      accepting.interestOps(SelectionKey.OP_ACCEPT);
    }
  }

  private boolean isPaused() {
    return accepting.interestOps() == 0;
  }

  /** All that have connected meanwhile: the list of the kernel is long where many have. */
  private void accept() throws IOException {
    List<SocketChannel> channels = new ArrayList<>();
    boolean isLocal = false;
    try {
      SocketChannel next = server.accept();
      while (next != null) {
        channels.add(next);
        isLocal |= LocalUsers.isLocal(peer(next), own(next));
        next = channels.size() < ACCEPTED ? server.accept() : null;
      }
    } catch (IOException e) {
      // No more files can be open. One of those that have connected may be of the job, and the others end soon.
      accepting.interestOps(0);
      pausedNanos = System.nanoTime();
    }
    LocalUsers users = isLocal ? users() : null;
    for (SocketChannel channel : channels) {
      try {
        if (users != null && users.isOfOther(peer(channel), own(channel))) {
          channel.close();
        } else {
          add(channel);
        }
      } catch (IOException | UncheckedIOException broken) {
        channel.close();
      }
    }
  }

  /** Null: they are not known, as where this process may have no more files open. All have to prove who they are, in any case. */
  private LocalUsers users() {
    try {
      return LocalUsers.of(server.socket().getLocalPort());
    } catch (IOException notToBeRead) {
      return null;
    }
  }

  private static InetSocketAddress peer(SocketChannel channel) throws IOException {
    return (InetSocketAddress) channel.getRemoteAddress();
  }

  private static InetSocketAddress own(SocketChannel channel) throws IOException {
    return (InetSocketAddress) channel.getLocalAddress();
  }

  private void add(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    // A second line would wait for the first one's acknowledgement, which the kernel delays by 40 ms.
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    InetSocketAddress own = own(channel);
    String address = own.getAddress().getHostAddress() + ":" + own.getPort();
    WatchedRank rank = new WatchedRank(channel, new Handshake.Launcher(secret, address));
    SelectionKey key = channel.register(selector, SelectionKey.OP_READ, rank);
    rank.sendsBy(key);
    ranks.put(key, rank);
    strangers.put(key, rank);
  }

  /** Those for which there is no room, and those that have had their time. What they have sent so far has been read. */
  private void dropStrangers(long now) {
    Iterator<Map.Entry<SelectionKey, WatchedRank>> each = strangers.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<SelectionKey, WatchedRank> oldest = each.next();
      if (strangers.size() <= mostStrangers && oldest.getValue().ageMillis(now) < HELLO_MILLIS) {
        return;
      }
      each.remove();
      ranks.remove(oldest.getKey());
      oldest.getValue().close();
    }
  }

  private void read(SelectionKey ready, WatchedRank rank, Hearer hearer) {
    List<String> lines = rank.read();
    if (lines == null) {
      hearer.loses(rank);
      drop(ready, rank);
      return;
    }
    try {
      for (String line : lines) {
        hearer.hears(rank, line);
      }
      if (rank.isKnown()) {
        strangers.remove(ready);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
      // Whoever it is, it is not heard any more: to those that count processes it has gone.
      hearer.loses(rank);
      drop(ready, rank);
    }
  }

  private void drop(SelectionKey ready, WatchedRank rank) {
    ready.cancel();
    strangers.remove(ready);
    rank.ends();
    if (!rank.hasLeft() || !rank.isKnown()) {
      ranks.remove(ready);
    }
    rank.close();
  }

  /** From now on nothing is read from it. It stays open, for an answer. */
  void setAside(WatchedRank rank) {
    ranks.entrySet().removeIf(entry -> {
      if (entry.getValue() == rank) {
        entry.getKey().interestOps(0);
        strangers.remove(entry.getKey());
      }
      return entry.getValue() == rank;
    });
  }

  /** All that are connected, or have been and have left in order. */
  Collection<WatchedRank> all() {
    return ranks.values();
  }

  /** The connections of processes that have identified themselves. */
  List<WatchedRank> known() {
    return ranks.values().stream().filter(WatchedRank::isKnown).toList();
  }

  /** Nobody is heard any more, and no answer will come: so all connections end, and no new one begins. */
  void dropAll() {
    for (WatchedRank rank : ranks.values()) {
      rank.close();
    }
    try {
      server.close();
    } catch (IOException e) {
      // Nothing is listened to in any case.
    }
  }

  /** {@link #serve} returns. */
  void wakeUp() {
    selector.wakeup();
  }

  /** Nothing is listened to any more. {@link #serve} throws {@link java.nio.channels.ClosedSelectorException} from now on. */
  @Override
  public void close() throws IOException {
    server.close();
    selector.close();
  }
}
