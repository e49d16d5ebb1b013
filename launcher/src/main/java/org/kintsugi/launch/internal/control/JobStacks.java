// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.kintsugi.launch.internal.host.JobFolders;
import org.kintsugi.launch.internal.host.OwnedPath;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.TimeLimits;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.HandshakeLine;
import org.kintsugi.runtime.internal.protocol.JobSecret;
import org.kintsugi.runtime.internal.protocol.Line;

/** {@code jmpirun --stacks}: gets a report of where the ranks are from the jmpirun of a running job on this host. */
public final class JobStacks {

  private JobStacks() {}

  /**
   * A report of where the ranks are.
   *
   * @param job the process id of the job's jmpirun
   * @throws LaunchException if the process is no jmpirun with a job, or does not answer
   */
  public static String of(long job) {
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
      String[] addressAndSecret = JobServer.addressAndSecret(folder);
      JobSecret secret = JobSecret.of(addressAndSecret[addressAndSecret.length - 1]);
      if (secret == null) {
        throw new IOException(folder + " has no secret of a job, as where its jmpirun just begins");
      }
      String[] hostAndPort = addressAndSecret[0].split(":");
      socket.connect(new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1])), TimeLimits.STACKS_MILLIS);
      socket.setSoTimeout(TimeLimits.STACKS_MILLIS);
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      Handshake.Client handshake = new Handshake.Client(secret, addressAndSecret[0]);
      say(socket, handshake.hello());
      String answer = in.readLine();
      HandshakeLine.ClientProof proof = answer == null ? null : handshake.answer(answer, new FromProcess.Stacks());
      if (proof == null) {
        throw new IOException("what listens at " + addressAndSecret[0] + " is not the job's launcher");
      }
      say(socket, proof);
      StringBuilder text = new StringBuilder();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        text.append(Line.printable(line)).append('\n');
      }
      return text.toString();
    }
  }

  private static void say(Socket socket, Line line) throws IOException {
    socket.getOutputStream().write((line.toLine() + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static String running() {
    List<String> jobs = new ArrayList<>();
    for (Path folder : folders(JobFolders.PREFIX)) {
      jobs.add(folder.getFileName().toString().substring(JobFolders.PREFIX.length()).replaceFirst("-.*", ""));
    }
    return jobs.isEmpty() ? "none" : String.join(", ", jobs);
  }

  /**
   * The folders of this user. Another user may make one with such a name, and an address of a
   * stranger in it.
   */
  private static List<Path> folders(String prefix) {
    List<Path> ours = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(JobFolders.PARENT, prefix + "*")) {
      for (Path folder : all) {
        if (isOurs(folder)) {
          ours.add(folder);
        }
      }
      Collections.sort(ours);
      return ours;
    } catch (IOException | DirectoryIteratorException e) {
      throw new LaunchException("cannot list " + JobFolders.PARENT + ": " + e, e);
    }
  }

  private static boolean isOurs(Path folder) {
    try {
      return OwnedPath.isFolder(folder);
    } catch (IOException gone) {
      return false;
    }
  }
}
