// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.scr.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.kintsugi.bindings.SCR;
import org.kintsugi.checkpoint.Checkpoint;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.files.CheckpointFile;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.DamagedException;
import org.kintsugi.checkpoint.internal.files.CheckpointFile.Header;
import org.kintsugi.checkpoint.internal.files.FolderLock;
import org.kintsugi.checkpoint.internal.files.RunFolders;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.checkpoint.scr.ScrLibrary;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.files.OwnerOnly;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.runtime.Flavour;

/**
 * SCR 3.1: one {@link CheckpointFile} per rank and version, which SCR keeps in a folder of each node, with redundancy over
 * nodes, and flushes to a folder that all nodes share.
 *
 * <p>SCR is initialised when it is first needed in an epoch, and ends with the epoch: {@link #bind} unloads it, in whatever
 * state, and with the next world it is loaded anew (native/scr describes how a call into it returns when a process dies). It
 * then rebuilds the files of dead processes, as it does when a job is restarted. All of its calls are collective, so all methods
 * here but {@link #commit} and {@link #bind} are; on an error all ranks go the same way.
 *
 * <p>SCR sees that files exist, and not their contents. So each rank checks its own, and if one is damaged, SCR gives the
 * version up for the one before.
 */
public final class ScrEngine implements Engine {
  private static final String NAME_PREFIX = "kintsugi.";

  /** SCR's own in the folder that all nodes share. */
  private static final String SCR_FOLDER = ".scr";

  /** Records the number of ranks of the versions: on another number SCR would drop them. */
  private static final String RANKS_FILE = "kintsugi.ranks";

  /** Whether this process has warned that the nodes do not allow the redundancy. */
  private static boolean told;

  private final ScrConfig given; // the settings of the program's first run, in any folder
  private ScrConfig firstRun; // and in this one
  private ScrConfig config; // of this one
  private long ordinal = RunOrdinal.FIRST;
  /** The shared folder's identity ({@link SharedFolderId}); null: SCR was not open in this process yet. */
  private String identity;
  private int rank;
  private final FolderLock lock;
  private Comm world;
  /** The name of this rank's part of each version. */
  private String part;
  private boolean open;
  /** Whether SCR has been open in this process before, so that the job has versions to go on from. */
  private boolean used;
  /** SCR's redundancy scheme in this epoch. */
  private String type;
  private final ImageMemory scratch = new ImageMemory();
  private Buf fetched;
  private Version fetchedVersion = Version.NONE;
  private CheckpointException failure;

  private ScrEngine(ScrConfig config) {
    ScrLibrary.file();
    this.config = config;
    given = config;
    firstRun = config;
    RunFolders.lastRemoved(ordinal, CheckpointConfig.KEPT_RUNS); // refuses a wrong setting before there is work to lose
    lock = new FolderLock(config.prefix(), config.prefixOption());
  }

  /**
   * The engine with the job's settings.
   *
   * @return not bound yet; the caller closes it
   * @throws IllegalArgumentException if a setting cannot be
   * @throws UnsupportedOperationException if SCR is not installed; says where it was looked for
   */
  public static ScrEngine ofJob() {
    return new ScrEngine(ScrConfig.ofJob());
  }

  /**
   * As {@link #ofJob}, in a shared folder ({@code SCR_PREFIX}) that the user has named by that option.
   *
   * @param shared the folder
   * @param option by which the user has named it, for messages
   * @return not bound yet; the caller closes it
   */
  public static ScrEngine in(String shared, String option) {
    return new ScrEngine(ScrConfig.in(shared, option));
  }

  @Override
  public String name() {
    return "scr";
  }

  @Override
  public void bind(Comm newWorld) {
    world = newWorld;
    rank = newWorld.rank();
    part = partOf(rank);
    open = false;
    failure = null;
    String stays = ScrLibrary.close();
    if (stays != null) {
      System.err.println("kintsugi: SCR cannot be loaded as new, because the process cannot unload " + stays
          + ": the job has to be started again (jmpirun --restart)");
      Mpi.current().abort(Mpi.RESTART_CODE);
    }
  }

