// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.kintsugi.runtime.internal.RankPlace;
import org.kintsugi.runtime.internal.RankPlace.Phase;

/** A process that has connected to {@link StallWatch}: the open question, and the last answer. */
final class WatchedRank {
  private static final int CHUNK_BYTES = 4096;
  /** All lines of ours are shorter, and a stranger must not fill the memory. */
  private static final int LONGEST_LINE = 1 << 16;

  private final SocketChannel channel;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private String who = "";
  private long processId;
  private int launchRank = -1;
  private RankPlace place;
  private long placeNanos;
  private long asked;
  private long answered;
  private long askedNanos;
  private boolean left;
  private long leftNanos;
  private boolean ended;

  WatchedRank(SocketChannel channel) {
    this.channel = channel;
  }

  /** The whole lines that have come; null at the end of the connection, when they have all been given. */
  List<String> read() {
    ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
    List<String> lines = new ArrayList<>();
    try {
      int count = channel.read(bytes);
      while (count > 0) {
        for (int i = 0; i < count; i++) {
          if (bytes.get(i) == '\n') {
            lines.add(line.toString(StandardCharsets.UTF_8));
            line.reset();
          } else {
            line.write(bytes.get(i));
          }
        }
        bytes.clear();
        count = channel.read(bytes);
      }
      return count < 0 && lines.isEmpty() || line.size() > LONGEST_LINE ? null : lines;
    } catch (IOException broken) {
      // A process that ends with a question unread breaks it, and its last lines may have come just before.
      return lines.isEmpty() ? null : lines;
    }
  }

  /** Whether it is in {@code Mpi.init}, as far as it has said. */
  boolean isStarting() {
    return place == null || place.phase() == Phase.STARTS;
  }

  /** A line is short and rare enough to find room, unless the process is stopped: then it gets no more questions. */
  void say(String words) {
    try {
      channel.write(ByteBuffer.wrap((words + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (IOException broken) {
      // The next read shows the error.
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The connection is gone in either case.
    }
  }

  /** Sets who it is, from its first line. */
  void identify(long pid, String host, int rankInJob) {
    processId = pid;
    who = "process " + pid + " on " + host;
    launchRank = rankInJob;
  }

  /** Whether its first line has come. */
  boolean isKnown() {
    return !who.isEmpty();
  }

  /** Asks, unless an older question is still open: a process that does not answer must not get questions for hours. */
  void ask(String question, long number) {
    if (asked == answered) {
      asked = number;
      askedNanos = System.nanoTime();
      say(question + number);
    }
  }

  void hears(String answer) {
    int blank = answer.indexOf(' ');
    answered = Long.parseLong(answer.substring(0, blank));
    RankPlace next = RankPlace.ofLine(answer.substring(blank + 1));
    if (place == null || !next.afterMillis(0).equals(place.afterMillis(0))) {
      placeNanos = System.nanoTime();
    }
    place = next;
  }

  void leaves() {
    left = true;
    leftNanos = System.nanoTime();
  }

  /** Its process has ended, or at least its connection. */
  void ends() {
    ended = true;
  }

  boolean hasEnded() {
    return ended;
  }

  /** How long ago it has left MPI, although its process is still there; 0: it has not, or has ended. */
  long lingersMillis(long now) {
    return left && !ended ? (now - leftNanos) / 1_000_000 : 0;
  }

  boolean hasLeft() {
    return left;
  }

  /** Whether it has answered that question, or a later one. */
  boolean hasAnswered(long number) {
    return answered >= number;
  }

  /** How long it has left a question open; 0: it has answered the last one. */
  long silentMillis(long now) {
    return asked == answered ? 0 : (now - askedNanos) / 1_000_000;
  }

  /**
   * For how long it has not come forward: as it told last, and for as long as it keeps a question waiting since. A rank that is
   * in a method of Kintsugi, but not in MPI, has usually just entered it and is about to call MPI: its time counts from the first
   * answer that had it there.
   */
  long stillMillis(long now) {
    if (place == null) {
      return silentMillis(now);
    }
    long told = place.stillMillis() + silentMillis(now);
    return place.doing() == RankPlace.Doing.WORKS ? Math.min(told, (now - placeNanos) / 1_000_000) : told;
  }

  /** Its last answer; null: none yet. */
  RankPlace place() {
    return place;
  }

  /** Its rank, or that in the job as long as it has not answered. */
  int rank() {
    return place == null || place.rank() < 0 ? launchRank : place.rank();
  }

  /** Its rank in the job that it was started with. */
  int launchRank() {
    return launchRank;
  }

  /** As its host counts. */
  long processId() {
    return processId;
  }

  /** Its process id and host. */
  String who() {
    return who;
  }
}
