// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import java.nio.file.Path;
import java.util.Arrays;
import org.kintsugi.bindings.FTI;
import org.kintsugi.bindings.MPI;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.memory.Errors;
import org.kintsugi.mpi.internal.memory.Memory;

/**
 * One of the two instances of FTI's library, in one world. Collective methods are collective over the world given to {@link
 * #begin}. None of them throws for an error of FTI: only all ranks together can decide on its consequence.
 */
final class FtiInstance {
  /** Instead of FTI's code: an error of MPI has ended the function. FTI is unusable until it begins again. */
  private static final int INTERRUPTED = Integer.MIN_VALUE;

  /** Instead of FTI's code: the function was not even called, on this rank alone. */
  private static final int NO_STACK = Integer.MIN_VALUE + 1;

  private static final int HEADER_ID = 0;
  /** FTI's number of the first of the {@link ImageParts}. */
  private static final int IMAGE_ID = 1;

  private final int index;
  private final Path[] folders;
  private Comm given;
  private Comm world;
  private Comm group;

  /** The instance of that number, with the folders in which it has files open. */
  FtiInstance(int index, Path... folders) {
    this.index = index;
    this.folders = folders;
  }

  private void use() {
    if (FTI.kintsugi_fti_use(index) != 0) {
      throw new CheckpointException("cannot load FTI: " + Memory.getCString(FTI.kintsugi_fti_problem()));
    }
  }

  /** Loads the library, so that a missing one is reported before there is work to lose. Local. */
  void load() {
    use();
  }

  /** {@code FTI_Init}, on a communicator of its own. Collective; all of FTI's state is made anew. */
  int begin(Path config, Comm parent) {
    use();
    given = parent.dup();
    Errors.check(FTI.kintsugi_fti_arm(given.handle()), "MPI_Comm_set_errhandler");
    long file = Memory.allocateString(config.toString());
    int code;
    try {
      code = ended(FTI.FTI_Init(file, given.handle()));
    } finally {
      Memory.free(file);
    }
    if (code == NO_STACK) {
      return code; // FTI has made nothing yet
    }
    // Also after an error: this rank must be able to revoke and free its communicators.
    world = adopt(0);
    group = adopt(1);
    if (code == FTI.FTI_NSCS) {
      release(); // possibly FTI_Init failed on this rank only, and the others wait for it
    }
    return code;
  }

  /**
   * Puts the communicators of FTI into a scope, so that a process that rolls back before it calls FTI again revokes those in
   * which others may already wait. (And so that they are freed: FTI does not do it.)
   */
  private Comm adopt(int which) {
    long handle = FTI.kintsugi_fti_communicator(which);
    if (handle == 0) {
      return null;
    }
    Comm comm = Access.comms().adopt(handle, given);
    Errors.check(FTI.kintsugi_fti_rearm(handle), "MPI_Comm_set_errhandler");
    return comm;
  }

  private int ended(int code) {
    int interrupted = FTI.kintsugi_fti_interrupted();
    if (interrupted == 0) {
      return code;
    }
    if (interrupted == MPI.MPI_ERR_NO_MEM) {
      release();
      return NO_STACK;
    }
    for (Path folder : folders) {
      long path = Memory.allocateString(folder.toString());
      FTI.kintsugi_fti_abandon_files(path);
      Memory.free(path);
    }
    return INTERRUPTED;
  }

  /** Describes an unsuccessful return code of one of FTI's functions; continues a sentence that begins with "rank N". */
  static String problem(String function, int code) {
    switch (code) {
      case INTERRUPTED:
        return "was stopped in " + function + " by an error of MPI";
      case NO_STACK:
        return "has no memory left for the stack of " + function;
      default:
        return "got " + code + " from " + function + ": FTI prints the reason on standard output";
    }
  }

  /** Frees the communicators of {@link #begin}, without FTI's taking part. Collective in the sense of {@code MPI_Comm_free}. */
  void leave() {
    for (Comm comm : new Comm[] {group, world, given}) {
      if (comm != null) {
        Access.comms().inScope(comm).freeStale();
      }
    }
    forget();
  }

  /** The world has ended, and its communicators with it: forgets them. */
  void forget() {
    group = null;
    world = null;
    given = null;
  }

  /** Makes ranks that wait in FTI for this one get an error, where MPI can do that. Local. */
  void release() {
    for (Comm comm : new Comm[] {group, world, given}) {
      if (comm != null) {
        Access.comms().inScope(comm).revokeQuietly();
      }
    }
  }

  /**
   * Names the memory that the header and the image are written from and read to. Local.
   *
   * @return whether FTI takes them
   */
  boolean protect(Buf header, ImageParts image) {
    use();
    boolean taken = FTI.FTI_Protect(HEADER_ID, header.address(), header.bytes(), FTI.FTI_CHAR()) == FTI.FTI_SCES;
    for (int part = 0; part < ImageParts.COUNT; part++) {
      taken &= FTI.FTI_Protect(IMAGE_ID + part, image.address(part), image.bytes(part), FTI.FTI_CHAR()) == FTI.FTI_SCES;
    }
    return taken;
  }

  /** {@code FTI_Checkpoint}. Collective. @return FTI_DONE if all ranks have written */
  int checkpoint(int id, int level) {
    use();
    return ended(FTI.FTI_Checkpoint(id, level));
  }

  /** Bytes of the parts of the image that can be recovered; zeros: none. Local. */
  long[] storedBytes() {
    use();
    long[] bytes = new long[ImageParts.COUNT];
    Arrays.setAll(bytes, part -> FTI.FTI_GetStoredSize(IMAGE_ID + part));
    return bytes;
  }

  /**
   * Reads the header of the version that can be recovered. Local.
   *
   * @return false: it cannot be read
   */
  boolean readHeader(Buf header) {
    use();
    if (FTI.FTI_GetStoredSize(HEADER_ID) != header.bytes()
        || FTI.FTI_Protect(HEADER_ID, header.address(), header.bytes(), FTI.FTI_CHAR()) != FTI.FTI_SCES
        || FTI.FTI_RecoverVarInit() != FTI.FTI_SCES) {
      return false;
    }
    boolean read = FTI.FTI_RecoverVar(HEADER_ID) == FTI.FTI_SCES;
    return FTI.FTI_RecoverVarFinalize() == FTI.FTI_SCES && read;
  }

  /**
   * {@code FTI_Recover}: reads header and image into the protected memory.
   *
   * @return FTI_SCES if so
   */
  int recover() {
    use();
    return ended(FTI.FTI_Recover());
  }
}