  /** The lock is on the folder of all runs: no other job comes in between two of them. */
  @Override
  public void ofRun(long newOrdinal) {
    ordinal = newOrdinal;
    config = firstRun.ofRun(newOrdinal);
  }

  @Override
  public String begin(Version asked, Image image, boolean aside) {
    closeFetched();
    open(false);
    failure = null;
    Version version = new Version(asked.attempt(), agreed(asked.number()));
    String name = NAME_PREFIX + version.number();
    long text = Memory.allocateString(name);
    int code = SCR.SCR_Start_output(text, SCR.SCR_FLAG_CHECKPOINT);
    Memory.free(text);
    check(code, "SCR_Start_output");
    if (image.isVoid()) {
      failure = new CheckpointException("rank " + world.rank() + " has no part of version " + version.number());
    } else {
      try {
        CheckpointFile.writeNew(route(name), world.rank(), world.size(), version, ComposedImage.from(image), scratch);
      } catch (IOException e) {
        failure = new CheckpointException("rank " + world.rank() + " cannot write its part of version " + version.number()
            + ": " + e
            + "; the version before it is kept", e);
      }
    }
    int result = SCR.SCR_Complete_output(failure == null ? 1 : 0);
    if (check(result, "SCR_Complete_output") != SCR.SCR_SUCCESS && failure == null) {
      failure = new CheckpointException("SCR could not complete version " + version.number() + " of rank " + world.rank()
          + ": another rank's part failed, or its redundancy; the version before it is kept");
    }
    return name() + " " + type;
  }

  /** SCR ends the job where ranks give a version different names; {@link Checkpoint} reports the error, and goes on. */
  private long agreed(long version) {
    return world.allReduce(version, Op.MAX);
  }

  @Override
  public void end() {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public boolean needed() {
    open(false);
    long flag = Memory.allocate(Integer.BYTES);
    try {
      check(SCR.SCR_Need_checkpoint(flag), "SCR_Need_checkpoint");
      return Memory.getInt(flag) != 0;
    } finally {
      Memory.free(flag);
    }
  }

  @Override
  public void commit(Version version) {
    // SCR has the version already: it counts once it is complete.
  }

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    open(true);
    closeFetched();
    for (String name = newest(); name != null; name = newest()) {
      if (load(name, wanted)) {
        return List.of(fetchedVersion);
      }
    }
    return List.of();
  }

  @Override
  public Buf fetch(Version version) {
    if (fetched == null || !fetchedVersion.equals(version)) {
      throw new CheckpointException("rank " + world.rank() + " cannot get version " + version.number() + " from SCR: it has "
          + (fetched == null ? "none" : "version " + fetchedVersion.number()));
    }
    return fetched;
  }

  @Override
  public void resume(Version version) {
    open(false);
    for (String name = newest(); name != null; name = newest()) {
      startRestart();
      boolean newer = numberOf(name) == Version.NONE.number() || numberOf(name) > version.number();
      // SCR drops a version from its cache when it gets the report that it was not readable.
      check(SCR.SCR_Complete_restart(newer ? 0 : 1), "SCR_Complete_restart");
      if (!newer) {
        return;
      }
      delete(name);
    }
  }

  @Override
  public void drop(long number) {
    open(false);
    delete(NAME_PREFIX + agreed(number));
  }

  @Override
  public void close() {
    if (open) {
      SCR.kintsugi_scr_world_ends();
      // An error is ignored: the job has succeeded, and there is nothing left to save.
      int ignored = SCR.SCR_Finalize();
      assert ignored != SCR.KINTSUGI_SCR_NOT_OPEN;
      open = false;
      ScrLibrary.close();
      removeFinished();
    }
    leave();
  }

  private void removeFinished() {
    try {
      firstRun.removeUpTo(RunFolders.lastRemoved(ordinal, CheckpointConfig.KEPT_RUNS));
    } catch (IOException e) {
      RunFolders.tellTrouble(firstRun.cache(), e);
    }
    if (rank == 0) {
      RunFolders.removeFinished(firstRun.prefix(), ordinal, CheckpointConfig.KEPT_RUNS,
          name -> name.startsWith(NAME_PREFIX) || name.equals(SCR_FOLDER));
    }
  }

