// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.OptionalHome;

/**
 * Runs on two ranks: compares saves by the engine FTI with {@code FTI_Checkpoint} from C.
 *
 * <p>A save by the engine includes the image and the agreement. Both save the same bytes at the
 * same level, in turns in the same processes. The result is the median of the turns' ratios.
 */
public final class FtiBench {
  private static final int MEBI = 20;
  private static final int DEFAULT_TURNS = 15;

  private FtiBench() {}

  /**
   * Prints one line for each figure: {@code name<TAB>variant<TAB>microseconds<TAB>ratio}. Arguments: the level, which the
   * setting {@link CheckpointConfig#FTI_LEVELS} must also name; MiB per rank; turns (15), after two that are not counted.
   */
  public static void main(String[] args) throws IOException {
    int level = Integer.parseInt(args[0]);
    long bytes = Long.parseLong(args[1]) << MEBI;
    int turns = args.length > 2 ? Integer.parseInt(args[2]) : DEFAULT_TURNS;
    Twins.load();
    try (Mpi mpi = Mpi.init(args); Buf data = Buf.allocateBytes(bytes)) {
      Comm world = mpi.world();
      for (long at = 0; at < bytes; at += Long.BYTES) {
        Memory.putLong(data.address() + at, at * 0x9e3779b97f4a7c15L + world.rank());
      }
      Checkpoint checkpoint = CheckpointAccess.get().ofJob(mpi.processorName());
      CheckpointAccess.get().bind(checkpoint, world);
      checkpoint.protect("data", data);
      checkpoint.restore();
      begin(world, data);
      double[] c = new double[turns];
      double[] java = new double[turns];
      double[] ratios = new double[turns];
      for (int turn = -2; turn < turns; turn++) {
        int id = turn + 3;
        world.barrier();
        double inC = world.allReduce(Twins.ftiSave(id, level), Op.MAX);
        world.barrier();
        long start = System.nanoTime();
        checkpoint.save(id);
        double inJava = world.allReduce((System.nanoTime() - start) / 1e9, Op.MAX);
        if (inC < 0) {
          throw new IOException("FTI_Checkpoint failed in the C twin");
        }
        if (turn >= 0) {
          c[turn] = inC;
          java[turn] = inJava;
          ratios[turn] = inJava / inC;
        }
      }
      if (world.rank() == 0) {
        String name = "FTI save L" + level + ", " + args[1] + " MiB";
        System.out.printf(Locale.ROOT, "%s\tC\t%.0f\t1.00%n", name, Median.of(c) * 1e6);
        System.out.printf(Locale.ROOT, "%s\tengine\t%.0f\t%.2f%n", name, Median.of(java) * 1e6, Median.of(ratios));
      }
      checkpoint.close();
    }
  }

  /** Loads FTI a second time, for the C twin, from a copy: dlopen would return the instance that is loaded already. */
  private static void begin(Comm world, Buf data) throws IOException {
    Path folder = Path.of(CheckpointConfig.DIR.value(), "twin");
    Path local = Path.of(CheckpointConfig.LOCAL_DIR.value(), "twin");
    Path library = local.resolve("libfti-" + world.rank() + ".so");
    Files.createDirectories(local);
    Files.createDirectories(folder);
    Path home = OptionalHome.find("fti", Flavour.current());
    Path original = Files.exists(home.resolve("lib/libfti.so")) ? home.resolve("lib/libfti.so") : home.resolve("lib64/libfti.so");
    Files.copy(original, library, StandardCopyOption.REPLACE_EXISTING);
    Path config = folder.resolve("config.fti");
    if (world.rank() == 0) {
      Files.writeString(config, "[basic]\nnode_size = 1\ngroup_size = " + world.size() + "\nckpt_dir = " + local + "\nglbl_dir = "
          + folder.resolve("global") + "\nmeta_dir = " + folder.resolve("meta")
          + "\nckpt_io = 1\nmax_sync_intv = 512\nverbosity = 3\n[restart]\n"
          + "failure = 0\n[advanced]\nblock_size = " + CheckpointConfig.FTI_BLOCK_KILOBYTES.value() + "\ntransfer_size = 16\n"
          + "local_test = 1\n");
    }
    Comm own = world.dup();
    long path = Memory.allocateString(library.toString());
    long file = Memory.allocateString(config.toString());
    int failed = Twins.ftiBegin(path, file, own.handle(), data.address(), data.bytes());
    if (failed != 0) {
      throw new IOException("the C twin cannot " + new String[] {"load FTI", "FTI_Init", "FTI_Protect"}[failed - 1]);
    }
    Memory.free(path);
    Memory.free(file);
  }
}
