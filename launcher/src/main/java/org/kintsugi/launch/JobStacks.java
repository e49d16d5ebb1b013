// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.kintsugi.runtime.internal.WatchLines;

/** {@code jmpirun --stacks}: gets a report of where the ranks are from the jmpirun of a running job on this host. */
final class JobStacks {
  private static final int PATIENCE_MILLIS = 10_000;

  private JobStacks() {}

  /**
   * A report of where the ranks are.
   *
   * @param job the process id of the job's jmpirun
   * @throws LaunchException if there is no such job, or it does not answer
   */
  static String of(long job) {
    List<Path> folders = folders(JobFolders.prefix(job));
    if (folders.isEmpty()) {
      throw new LaunchException("--stacks " + job + ": no job of yours on this host has a jmpirun with that process id; there "
          + "are: " + running());
    }
    // A program that starts jobs by itself may have several, and some of them may just be ending.
    StringBuilder text = new StringBuilder();
    IOException refusal = null;
    boolean isAnswered = false;
    for (Path folder : folders) {
      try {
        text.append(ask(folder));
        isAnswered = true;
      } catch (IOException e) {
        refusal = e;
      }
    }
    if (!isAnswered) {
      throw new LaunchException("--stacks " + job + ": its jmpirun does not answer: " + refusal, refusal);
    }
    return text.toString();
  }

  private static String ask(Path folder) throws IOException {
    try (Socket socket = new Socket()) {
      String[] addressAndKey = StallWatch.addressAndKey(folder);
      String[] hostAndPort = addressAndKey[0].split(":");
      socket.connect(new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1])), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write((WatchLines.STACKS + addressAndKey[1] + "\n").getBytes(StandardCharsets.UTF_8));
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      StringBuilder text = new StringBuilder();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        text.append(line).append('\n');
      }
      return text.toString();
    }
  }

  private static String running() {
    List<String> jobs = new ArrayList<>();
    for (Path folder : folders(JobFolders.PREFIX)) {
      jobs.add(folder.getFileName().toString().substring(JobFolders.PREFIX.length()).replaceFirst("-.*", ""));
    }
    return jobs.isEmpty() ? "none" : String.join(", ", jobs);
  }

  private static List<Path> folders(String prefix) {
    try (Stream<Path> all = Files.list(JobFolders.PARENT)) {
      return all.filter(folder -> folder.getFileName().toString().startsWith(prefix) && Files.isReadable(folder)).sorted()
          .toList();
    } catch (IOException e) {
      throw new LaunchException("cannot list " + JobFolders.PARENT + ": " + e, e);
    }
  }
}
