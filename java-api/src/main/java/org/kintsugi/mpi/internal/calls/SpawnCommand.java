// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.calls;

import java.util.Objects;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * A program and its arguments for {@code MPI_Comm_spawn}: a string, and a null-terminated array of
 * strings.
 */
public final class SpawnCommand implements AutoCloseable {
  private static final long POINTER_BYTES = 8;

  private final long program;
  private final long argv;
  private final int words;

  public SpawnCommand(String command, String... arguments) {
    Objects.requireNonNull(command, "command is null");
    Objects.requireNonNull(arguments, "arguments is null");
    for (int i = 0; i < arguments.length; i++) {
      Objects.requireNonNull(arguments[i], "arguments[" + i + "] is null");
    }
    words = arguments.length;
    program = Memory.allocateWord(command);
    argv = Memory.allocate(POINTER_BYTES * (words + 1));
    for (int i = 0; i < words; i++) {
      Memory.putLong(word(i), Memory.allocateWord(arguments[i]));
    }
    Memory.putLong(word(words), 0);
  }

  private long word(int i) {
    return argv + POINTER_BYTES * i;
  }

  /** The address of the program's name. */
  public long program() {
    return program;
  }

  /** The address of the array. */
  public long arguments() {
    return argv;
  }

  @Override
  public void close() {
    for (int i = 0; i < words; i++) {
      Memory.free(Memory.getLong(word(i)));
    }
    Memory.free(argv);
    Memory.free(program);
  }
}
