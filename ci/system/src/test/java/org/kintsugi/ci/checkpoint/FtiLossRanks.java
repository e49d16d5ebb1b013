// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.checkpoint;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.SignalNumbers;
import org.kintsugi.test.RankJob;

/**
 * Runs in the ranks of {@link FtiLossTest}: a version is saved in every step, then one rank damages its own files on the node and
 * dies. Every rank reports which version it goes on from.
 */
final class FtiLossRanks {
  static final int STRUCK = 6;
  static final int VICTIM = 1;
  private static final int STEPS = 10;

  /** Off-heap: FTI gets it from where it is. HPCCG's arrays have tests of their own. */
  private final Buf data = Buf.allocateDoubles(1001);
  private int refusals;

  private FtiLossRanks() {}

  /** Arguments: the folder for reports; the loss: all, newest or bit; or folder, and no process dies. */
  public static void main(String[] args) {
    FtiLossRanks ranks = new FtiLossRanks();
    try (Mpi mpi = Mpi.init(args)) {
      String[] story = {"", ""};
      Reinit.run(mpi, run -> {
        story[0] = String.valueOf(run.world().rank());
        story[1] = ranks.body(run, args[1]);
      });
      if (!story[0].isEmpty()) {
        RankJob.report(args[0], story[0], story[1]);
      }
    }
  }

  private String body(Run run, String loss) throws IOException {
    run.checkpoint().protect("data", data);
    OptionalLong restored = run.checkpoint().restore();
    for (int i = 0; restored.isPresent() && i < data.count(); i++) {
      if (data.getDouble(i) != value(run, restored.getAsLong(), i)) {
        return "WRONG at " + i;
      }
    }
    for (long version = restored.orElse(0) + 1; version <= STEPS; version++) {
      for (int i = 0; i < data.count(); i++) {
        data.putDouble(i, value(run, version, i));
      }
      if (loss.equals("folder") && version == STRUCK) {
        refusals += saveWithoutFolder(run, version);
      }
      run.checkpoint().save(version);
      if (!loss.equals("folder") && run.epoch() == 0 && version == STRUCK && run.world().rank() == VICTIM) {
        damage(loss);
        Kintsugi.kintsugi_kill((int) ProcessHandle.current().pid(), SignalNumbers.SIGKILL);
      }
    }
    if (loss.equals("folder")) {
      return refusals + " refused, " + run.checkpoint().versions();
    }
    return restored.isPresent() ? String.valueOf(restored.getAsLong()) : "none";
  }

  /** The number of a save; 1 if it is refused, on all ranks alike. */
  private static int saveWithoutFolder(Run run, long version) throws IOException {
    if (run.world().rank() == VICTIM) {
      String newest = place(files().stream().max(Comparator.comparing(FtiLossRanks::modified)).orElseThrow());
      for (Path file : files()) {
        if (!place(file).equals(newest)) {
          Files.move(Path.of(place(file), "node" + VICTIM), Path.of(place(file), "away"));
          break;
        }
      }
    }
    run.world().barrier();
    try {
      run.checkpoint().save(version);
      return 0;
    } catch (CheckpointException e) {
      return e.getMessage().contains("rank " + VICTIM + " cannot save version " + version) && e.getMessage().contains("is gone")
          ? 1 : 0;
    }
  }

  private static double value(Run run, long version, int index) {
    return version * 1e4 + run.world().rank() * 1e3 + index;
  }

  /** The files of this rank's node, in both places or in the one that was written last. */
  private static void damage(String loss) throws IOException {
    List<Path> files = files();
    if (!loss.equals("all")) {
      String place = place(files.stream().max(Comparator.comparing(FtiLossRanks::modified)).orElseThrow());
      files = files.stream().filter(file -> place(file).equals(place)).toList();
    }
    for (Path file : files) {
      if (loss.equals("bit")) {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
          bytes.seek(bytes.length() / 2);
          int old = bytes.read();
          bytes.seek(bytes.length() / 2);
          bytes.write(old ^ 4);
        }
      } else {
        Files.delete(file);
      }
    }
  }

  private static String place(Path file) {
    return file.toString().replaceAll("(/place-\\d)/.*", "$1");
  }

  /** The files of this rank's node. */
  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(Path.of(CheckpointConfig.LOCAL_DIR.value()))) {
      return all.filter(file -> file.toString().contains("/node" + VICTIM + "/") && file.toString().endsWith(".fti")).toList();
    }
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
