// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * The identity of the job's shared folder ({@code -Dkintsugi.checkpoint.dir}): a random number in a file in it.
 *
 * <p>It is a part of the name of SCR's cache on the nodes. A job that is started again finds the number and so its cache. A
 * folder that was removed and made again has another number, so its jobs do not find the cache of earlier jobs.
 */
final class SharedFolderId {
  /** Must not begin as versions do: those of finished runs are removed by their names. */
  static final String FILE = "kintsugi-job.id";

  private static final String FORM = "[0-9a-f]{16}";
  private static final SecureRandom RANDOM = new SecureRandom();

  private SharedFolderId() {}

  /**
   * The identity of a folder, which gets one if it has none. For one process of the job, which holds the folder's lock.
   *
   * @param known the identity in earlier epochs of this job; it stays, even if the file was removed meanwhile. null: none
   */
  static String of(Path folder, String known) throws IOException {
    Path file = folder.resolve(FILE);
    String id;
    try {
      id = new String(OwnerOnly.read(file), StandardCharsets.UTF_8).trim();
    } catch (NoSuchFileException none) {
      id = known == null ? String.format("%016x", RANDOM.nextLong()) : known;
      OwnerOnly.replace(file, (id + "\n").getBytes(StandardCharsets.UTF_8));
    }
    if (known != null) {
      return known;
    }
    if (!id.matches(FORM)) {
      throw new IOException(file + " is damaged: it should have the 16 digits at the end of a name scr.kintsugi-... in SCR's "
          + "cache on the nodes. Write them into it, or remove it: without them only flushed versions are found");
    }
    return id;
  }
}
