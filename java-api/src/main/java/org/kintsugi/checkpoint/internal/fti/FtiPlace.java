// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import java.io.IOException;
import java.nio.file.Path;
import org.kintsugi.bindings.FTI;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.files.FolderLock;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.files.OwnerOnly;

/**
 * One of the two places for a version: an instance of FTI with folders of its own.
 *
 * <p>{@link #begin} takes it from any state to one that is the same on all ranks: with the version that FTI has recovered, or
 * with nothing. From {@link #saving} to {@link #committed} it is torn, since after a failure in between the instances of the
 * ranks are in different states; and torn it stays until it is begun again.
 */
final class FtiPlace {
  /** The beginning of the names of places' folders. */
  static final String FOLDER = "place-";

  private final Path shared;
  private final FolderLock lock;
  private final FtiFolders folders;
  private final FtiInstance instance;
  private final ImageHeader header = new ImageHeader();
  private Version version = Version.NONE;
  /** Whether a save was begun and not committed, or failed: the instances of the ranks are not in the same state. */
  private boolean torn;
  /** FTI has written since it began: it has not checked the version that it would recover. */
  private boolean written;

  /** The place of that number, in the engine's shared folder and its folder on this node. */
  FtiPlace(int index, Path shared, Path local, FolderLock lock) {
    this.shared = shared;
    this.lock = lock;
    folders = new FtiFolders(shared.resolve(FOLDER + index), local.resolve(FOLDER + index));
    instance = new FtiInstance(index, folders.shared(), folders.local());
  }

  FtiFolders folders() {
    return folders;
  }

  FtiInstance instance() {
    return instance;
  }

  /** The header of this place's image, as it will be written or was read. */
  ImageHeader header() {
    return header;
  }

  /** The version that it holds; {@link Version#NONE}: none. */
  Version version() {
    return version;
  }

  boolean isTorn() {
    return torn;
  }

  boolean isWritten() {
    return written;
  }

  /** In a new world the version in this process's instance belongs to no rank. Local. */
  void forgetWorld() {
    instance.forget();
    torn = false;
  }

  void saving() {
    torn = true;
  }

  void committed(Version newVersion) {
    version = newVersion;
    torn = false;
    written = true;
  }

  /**
   * Begins the instance and finds out which version it holds. Collective.
   *
   * @param fresh whether to forget that version
   */
  void begin(FtiWorld world, boolean fresh) {
    version = Version.NONE;
    torn = true;
    instance.leave();
    FtiFolders.Start start = prepare(world, fresh);
    int code = instance.begin(folders.config(), world.comm());
    String reason = world.reasonOfFti(code == FTI.FTI_SCES || code == FTI.FTI_NREC ? null : initProblem(code));
    if (reason != null) {
      throw new CheckpointException(reason);
    }
    if (world.comm().allReduce(code, Op.MIN) == FTI.FTI_SCES) {
      written = false;
      if (!start.isRestart()) {
        world.agree(world.rank() == 0 ? recordProblem(world) : null);
        torn = false;
        return;
      }
      if (readVersion(world, start.execution())) {
        torn = false;
        return;
      }
    }
    if (!start.isRestart()) {
      throw new CheckpointException("FTI_Init finds files to recover where there are none");
    }
    if (world.rank() == 0) {
      System.err.println("kintsugi: FTI cannot recover what is in " + folders.shared()
          + ": too many of its files are lost or damaged. That place is begun anew");
    }
    begin(world, true);
  }

  private String initProblem(int code) {
    return "cannot begin FTI with the configuration " + folders.config() + ": it " + FtiInstance.problem("FTI_Init", code)
        + " (-D" + CheckpointConfig.FTI_VERBOSITY.property() + "=1 for all that it says)";
  }

  /**
   * Prepares folders and configuration.
   *
   * @throws CheckpointException on all ranks, if it did not work on one
   */
  private FtiFolders.Start prepare(FtiWorld world, boolean fresh) {
    String execution = "";
    String problem = null;
    if (world.rank() == 0) {
      try {
        OwnerOnly.makeFolder(shared);
        lock.take();
        execution = folders.prepareShared(fresh, world.rules(), world.ranks()).execution();
      } catch (IOException e) {
        problem = "cannot make FTI's folders ready: " + explained(e);
      }
    }
    world.agree(problem);
    FtiFolders.Start start = new FtiFolders.Start(FailureExchange.tell(world.comm(), 0, execution));
    try {
      folders.prepareLocal(start, world.rules(), world.rank());
    } catch (IOException e) {
      problem = "cannot make FTI's folder on this node ready: " + explained(e);
    }
    world.agree(problem);
    return start;
  }

  static String explained(IOException e) {
    return e.getClass() == IOException.class ? e.getMessage() : e.toString();
  }

  private String recordProblem(FtiWorld world) {
    try {
      folders.recordExecution(world.rules(), world.ranks());
      return null;
    } catch (IOException e) {
      return "cannot note what FTI has begun: " + explained(e);
    }
  }

  /**
   * Reads the version of the recovered files. Collective.
   *
   * @return false: not the same on all ranks, or nothing
   */
  private boolean readVersion(FtiWorld world, String execution) {
    boolean mine = instance.readHeader(header.buf()) && header.isOf(world.rank());
    Version found = mine ? header.version() : Version.NONE;
    if (!found.isEverywhere(world.comm()) || found.isNone()) {
      return false;
    }
    version = found;
    String problem = null;
    if (world.rank() == 0) {
      try {
        folders.removeLaterThan(header.save(), execution);
      } catch (IOException e) {
        problem = "cannot remove what is left of later saves: " + explained(e);
      }
    }
    world.agree(problem);
    return true;
  }

  /** Empties the place, also for a restart. Local; it is begun anew before it is used again. */
  void forget(boolean isRankZero) {
    version = Version.NONE;
    torn = true;
    if (isRankZero) {
      try {
        OwnerOnly.makeFolder(shared);
        lock.take();
        folders.forget();
      } catch (IOException e) {
        throw new CheckpointException("rank 0 cannot remove versions that must not come back: " + explained(e), e);
      }
    }
  }
}