  /** SCR stays open: only all ranks together can finalise it. */
  @Override
  public void leave() {
    closeFetched();
    scratch.close();
    lock.close();
  }

  private void closeFetched() {
    if (fetched != null) {
      fetched.close();
      fetched = null;
      fetchedVersion = Version.NONE;
    }
  }

  /**
   * Loads and initialises SCR, once an epoch.
   *
   * @param restoring whether versions of an earlier job are wanted: then they must be of as many ranks
   */
  private void open(boolean restoring) {
    if (open) {
      return;
    }
    int[] nodes = ScrHosts.nodes(world, config);
    String refusal = config.refusal(nodes);
    // After a recovery the job goes on even without redundancy: the spares' nodes may not allow what those of the start did.
    boolean goesOn = world.allReduce(used ? 1L : 0L, Op.MAX) != 0;
    if (refusal != null && !goesOn) {
      throw new IllegalArgumentException(refusal);
    }
    type = refusal == null ? config.type() : ScrConfig.SINGLE;
    String limits = refusal == null ? config.limits(nodes) : refusal + ". That cannot be in this epoch, after a recovery: until "
        + "the next one versions are kept without redundancy, and lost with the node that wrote a part of them";
    if (world.rank() == 0 && limits != null && (refusal != null || !told)) {
      System.err.println("kintsugi: " + limits);
    }
    told = true;
    prepareFolders(restoring);
    ScrLibrary.configure(refusal == null ? config.settings() : config.settingsForSingle());
    if (!ScrLibrary.open(world)) {
      throw fault();
    }
    if (check(SCR.SCR_Init(), "SCR_Init") != SCR.SCR_SUCCESS) {
      throw new IllegalStateException("SCR_Init failed; SCR says why on standard error");
    }
    open = true;
    used = true;
  }

  private void prepareFolders(boolean restoring) {
    String trouble = null;
    String known = FailureExchange.agree(world, identity);
    String found = known;
    try {
      if (world.rank() == 0) {
        OwnerOnly.makeFolder(config.prefix());
        lock.take();
        found = SharedFolderId.of(given.prefix(), known);
        trouble = noteRanks(restoring);
      }
    } catch (IOException e) {
      trouble = unusable(e);
    }
    refuse(trouble);
    identity = known == null ? FailureExchange.tell(world, 0, found) : known;
    firstRun = given.ofFolder(identity);
    config = firstRun.ofRun(ordinal);
    try {
      ScrIndex.repair(config.control().resolve(config.jobFolder()), world.rank());
    } catch (IOException e) {
      trouble = unusable(e);
    }
    refuse(trouble);
  }

  private String unusable(IOException trouble) {
    return "rank " + world.rank() + " cannot use SCR's folders " + config.prefix() + " and " + config.control() + ": " + trouble;
  }

  private void refuse(String trouble) {
    FailureExchange.refuse(world, trouble == null ? null : new CheckpointException(trouble), CheckpointException::new);
  }

  /**
   * Records the number of ranks. Called by rank 0.
   *
   * @return the reason not to use the files that are there; null: none
   */
  private String noteRanks(boolean restoring) throws IOException {
    Path file = config.prefix().resolve(RANKS_FILE);
    String ranks = String.valueOf(world.size());
    String before = Files.exists(file) ? new String(OwnerOnly.read(file), StandardCharsets.UTF_8).trim() : "";
    if (before.equals(ranks)) {
      return null;
    }
    if (restoring && Files.exists(file)) {
      return before.matches("[1-9]\\d{0,9}")
          ? "the versions that SCR keeps for " + config.prefix() + " are of " + before + " ranks, and this job has " + ranks
              + ": start it with " + before + ", or with a folder of its own"
          : file + " is damaged: it should say how many ranks have written the versions. Write that number into it; SCR throws "
              + "them away if the job has another one";
    }
    OwnerOnly.replace(file, (ranks + "\n").getBytes(StandardCharsets.UTF_8));
    return null;
  }

