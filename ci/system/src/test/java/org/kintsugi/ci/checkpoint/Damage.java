// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The kinds of damage to a file. */
enum Damage {
  TORN {
    @Override
    void to(Path file, Path other) throws IOException {
      truncate(file, Files.size(file) / 2);
    }
  },
  ONE_BIT_FLIPPED {
    @Override
    void to(Path file, Path other) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      bytes[bytes.length / 2] ^= 4;
      Files.write(file, bytes);
    }
  },
  EMPTY {
    @Override
    void to(Path file, Path other) throws IOException {
      truncate(file, 0);
    }
  },
  ONE_BYTE_LONGER {
    @Override
    void to(Path file, Path other) throws IOException {
      truncate(file, Files.size(file) + 1);
    }
  },
  GONE {
    @Override
    void to(Path file, Path other) throws IOException {
      Files.delete(file);
    }
  },
  ANOTHER_RANKS {
    @Override
    void to(Path file, Path other) throws IOException {
      Files.copy(other, file, StandardCopyOption.REPLACE_EXISTING);
    }
  },
  FOREIGN {
    @Override
    void to(Path file, Path other) throws IOException {
      Files.writeString(file, "These are not the bytes that you are looking for.\n".repeat(100));
    }
  };

  abstract void to(Path file, Path other) throws IOException;

  private static void truncate(Path file, long length) throws IOException {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(length);
    }
  }
}
