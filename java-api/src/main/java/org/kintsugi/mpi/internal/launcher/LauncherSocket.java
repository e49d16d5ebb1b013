// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.HandshakeLine;
import org.kintsugi.runtime.internal.protocol.JobSecret;
import org.kintsugi.runtime.internal.protocol.Line;

/** A connection to the launcher of this process's job, authenticated by a {@link Handshake}. */
final class LauncherSocket {
  private static final int LONGEST_ANSWER = 256;

  private final Socket socket;
  private final LineReader lines;

  private LauncherSocket(Socket socket) throws IOException {
    this.socket = socket;
    lines = new LineReader(socket.getInputStream(), Line.LONGEST_OF_LAUNCHER);
  }

  /**
   * Connects to one of the addresses.
   *
   * @param words the line that identifies this process, sent only when the launcher has proved its
   *     identity
   * @param connectMillis the limit for the connection
   * @param answerMillis the limit for the launcher's answer: it may be busy, or stopped
   * @return null if the job's launcher does not answer there
   */
  static LauncherSocket connect(String address, JobSecret secret, FromProcess words, int connectMillis, int answerMillis) {
    int colon = address.lastIndexOf(':');
    Socket socket = new Socket();
    LauncherSocket made = null;
    try {
      socket.connect(new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
          connectMillis);
      socket.setTcpNoDelay(true);
      LauncherSocket candidate = new LauncherSocket(socket);
      if (candidate.introduces(new Handshake.Client(secret, address), words, answerMillis)) {
        socket.setSoTimeout(0);
        made = candidate;
      }
    } catch (IOException notThere) {
      // No launcher listens there, or another program.
    } finally {
      if (made == null) {
        close(socket);
      }
    }
    return made;
  }

  private boolean introduces(Handshake.Client handshake, FromProcess words, int answerMillis) throws IOException {
    say(handshake.hello());
    HandshakeLine.ClientProof proof =
        handshake.answer(answer(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(answerMillis)), words);
    if (proof != null) {
      say(proof);
    }
    return proof != null;
  }

  /**
   * Reads a line with limits of time and length. Another program may send one byte a second, or
   * bytes without end.
   */
  private String answer(long untilNanos) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    while (line.length() < LONGEST_ANSWER) {
      long leftMillis = TimeUnit.NANOSECONDS.toMillis(untilNanos - System.nanoTime());
      if (leftMillis <= 0) {
        break;
      }
      socket.setSoTimeout((int) leftMillis);
      int next = in.read();
      if (next < 0 || next == '\n') {
        return line.toString();
      }
      line.append((char) next);
    }
    throw new IOException("no answer like the launcher's");
  }

  void say(Line line) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write((line.toLine() + "\n").getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  LineReader lines() {
    return lines;
  }

  void close() {
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is not used any more.
    }
  }
}