  /** The name of the newest version that SCR can recover; null if it has none. To be followed by startRestart. */
  private String newest() {
    long flag = Memory.allocate(Integer.BYTES + SCR.SCR_MAX_FILENAME);
    try {
      check(SCR.SCR_Have_restart(flag, flag + Integer.BYTES), "SCR_Have_restart");
      return Memory.getInt(flag) == 0 ? null : Memory.getCString(flag + Integer.BYTES);
    } finally {
      Memory.free(flag);
    }
  }

  private void startRestart() {
    check(SCR.SCR_Start_restart(0), "SCR_Start_restart");
  }

  /** Whether every rank has read its part; if not, SCR has given this version up. */
  private boolean load(String name, Predicate<Version> wanted) {
    startRestart();
    Path file = null;
    try {
      file = route(name);
      Header header = CheckpointFile.header(file);
      if (header == null) {
        throw new IOException("it is not there");
      }
      if (header.rank() != world.rank() || header.ranks() != world.size() || header.version().number() != numberOf(name)) {
        throw new IOException(
            "it is rank " + header.rank() + "'s of " + header.ranks() + ", version " + header.version().number());
      }
      if (!wanted.test(header.version())) {
        throw new IOException("it is of another run");
      }
      fetched = CheckpointFile.image(file, header);
      fetchedVersion = header.version();
    } catch (IOException | DamagedException e) {
      closeFetched();
      System.err.println("kintsugi: rank " + world.rank() + " passes over version " + numberOf(name) + ", its part " + file
          + " is of no use: " + e.getMessage());
    }
    if (!fetchedVersion.isEverywhere(world)) {
      closeFetched(); // parts that attempts at the same number have left
    }
    boolean everywhere =
        check(SCR.SCR_Complete_restart(fetched == null ? 0 : 1), "SCR_Complete_restart") == SCR.SCR_SUCCESS;
    if (!everywhere) {
      closeFetched();
    }
    return everywhere;
  }

  private static long numberOf(String name) {
    try {
      return name.startsWith(NAME_PREFIX) ? Long.parseLong(name.substring(NAME_PREFIX.length())) : Version.NONE.number();
    } catch (NumberFormatException e) {
      return Version.NONE.number(); // another program's files
    }
  }

  /** The name of a rank's part: its number has at least five digits. */
  private static String partOf(int rank) {
    String digits = String.valueOf(rank);
    return "rank-" + "0".repeat(Math.max(0, 5 - digits.length())) + digits + ".ckpt";
  }

  /** The path of this rank's part of a version. */
  private Path route(String name) throws IOException {
    long text = Memory.allocateString(config.prefix() + "/" + name + "/" + part);
    long routed = Memory.allocate(SCR.SCR_MAX_FILENAME);
    try {
      if (check(SCR.SCR_Route_file(text, routed), "SCR_Route_file") != SCR.SCR_SUCCESS) {
        throw new IOException("SCR has no such file");
      }
      return Path.of(Memory.getCString(routed));
    } finally {
      Memory.free(routed);
      Memory.free(text);
    }
  }

  private void delete(String name) {
    long text = Memory.allocateString(name);
    int code = SCR.SCR_Delete(text);
    Memory.free(text);
    check(code, "SCR_Delete");
  }

  /** Gives a code back that is SCR's own. */
  private int check(int code, String function) {
    if (code == SCR.KINTSUGI_SCR_FAILED) {
      throw fault();
    }
    if (code == SCR.KINTSUGI_SCR_GAVE_UP) {
      throw new IllegalStateException(function + " on rank " + world.rank()
          + ": SCR wants to end the job, and says why on standard error");
    }
    if (code == SCR.KINTSUGI_SCR_NOT_OPEN || code == SCR.KINTSUGI_SCR_THREAD) {
      throw new IllegalStateException(function + ": "
          + (code == SCR.KINTSUGI_SCR_NOT_OPEN ? "SCR is not open" : "called on another thread than the one that opened SCR"));
    }
    return code;
  }

  /** A process has failed, and SCR was left: the failure is reported like every other, by a call on the world. */
  private RuntimeException fault() {
    if (Flavour.current() == Flavour.ULFM) {
      world.revoke();
    }
    world.barrier();
    return new IllegalStateException("SCR was left because of a failure, of which the world knows nothing");
  }
}
