// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.kintsugi.runtime.internal.protocol.FromProcess;

/**
 * Records the events and commands of {@link PoolState} in a file, for a test that replays them.
 *
 * <p>It does so where the environment of jmpirun has {@value #VARIABLE}, the name of the file.
 * The first line says which job it is; each other line is an event (its time in nanoseconds and
 * its kind) or, after {@code >} or {@code !}, a command that followed. Processes have numbers, in
 * the order of their coming.
 */
final class PoolTrace {
  static final String VARIABLE = "KINTSUGI_SPARES_TRACE";

  private final PrintWriter out; // null: nothing is recorded
  private final Map<PooledProcess, Integer> numbers = new HashMap<>();
  private long beginNanos;
  private boolean hasBegun;

  private PoolTrace(PrintWriter out) {
    this.out = out;
  }

  static PoolTrace begin(String name, boolean isOnOneHost) {
    String file = System.getenv(VARIABLE);
    if (file == null) {
      return new PoolTrace(null);
    }
    try {
      PoolTrace trace = new PoolTrace(new PrintWriter(Files.newBufferedWriter(Path.of(file)), true));
      trace.out.println("pool " + name + " " + isOnOneHost);
      return trace;
    } catch (IOException e) {
      System.err.println("jmpirun: no trace of the spares is written: " + e);
      return new PoolTrace(null);
    }
  }

  void greet(PooledProcess process, String host, long now) {
    if (out != null) {
      numbers.put(process, numbers.size() + 1);
      event(now, "greet", process.job + " " + process.rank + " " + host + " " + process.number);
    }
  }

  void hear(PooledProcess process, FromProcess line, long now) {
    if (out != null) {
      event(now, "line", numbers.get(process) + " " + line.toLine());
    }
  }

  void lose(PooledProcess process, boolean inOrder, long now) {
    if (out != null) {
      event(now, "end", numbers.get(process) + " " + inOrder);
    }
  }

  void look(long now) {
    if (out != null) {
      event(now, "look", "");
    }
  }

  void see(Set<Integer> started, long now) {
    if (out != null) {
      event(now, "see", new TreeSet<>(started).stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
  }

  void observe(PooledProcess process, long now) {
    if (out != null) {
      event(now, "observe", numbers.get(process) + " " + process.isSilent + " " + process.isStarting);
    }
  }

  private void event(long now, String kind, String words) {
    beginNanos = hasBegun ? beginNanos : now;
    hasBegun = true;
    out.println((now - beginNanos + " " + kind + " " + words).stripTrailing());
  }

  void command(Command command) {
    if (out != null) {
      out.println(command instanceof Command.Say say ? "> " + numbers.get(say.to()) + " " + say.line().toLine()
          : "! " + ((Command.Print) command).message());
    }
  }
}
