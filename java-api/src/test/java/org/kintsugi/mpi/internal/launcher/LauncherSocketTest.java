// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.JobSecret;

/** A process at an address where somebody listens, who may not be its launcher. */
@Timeout(30)
class LauncherSocketTest {
  private static final FromProcess WORDS = new FromProcess.Introduction(1, "here", 0, "job", 0);
  private static final int MILLIS = 1000;

  private final JobSecret secret = JobSecret.random();
  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
  private ServerSocket server;
  private String address;

  /** Answers a connection. */
  private interface Answers {
    void to(BufferedReader in, PrintStream out) throws IOException, InterruptedException;
  }

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    address = "127.0.0.1:" + server.getLocalPort();
  }

  @AfterEach
  void close() throws IOException {
    server.close();
  }

  private LauncherSocket connectTo(Answers answers) {
    Thread listener = new Thread(() -> {
      try (Socket socket = server.accept()) {
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        answers.to(in, new PrintStream(socket.getOutputStream(), true, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          heard.add(line);
        }
      } catch (IOException | InterruptedException over) {
        // The process has gone.
      }
      heard.add("end");
    });
    listener.setDaemon(true);
    listener.start();
    return LauncherSocket.connect(address, secret, WORDS, MILLIS, MILLIS);
  }

  private void refuses(Answers answers) throws InterruptedException {
    long begin = System.nanoTime();
    assertThat(connectTo(answers)).isNull();
    assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.MILLISECONDS.toNanos(5 * MILLIS));
    // And says nothing that tells who it is.
    String line = heard.poll(10, TimeUnit.SECONDS);
    while (!"end".equals(line)) {
      assertThat(line).startsWith("hello ");
      line = heard.poll(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void theProcessIdentifiesItselfToTheLauncher() throws InterruptedException {
    Handshake.Launcher launcher = new Handshake.Launcher(secret, address);
    LauncherSocket socket = connectTo((in, out) -> out.println(launcher.answer(in.readLine()).toLine()));
    assertThat(launcher.client(heard.poll(10, TimeUnit.SECONDS))).isEqualTo(WORDS);
    socket.close();
  }

  @Test
  void oneWithoutTheSecretIsRefused() throws InterruptedException {
    Handshake.Launcher impostor = new Handshake.Launcher(JobSecret.random(), address);
    refuses((in, out) -> out.println(impostor.answer(in.readLine()).toLine()));
  }

  /** Somebody at this host's 127.0.0.1 asks the launcher, which is at another address. */
  @Test
  void oneInBetweenIsRefused() throws InterruptedException {
    Handshake.Launcher launcher = new Handshake.Launcher(secret, "10.77.0.1:" + server.getLocalPort());
    refuses((in, out) -> out.println(launcher.answer(in.readLine()).toLine()));
  }

  @Test
  void oneThatOrdersAtOnceIsRefused() throws InterruptedException {
    refuses((in, out) -> out.println("over"));
  }

  @Test
  void oneThatEchoesIsRefused() throws InterruptedException {
    refuses((in, out) -> out.println(in.readLine()));
  }

  @Test
  void oneThatSaysNothingIsNotWaitedFor() throws InterruptedException {
    refuses((in, out) -> in.readLine());
  }

  @Test
  void oneThatSaysLittleIsNotWaitedFor() throws InterruptedException {
    refuses((in, out) -> {
      in.readLine();
      for (int i = 0; i < 20; i++) {
        out.print('p');
        out.flush();
        Thread.sleep(MILLIS / 10);
      }
    });
  }

  @Test
  void oneThatDoesNotStopIsRefused() throws InterruptedException {
    refuses((in, out) -> {
      in.readLine();
      out.print("x".repeat(100_000));
      out.flush();
    });
  }

  /** As where the heap is full. */
  @Test
  void anErrorLosesNoPartOfALine() throws IOException {
    byte[] text = "where 1\nstill 2\nend".getBytes(StandardCharsets.UTF_8);
    LineReader lines = new LineReader(new InputStream() {
      private final InputStream in = new ByteArrayInputStream(text);
      private boolean fails = true;

      @Override
      public int read() throws IOException {
        return in.read();
      }

      @Override
      public int read(byte[] bytes, int from, int count) throws IOException {
        fails = !fails;
        if (!fails) {
          throw new OutOfMemoryError("as if");
        }
        return in.read(bytes, from, Math.min(count, 3));
      }
    }, 16);
    StringBuilder all = new StringBuilder();
    for (int errors = 0; errors < 20;) {
      try {
        String line = lines.next();
        if (line == null) {
          break;
        }
        all.append(line).append('|');
      } catch (OutOfMemoryError e) {
        errors++;
      }
    }
    assertThat(all.toString()).isEqualTo("where 1|still 2|");
    LineReader tooLong = new LineReader(new ByteArrayInputStream(text), 5);
    assertThatExceptionOfType(IOException.class).isThrownBy(tooLong::next);
  }
}
