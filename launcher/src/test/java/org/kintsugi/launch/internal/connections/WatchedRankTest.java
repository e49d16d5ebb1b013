// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.connections;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The connection of a process, as the launcher reads it. */
class WatchedRankTest {
  /** A process that ends with a question unread resets the connection. */
  @Test
  void whatCameBeforeAResetIsHeard() throws IOException {
    try (ServerSocketChannel server =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      SocketChannel process = SocketChannel.open(server.getLocalAddress());
      try (SocketChannel here = server.accept()) {
        WatchedRank rank = new WatchedRank(here);
        process.write(ByteBuffer.wrap("left\n".getBytes(StandardCharsets.UTF_8)));
        process.setOption(StandardSocketOptions.SO_LINGER, 0);
        process.close();
        assertThat(rank.read()).containsExactly("left");
        assertThat(rank.read()).isNull();
      }
    }
  }
}
