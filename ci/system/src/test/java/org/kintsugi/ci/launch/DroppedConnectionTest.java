// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.runtime.JobConfig;
import org.kintsugi.runtime.internal.VariableNames;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.JobSecret;
import org.kintsugi.test.RankJob;

/** The launcher closes the connection of a process that proves its identity at that moment. */
@Tag("once")
class DroppedConnectionTest {
  private static final int LIMIT_SECONDS = 60;
  private static final int LIMIT_MILLIS = 30_000;

  /** Runs in the rank: plays the launcher of this process, too. */
  static final class DropsTwice {
    public static void main(String[] args) throws IOException {
      try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
        String address = "127.0.0.1:" + server.getLocalPort();
        System.setProperty(JobConfig.LAUNCHER_ADDRESS.property(), address);
        server.setSoTimeout(LIMIT_MILLIS);
        Mpi mpi = Mpi.init(args);
        for (int i = 0; i < 2; i++) {
          try (Socket dropped = server.accept()) {
            prove(dropped, address);
          }
        }
        try (Socket kept = server.accept()) {
          BufferedReader in = prove(kept, address);
          kept.getOutputStream().write((new FromLauncher.Alive().toLine() + "\n").getBytes(StandardCharsets.UTF_8));
          RankJob.report(args[0], "answer", in.readLine());
        }
        mpi.close();
      }
    }

    private static BufferedReader prove(Socket socket, String address) throws IOException {
      socket.setSoTimeout(LIMIT_MILLIS);
      Handshake.Launcher launcher =
          new Handshake.Launcher(JobSecret.of(System.getenv(VariableNames.JOB_SECRET)), address);
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      socket.getOutputStream().write((launcher.answer(in.readLine()).toLine() + "\n").getBytes(StandardCharsets.UTF_8));
      launcher.client(in.readLine());
      return in;
    }
  }

  @Test
  void theProcessConnectsAgain() {
    RankJob.Outcome outcome = RankJob.of(1, 0).timeoutSeconds(LIMIT_SECONDS).run(DropsTwice.class).assertSuccess();
    assertThat(outcome.reports()).containsEntry("answer", new FromProcess.Alive().toLine());
  }
}
