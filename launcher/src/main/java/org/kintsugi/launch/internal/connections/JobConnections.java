// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.connections;

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
import org.kintsugi.launch.internal.host.LocalUsers;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.JobSecret;

/**
 * The connections that the processes of a job make to jmpirun.
 *
 * <p>This class accepts them, and passes on their lines. One thread uses it, except for
 * {@link #wakeUp} and {@link #close}.
 *
 * <p>Any user may connect, so a stranger must not block the thread or use up its memory.
 * Connections of other users of this host are closed before anything is read ({@link LocalUsers}).
 * The number of connections that have not proved to belong to the job is limited, and each has some
 * seconds to prove it. No connection is read for longer than the others can wait, and no write
 * waits.
 */
public final class JobConnections implements AutoCloseable {
  private static final int WAITING_CONNECTIONS = 1024;

  /** The largest number of connections that are accepted at a time. */
  private static final int ACCEPTED = 256;

  /**
   * The largest number of unproved connections, besides two for each process. The oldest is closed.
   */
  private static final int STRANGERS = 64;

  /** The pause after a failed accept, as this process may have too many open files. */
  private static final long PAUSE_MILLIS = 500;

  /** Receives the lines that come in. */
  public interface Hearer {
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
  /** The connections that have not proved to belong to the job, the oldest first. */
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
  public static JobConnections open(JobSecret secret, int processes, boolean isOnThisHostOnly) throws IOException {
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
          // Loopback addresses first: processes of this host reach all of them, those of other
          // hosts reach only the rest.
          all.add(address.isLoopbackAddress() ? all.size() : 0, address.getHostAddress());
        }
      }
    }
    return all;
  }

  /** The address for a process on this host. */
  public String ownAddress() {
    return ownAddress;
  }

  /** The addresses for the job's processes. */
  public String addresses() {
    return addresses;
  }

  /** Waits for input for this time at most, and passes it on. */
  public void serve(long millis, Hearer hearer) throws IOException {
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

  /** Accepts all that have connected: the list of the kernel is long where many have. */
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
      // Too many open files. A waiting client may belong to the job, and unproved ones end soon.
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
    // Otherwise a second line waits for the acknowledgement of the first, which the kernel delays
    // by 40 ms.
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    InetSocketAddress own = own(channel);
    String address = own.getAddress().getHostAddress() + ":" + own.getPort();
    WatchedRank rank = new WatchedRank(channel, new Handshake.Launcher(secret, address));
    SelectionKey key = channel.register(selector, SelectionKey.OP_READ, rank);
    rank.sendsBy(key);
    ranks.put(key, rank);
    strangers.put(key, rank);
  }

  /** Closes unproved connections that are too many or too old. What they sent has been read. */
  private void dropStrangers(long now) {
    Iterator<Map.Entry<SelectionKey, WatchedRank>> each = strangers.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<SelectionKey, WatchedRank> oldest = each.next();
      if (strangers.size() <= mostStrangers && oldest.getValue().ageMillis(now) < TimeLimits.HELLO_MILLIS) {
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
      // Not our protocol: ignore this connection from now on, and count its process as gone.
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

  /** Stops reading from a connection. It stays open, for an answer. */
  public void setAside(WatchedRank rank) {
    ranks.entrySet().removeIf(entry -> {
      if (entry.getValue() == rank) {
        entry.getKey().interestOps(0);
        strangers.remove(entry.getKey());
      }
      return entry.getValue() == rank;
    });
  }

  /** All connections, including those of processes that have left in order. */
  public Collection<WatchedRank> all() {
    return ranks.values();
  }

  /** The connections of processes that have identified themselves. */
  public List<WatchedRank> known() {
    return ranks.values().stream().filter(WatchedRank::isKnown).toList();
  }

  /** Closes all connections, and accepts no new ones: there will be no answers. */
  public void dropAll() {
    for (WatchedRank rank : ranks.values()) {
      rank.close();
    }
    try {
      server.close();
    } catch (IOException e) {
      // No connection is accepted in either case.
    }
  }

  /** Makes {@link #serve} return. */
  public void wakeUp() {
    selector.wakeup();
  }

  /**
   * Stops listening. {@link #serve} throws {@link java.nio.channels.ClosedSelectorException} from
   * now on.
   */
  @Override
  public void close() throws IOException {
    server.close();
    selector.close();
  }
}
