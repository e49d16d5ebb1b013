// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.runtime.WatchLines;

/**
 * The connection to the launcher, over which it asks where this process is ({@link WatchLines}). A thread of its own, which uses
 * no MPI: it answers while another one waits there for good. Where nobody listens there is no such thread.
 */
final class WatchLine extends Thread {
  /** A process that takes a dead one's place has other things to do first. */
  private static final long BEGIN_MILLIS = 500;

  private static final int CONNECT_MILLIS = 2000;
  private static final long REPORT_MILLIS = 3000;

  private static volatile WatchLine current;

  private final String addresses;
  private final int rank;
  private final CountDownLatch reported = new CountDownLatch(1);
  private volatile Socket socket;

  private WatchLine(String addresses, int rank) {
    super("kintsugi-whereabouts");
    setDaemon(true);
    this.addresses = addresses;
    this.rank = rank;
  }

  /** Begins to answer, if somebody asks. */
  static void begin(int rank) {
    String addresses = MpiConfig.LAUNCHER_ADDRESS.value();
    if (!addresses.isEmpty()) {
      current = new WatchLine(addresses, rank);
      current.start();
    }
  }

  /** See {@link WatchLines#LEFT}. */
  static void sayLeft() {
    WatchLine line = current;
    if (line != null) {
      line.say(WatchLines.LEFT);
    }
  }

  /** See {@link WatchLines#LIMIT}. Returns when the report is printed, or nobody seems to print it. */
  static void sayLimit(String why) {
    WatchLine line = current;
    if (line != null && line.say(WatchLines.LIMIT + why.replaceAll("\\s+", " "))) {
      try {
        line.reported.await(REPORT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void run() {
    try {
      sleep(BEGIN_MILLIS);
      for (String address : addresses.split(",")) {
        if (connect(address)) {
          answer();
          return;
        }
      }
    } catch (IOException | InterruptedException over) {
      // The launcher has gone, and with it whoever would read a report.
    }
  }

  private boolean connect(String address) {
    int colon = address.lastIndexOf(':');
    Socket made = new Socket();
    try {
      made.connect(new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
          CONNECT_MILLIS);
      made.setTcpNoDelay(true);
      socket = made;
      return say(WatchLines.HELLO + MpiConfig.LAUNCHER_KEY.value() + " " + ProcessHandle.current().pid() + " " + hostName() + " "
          + rank);
    } catch (IOException notThere) {
      return false;
    }
  }

  private static String hostName() {
    try {
      // As the launcher reads it. Java would ask the network.
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
    } catch (IOException unknown) {
      return "?";
    }
  }

  private void answer() throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
      boolean where = asked.startsWith(WatchLines.WHERE);
      if (where || asked.startsWith(WatchLines.STILL)) {
        say(WatchLines.HERE + asked.substring(asked.indexOf(' ') + 1) + " " + Whereabouts.now(where).toLine());
      } else if (asked.equals(WatchLines.REPORTED)) {
        reported.countDown();
      }
    }
  }

  /** False: there is nobody. */
  private synchronized boolean say(String line) {
    if (socket == null) {
      return false;
    }
    try {
      OutputStream out = socket.getOutputStream();
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      return true;
    } catch (IOException gone) {
      return false;
    }
  }
}
