// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The users of connections from this host to a port, as the kernel lists them.
 *
 * <p>The list is that of the time at which it was read.
 */
public final class LocalUsers {
  private static final List<Path> LISTS = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));
  private static final String MAPPED = "0000000000000000" + hexWord(new byte[] {0, 0, (byte) 0xff, (byte) 0xff});
  private static final int WORD_DIGITS = 8;
  private static final int PORT_DIGITS = 4;
  private static final int LOCAL = 1;
  private static final int REMOTE = 2;
  private static final int USER = 7;
  private static final int ROOT = 0;

  private final Map<String, Integer> users = new HashMap<>();
  private final int ours;

  private LocalUsers(int ours) {
    this.ours = ours;
  }

  /** Reads the connections to this port. */
  public static LocalUsers of(int port) throws IOException {
    LocalUsers all = new LocalUsers(OwnedPath.user());
    String ending = ":" + hex(port, PORT_DIGITS);
    for (Path list : LISTS) {
      if (Files.isReadable(list)) {
        all.read(list, ending);
      }
    }
    return all;
  }

  private void read(Path list, String ending) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(list, StandardCharsets.US_ASCII)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.contains(ending) ? line.strip().split("\\s+") : new String[0];
        if (words.length > USER && words[REMOTE].endsWith(ending)) {
          users.put(plain(words[LOCAL]) + " " + plain(words[REMOTE]), Integer.parseUnsignedInt(words[USER]));
        }
      }
    }
  }

  /** An IPv4 address, in whichever of the lists it is. */
  private static String plain(String address) {
    return address.startsWith(MAPPED) ? address.substring(MAPPED.length()) : address;
  }

  /**
   * Whether another user of this host, who is not root, has made a connection.
   *
   * <p>A connection that is not in the list comes from another host, or has ended already.
   *
   * @param peer the other end
   * @param own the end here
   */
  public boolean isOfOther(InetSocketAddress peer, InetSocketAddress own) {
    Integer user = users.get(text(peer) + " " + text(own));
    return user != null && user != ours && user != ROOT;
  }

  private static String text(InetSocketAddress address) {
    byte[] bytes = address.getAddress().getAddress();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < bytes.length; i += Integer.BYTES) {
      text.append(hexWord(new byte[] {bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]}));
    }
    return text + ":" + hex(address.getPort(), PORT_DIGITS);
  }

  /** The kernel prints an address as 32-bit numbers in this machine's byte order. */
  private static String hexWord(byte... four) {
    return hex(ByteBuffer.wrap(four).order(ByteOrder.nativeOrder()).getInt(), WORD_DIGITS);
  }

  /** Hexadecimal digits. A format would be slow the first time. */
  private static String hex(int number, int digits) {
    StringBuilder text = new StringBuilder();
    for (int i = digits - 1; i >= 0; i--) {
      text.append(Character.toUpperCase(Character.forDigit(number >>> 4 * i & 0xf, 16)));
    }
    return text.toString();
  }

  /** Whether the peer may be a process of this host. It may have bound any of the host's addresses. */
  public static boolean isLocal(InetSocketAddress peer, InetSocketAddress own) throws SocketException {
    return peer.getAddress().isLoopbackAddress() || peer.getAddress().equals(own.getAddress())
        || NetworkInterface.getByInetAddress(peer.getAddress()) != null;
  }
}
