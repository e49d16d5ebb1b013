// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.files;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.kintsugi.checkpoint.engine.Attempt;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.DamagedException;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.Header;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * Does once what a restore from files does in each rank, in a temporary folder: finds, reads and removes files. Code that runs
 * for the first time in a recovery costs a JVM about 100 ms here, for which all ranks wait. Nothing depends on the rehearsal.
 */
final class FileRehearsal {
  private static final int SLOTS = FileSurvey.SLOTS;
  private static final long BYTES = 4096;

  private FileRehearsal() {}

  /** Local, and without MPI. What goes wrong is not reported. */
  static void play() {
    try {
      Path folder = Files.createTempDirectory("kintsugi-rehearsal-");
      try {
        play(folder);
      } finally {
        remove(folder);
      }
    } catch (IOException | DamagedException | CheckpointException e) {
      // A disk that is full, or an interrupt, since the recovery has begun: then it goes without the rehearsal.
    }
  }

  private static void play(Path folder) throws IOException, DamagedException {
    FileSurvey.load();
    OwnerOnly.requireFolder(folder);
    RankFiles files = new RankFiles(folder, SLOTS);
    files.of(0);
    try (FolderLock lock = new FolderLock(folder, ""); Buf content = Buf.allocateBytes(BYTES)) {
      lock.take();
      Header written = CheckpointFile.writeNew(files.own(0), 0, 1, new Version(Attempt.NONE, 1),
          ComposedImage.ofBytes(1, content), new ImageMemory());
      files.find();
      for (Path file : files.known(0)) {
        Header header = CheckpointFile.header(file);
        files.use(0, file);
        if (written.equals(header)) {
          CheckpointFile.image(file, header).close();
        }
      }
      files.removeOthers(0);
      files.remove(0);
    }
  }

  private static void remove(Path folder) throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(folder)) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
