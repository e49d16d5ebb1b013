// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.connections;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.kintsugi.runtime.internal.protocol.FromLauncher;
import org.kintsugi.runtime.internal.protocol.FromProcess;
import org.kintsugi.runtime.internal.protocol.Handshake;
import org.kintsugi.runtime.internal.protocol.Line;
import org.kintsugi.runtime.internal.protocol.RankPlace;
import org.kintsugi.runtime.internal.protocol.RankPlace.Phase;

/** A process that has connected to {@link JobServer}, its open question and its last answer. */
public final class WatchedRank {
  private static final int CHUNK_BYTES = 4096;

  /** The largest number of chunks at a time: no process may block the others. */
  private static final int CHUNKS = 16;

  /**
   * The limit of unsent bytes, for a process that reads nothing.
   *
   * <p>It may be stopped, for instance. The limit is some 100,000 lines.
   */
  private static final long MOST_UNSENT = 1 << 24;

  private final SocketChannel channel;
  private final Handshake.Launcher handshake; // null: in tests that have none
  private long sinceNanos = System.nanoTime();
  private ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final Deque<ByteBuffer> unsent = new ArrayDeque<>();
  private long unsentBytes;
  private boolean isLast;
  private boolean isBroken;
  private SelectionKey key; // null: in tests that have none
  private String who = "";
  private String host = "";
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

  public WatchedRank(SocketChannel channel) {
    this(channel, null);
  }

  /** A process that has to prove that it belongs to the job. */
  WatchedRank(SocketChannel channel, Handshake.Launcher handshake) {
    this.channel = channel;
    this.handshake = handshake;
  }

  public Handshake.Launcher handshake() {
    return handshake;
  }

  /** Sets the key that says when there is room for unsent lines. */
  void sendsBy(SelectionKey selected) {
    key = selected;
  }

  /**
   * The time since it connected, or since its first line.
   *
   * <p>The launcher may have been stopped in between.
   */
  long ageMillis(long now) {
    return (now - sinceNanos) / 1_000_000;
  }

  /**
   * Reads whole lines, as they were sent.
   *
   * <p>Null means the end: of a connection whose lines have all been returned, or because the
   * client sends what no process of the job sends.
   */
  List<String> read() {
    ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
    List<String> lines = new ArrayList<>();
    int longest = isKnown() ? Line.LONGEST : Line.LONGEST_OF_STRANGER;
    try {
      int count = channel.read(bytes);
      for (int chunks = 1; count > 0; chunks++) {
        if (line.size() + count > longest) {
          return null;
        }
        add(bytes.array(), count, lines);
        sinceNanos = isKnown() || lines.isEmpty() ? sinceNanos : System.nanoTime();
        bytes.clear();
        // A client sends only one line before it has an answer.
        count = chunks < CHUNKS && isKnown() ? channel.read(bytes) : 0;
      }
      return count < 0 && lines.isEmpty() ? null : lines;
    } catch (IOException broken) {
      // A process that ends with an unread question resets the connection. Its last lines may have
      // arrived before.
      return lines.isEmpty() ? null : lines;
    }
  }

