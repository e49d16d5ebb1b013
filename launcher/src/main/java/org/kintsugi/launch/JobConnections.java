// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.IOException;
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
import java.util.List;
import java.util.Map;

/**
 * The connections that the processes of a job make to jmpirun: accepts them, and hands on what comes over them, line by line.
 * Used by one thread, but for {@link #wakeUp} and {@link #close}.
 */
final class JobConnections implements AutoCloseable {
  private static final int WAITING_CONNECTIONS = 1024;

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
  private final Map<SelectionKey, WatchedRank> ranks = new HashMap<>();

  private JobConnections(ServerSocketChannel server, Selector selector, String ownAddress, String addresses) {
    this.server = server;
    this.selector = selector;
    this.ownAddress = ownAddress;
    this.addresses = addresses;
  }

  /**
   * Begins to listen.
   *
   * @param isOnThisHostOnly whether no other host needs to reach it
   */
  static JobConnections open(boolean isOnThisHostOnly) throws IOException {
    InetAddress own = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(isOnThisHostOnly ? new InetSocketAddress(own, 0) : new InetSocketAddress(0), WAITING_CONNECTIONS);
    server.configureBlocking(false);
    Selector selector = Selector.open();
    server.register(selector, SelectionKey.OP_ACCEPT);
    int port = server.socket().getLocalPort();
    List<String> addresses = new ArrayList<>();
    for (String host : isOnThisHostOnly ? List.of(own.getHostAddress()) : addressesOfThisHost()) {
      addresses.add(host + ":" + port);
    }
    return new JobConnections(server, selector, own.getHostAddress() + ":" + port, String.join(",", addresses));
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
    selector.select(millis);
    for (SelectionKey ready : selector.selectedKeys()) {
      if (ready.isAcceptable()) {
        SocketChannel channel = server.accept();
        if (channel != null) {
          channel.configureBlocking(false);
          // A second line would wait for the first one's acknowledgement, which the kernel delays by 40 ms.
          channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
          ranks.put(channel.register(selector, SelectionKey.OP_READ), new WatchedRank(channel));
        }
      } else {
        read(ready, ranks.get(ready), hearer);
      }
    }
    selector.selectedKeys().clear();
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
    } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
      // Whoever it is, it is not heard any more: to those that count processes it has gone.
      hearer.loses(rank);
      drop(ready, rank);
    }
  }

  private void drop(SelectionKey ready, WatchedRank rank) {
    ready.cancel();
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
        entry.getKey().cancel();
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

  /** Whoever waits for an answer learns that none will come. */
  void dropAll() {
    ranks.values().forEach(WatchedRank::close);
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
