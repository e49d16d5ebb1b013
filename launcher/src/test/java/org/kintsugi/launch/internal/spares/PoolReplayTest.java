// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.spares;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kintsugi.runtime.internal.protocol.FromProcess;

/** Recorded jobs ({@link PoolTrace}): the same events have the same commands. */
class PoolReplayTest {
  /** A recorded job on the way. */
  private static final class Replay {
    private final PoolState state;
    private final List<PooledProcess> processes = new ArrayList<>();
    private final Map<PooledProcess, Integer> numbers = new HashMap<>();

    Replay(String name, boolean isOnOneHost) {
      state = new PoolState(name, isOnOneHost);
    }

    private PooledProcess process(String number) {
      return processes.get(Integer.parseInt(number) - 1);
    }

    /** Hands in an event. */
    void happens(String event) {
      String[] words = event.split(" ", 4);
      long now = Long.parseLong(words[0]);
      switch (words[1]) {
        case "greet" -> {
          String[] who = event.split(" ");
          PooledProcess process = state.greet(who[2], Integer.parseInt(who[3]), who[4], Integer.parseInt(who[5]), now);
          processes.add(process);
          numbers.put(process, processes.size());
        }
        case "line" -> state.hear(process(words[2]), FromProcess.parse(words[3]), now);
        case "end" -> state.lose(process(words[2]), Boolean.parseBoolean(words[3]), now);
        case "look" -> state.look(now);
        case "see" -> state.see(numbers(words), now);
        case "observe" -> {
          process(words[2]).isSilent = Boolean.parseBoolean(words[3].split(" ")[0]);
          process(words[2]).isStarting = Boolean.parseBoolean(words[3].split(" ")[1]);
        }
        default -> throw new IllegalArgumentException(event);
      }
    }

    private static Set<Integer> numbers(String... words) {
      return words.length < 3 ? Set.of() : Stream.of(words[2].split(",")).map(Integer::valueOf).collect(Collectors.toSet());
    }

    /** The commands since the last call, as the trace has them. */
    List<String> commands() {
      return state.takeCommands().stream().map(command -> command instanceof Command.Say say
          ? "> " + numbers.get(say.to()) + " " + say.line().toLine() : "! " + ((Command.Print) command).message()).toList();
    }
  }

  private static List<String> read(String trace) throws IOException {
    try (BufferedReader in = new BufferedReader(
        new InputStreamReader(PoolReplayTest.class.getResourceAsStream(trace), StandardCharsets.UTF_8))) {
      return in.lines().toList();
    }
  }

  private static boolean isCommand(String line) {
    return line.startsWith("> ") || line.startsWith("! ");
  }

  /** Replays a trace, and returns all commands. */
  private static List<String> replay(String trace) throws IOException {
    Queue<String> lines = new ArrayDeque<>(read(trace));
    String[] pool = lines.remove().split(" ");
    Replay replay = new Replay(pool[1], Boolean.parseBoolean(pool[2]));
    List<String> all = new ArrayList<>();
    while (!lines.isEmpty()) {
      String event = lines.remove();
      replay.happens(event);
      List<String> recorded = new ArrayList<>();
      while (!lines.isEmpty() && isCommand(lines.element())) {
        recorded.add(lines.remove());
      }
      assertThat(replay.commands()).as("after " + event).isEqualTo(recorded);
      all.addAll(recorded);
    }
    return all;
  }

  /**
   * Four ranks and a spare; rank 2 dies, then rank 1, then ranks 0 and 3 at the same step, with one spare for both.
   *
   * <p>Recorded on 29 November 2026 on one host, by {@code KINTSUGI_SPARES_TRACE=trace jmpirun -n
   * 4 --spares 1 --kill process:2@50 --kill process:1@150 --kill process:0@250 --kill
   * process:3@250} with steps of 40 ms.
   */
  @Test
  void fourDeathsAndOneSpare() throws IOException {
    List<String> commands = replay("four-failures.trace");
    assertThat(commands).filteredOn(line -> line.contains(" start ")).hasSize(4);
    assertThat(commands).filteredOn(line -> line.contains(" called ")).hasSize(3);
  }
}
