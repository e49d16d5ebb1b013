// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output to a pipe that takes nothing when it is full. */
class BlockingOutputTest {
  private static final int BYTES = 1 << 20;

  @Test
  void nothingIsLostWhereTheReaderIsSlow() throws IOException, InterruptedException {
    byte[] bytes = new byte[BYTES];
    new Random(65).nextBytes(bytes);
    Pipe pipe = Pipe.open();
    pipe.sink().configureBlocking(false);
    Thread writer = new Thread(() -> {
      try (BlockingOutput out = new BlockingOutput(pipe.sink())) {
        out.write(bytes);
        pipe.sink().close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    writer.start();
    Thread.sleep(50); // the pipe is full by then
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    ByteBuffer part = ByteBuffer.allocate(10_000);
    while (pipe.source().read(part) >= 0) {
      read.write(part.array(), 0, part.position());
      part.clear();
    }
    writer.join();
    assertThat(read.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void aNonblockingStreamIsSeen(@TempDir Path folder) throws IOException {
    Path description = folder.resolve("1");
    for (String flags : List.of("0104001", "04002", "0106001")) {
      Files.writeString(description, "pos:\t0\nflags:\t" + flags + "\nmnt_id:\t15\n");
      assertThat(BlockingOutput.isNonblocking(description)).as(flags).isTrue();
    }
    for (String flags : List.of("0100001", "02", "0102002", "x")) {
      Files.writeString(description, "pos:\t0\nflags:\t" + flags + "\nmnt_id:\t15\n");
      assertThat(BlockingOutput.isNonblocking(description)).as(flags).isFalse();
    }
    assertThat(BlockingOutput.isNonblocking(folder.resolve("2"))).isFalse();
  }
}
