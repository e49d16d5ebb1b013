// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.proof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.protection.Protected;
import org.kintsugi.checkpoint.internal.protection.ProtectedObject;
import org.kintsugi.mpi.Buf;
import org.kintsugi.runtime.JobConfig;

/**
 * What this process did, line by line in a file of its own, for {@code jmpirun --prove}, which compares the files of jobs with
 * and without a failure.
 *
 * <p>The lines: {@code iteration RANK ITERATION}, when the program calls {@code run.iteration}; {@code item RUN VERSION RANK
 * BYTES CRC-32C NAME}, for each protected item when a save begins, whatever the engine is. Each line is written at once, so that
 * it outlives a SIGKILL.
 */
public final class ProofRecord {
  /** Of this job; null: nobody wants a proof. */
  public static final ProofRecord OF_JOB = ofJob();

  /** The program's own runs have ordinals from 1. */
  private static final long REHEARSAL = 0;

  private final FileChannel file;

  private ProofRecord(FileChannel file) {
    this.file = file;
  }

  private static ProofRecord ofJob() {
    String folder = JobConfig.PROOF_DIR.value();
    if (folder.isEmpty()) {
      return null;
    }
    try {
      Path path = Files.createTempFile(Path.of(folder), ProcessHandle.current().pid() + "-", ".proof");
      return new ProofRecord(FileChannel.open(path, StandardOpenOption.APPEND));
    } catch (IOException e) {
      throw new UncheckedIOException("-D" + JobConfig.PROOF_DIR.property() + "=" + folder + ": all hosts must see this folder",
          e);
    }
  }

  /**
   * The program begins an iteration.
   *
   * @throws ProofEnd if it is later than the last one of {@code --prove-until}
   */
  public void iteration(int rank, long iteration) {
    write("iteration " + rank + " " + iteration + "\n");
    long last = JobConfig.PROOF_UNTIL.longValue();
    if (iteration > last) {
      throw new ProofEnd(last);
    }
  }

  /** A save begins, in the program's run of this ordinal, of these data. */
  public void save(long run, long version, int rank, Map<String, Protected> data, ComposedImage image) {
    if (run == REHEARSAL) {
      return;
    }
    StringBuilder lines = new StringBuilder();
    List<ComposedImage.Item> items;
    try (Buf scratch = Buf.allocateBytes(ComposedImage.PIECE_BYTES)) {
      items = image.items(data.keySet(), scratch);
    }
    for (ComposedImage.Item saved : items) {
      ComposedImage.Item item = data.get(saved.name()) instanceof ProtectedObject object ? compared(saved.name(), object) : saved;
      lines.append("item ").append(run).append(' ').append(version).append(' ').append(rank).append(' ').append(item.bytes())
          .append(' ').append(Long.toHexString(item.checksum())).append(' ').append(item.name().replace('\n', ' ')).append('\n');
    }
    write(lines.toString());
  }

  /** An object's contents: its bytes in the image depend on how it was made, too. */
  private static ComposedImage.Item compared(String name, ProtectedObject object) {
    byte[] contents = object.comparable();
    CRC32C checksum = new CRC32C();
    checksum.update(contents);
    return new ComposedImage.Item(name, contents.length, checksum.getValue());
  }

  private synchronized void write(String lines) {
    ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
    try {
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