  private void add(byte[] bytes, int count, List<String> lines) {
    int from = 0;
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        line.write(bytes, from, i - from);
        lines.add(line.toString(StandardCharsets.UTF_8));
        if (line.size() > CHUNK_BYTES) {
          line = new ByteArrayOutputStream(); // otherwise each rank keeps memory for its longest line
        } else {
          line.reset();
        }
        from = i + 1;
      }
    }
    line.write(bytes, from, count - from);
  }

  /** Whether it is in {@code Mpi.init}, by its last answer. */
  public boolean isStarting() {
    return place == null || place.phase() == Phase.STARTS;
  }

  /** Sends a line. {@link #sendMore} sends the rest if there is no room. */
  public void say(Line line) {
    send(line.toLine());
  }

  private void send(String words) {
    if (!channel.isOpen() || isBroken) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap((words + "\n").getBytes(StandardCharsets.UTF_8));
    unsentBytes += bytes.remaining();
    unsent.add(bytes);
    if (unsentBytes > MOST_UNSENT) {
      breaks();
    } else if (unsent.size() == 1) {
      sendMore();
    }
  }

  /** Sends a report, and closes the connection. */
  public void sayLast(String report) {
    isLast = true;
    send(report);
  }

  /** Sends bytes for which there was no room before. */
  void sendMore() {
    try {
      while (!unsent.isEmpty()) {
        unsentBytes -= channel.write(unsent.element());
        if (unsent.element().hasRemaining()) {
          break;
        }
        unsent.remove();
      }
      if (unsent.isEmpty() && isLast) {
        close();
      } else {
        waitForRoom(!unsent.isEmpty());
      }
    } catch (IOException broken) {
      breaks();
    }
  }

  /** The next read shows the end of the connection, unless nothing is read from it any more. */
  private void breaks() {
    isBroken = true;
    unsent.clear();
    waitForRoom(false);
    try {
      if (isLast) {
        close();
      } else {
        channel.shutdownInput();
      }
    } catch (IOException e) {
      // Its end is there already.
    }
  }

  private void waitForRoom(boolean waits) {
    if (key != null && key.isValid()) {
      key.interestOps(waits ? key.interestOps() | SelectionKey.OP_WRITE : key.interestOps() & ~SelectionKey.OP_WRITE);
    }
  }

  public void close() {
    unsent.clear();
    try {
      channel.close();
    } catch (IOException e) {
      // The connection is gone in either case.
    }
  }

  /** Sets who it is, from its first line. */
  public void identify(long pid, String host, int rankInJob) {
    processId = pid;
    this.host = host;
    who = "process " + pid + " on " + host;
    launchRank = rankInJob;
  }

  /** Whether its first line has come. */
  public boolean isKnown() {
    return !who.isEmpty();
  }

  /**
   * Asks, unless an older question is open. Questions to a silent process must not pile up.
   *
   * @param isWhole whether the process must send its place even if it has made progress
   */
  public void ask(long number, boolean isWhole) {
    if (asked == answered) {
      asked = number;
      askedNanos = System.nanoTime();
      say(isWhole ? new FromLauncher.Where(number) : new FromLauncher.Still(number));
    }
  }

  public void hears(FromProcess.Here answer) {
    answered = answer.question();
    RankPlace next = answer.place();
    if (place == null || !next.afterMillis(0).equals(place.afterMillis(0))) {
      placeNanos = System.nanoTime();
    }
    place = next;
  }

  public void leaves() {
    left = true;
    leftNanos = System.nanoTime();
  }

  /** Its process has ended, or at least its connection. */
  public void ends() {
    ended = true;
  }

  public boolean hasEnded() {
    return ended;
  }

  /** The time since it left MPI, while its process exists; otherwise 0. */
  public long lingersMillis(long now) {
    return left && !ended ? (now - leftNanos) / 1_000_000 : 0;
  }

  public boolean hasLeft() {
    return left;
  }

  /** Whether it has answered that question, or a later one. */
  public boolean hasAnswered(long number) {
    return answered >= number;
  }

  /** The time for which a question is open; 0: the last one was answered. */
  public long silentMillis(long now) {
    return asked == answered ? 0 : (now - askedNanos) / 1_000_000;
  }

  /**
   * The time without progress.
   *
   * <p>It is the time in its last answer, plus the time for which it has left a question open
   * since. A rank that is in a method of Kintsugi, but not in MPI, has usually just entered it and
   * is about to call MPI: its time counts from the first answer with this place.
   */
  public long stillMillis(long now) {
    if (place == null) {
      return silentMillis(now);
    }
    long told = place.stillMillis() + silentMillis(now);
    return place.doing() == RankPlace.Doing.WORKS ? Math.min(told, (now - placeNanos) / 1_000_000) : told;
  }

  /** Its last answer; null: none yet. */
  public RankPlace place() {
    return place;
  }

  /** Its rank; before its first answer, its rank in the job. */
  public int rank() {
    return place == null || place.rank() < 0 ? launchRank : place.rank();
  }

  /** Its rank in the job that it was started with. */
  public int launchRank() {
    return launchRank;
  }

  /** Its process id on its host. */
  public long processId() {
    return processId;
  }

  /** The name of its host. */
  public String host() {
    return host;
  }

  /** Its process id and host. */
  public String who() {
    return who;
  }
}
