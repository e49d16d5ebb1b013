// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.fti;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.kintsugi.bindings.FTI;
import org.kintsugi.checkpoint.CheckpointException;
import org.kintsugi.checkpoint.Engine;
import org.kintsugi.checkpoint.FolderLock;
import org.kintsugi.checkpoint.Reason;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiConfig;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.Deadline;
import org.kintsugi.presets.Flavour;
import org.kintsugi.presets.OptionalHome;

/**
 * Images kept by FTI.
 *
 * <p>FTI has one version per level, and takes the old one apart before the new one is in place, all lower levels with it. So two
 * instances of it are used in turn, each with folders of its own: a save goes to the place that does not hold the newest complete
 * version, and a failure in the middle of it never costs that one.
 *
 * <p>Protocol. In a new world nothing is done before the first collective call; then all ranks tell what they know, rank 0 makes
 * each place's folders ready, and both instances begin ({@code FTI_Init}), which recovers their files. After everything that FTI
 * does, all ranks agree on what came of it, on the world itself: there a death is reported as everywhere. A place in which a save
 * was begun and not committed is begun anew before it is used: after a failure that was no death, FTI's instances on different
 * ranks are in different states.
 *
 * <p>What FTI does when a process dies inside of it: native/fti/fti.c.
 */
public final class FtiEngine implements Engine {
  private static final int PLACES = 2;
  /** FTI's level 3 is only right for files of an even number of bytes. */
  private static final long ALIGNMENT = 64;
  private static final int MESSAGE_BYTES = 1024;

  private static final class Place {
    private final FtiFolders folders;
    private final FtiInstance instance;
    private long version = NONE;
    /** Begun and not committed, or failed: the instances of the ranks are not in the same state. */
    private boolean torn;
    /** FTI has written since it began: what it would recover it has not checked. */
    private boolean written;

    Place(FtiFolders folders, FtiInstance instance) {
      this.folders = folders;
      this.instance = instance;
    }
  }

  private final Path shared;
  private final long node;
  private final boolean kept;
  private final Place[] places = new Place[PLACES];
  private final ImageHeader header = new ImageHeader();
  private Buf room = Buf.ofBytes(ALIGNMENT);
  private long imageBytes;
  private Comm world;
  private FtiRules rules;
  private int ranks;
  private int rank;
  private boolean open;
  private long saves;
  private Place writing;
  private String failure;
  private final FolderLock lock;

  private FtiEngine(Path shared, Path local, long node, boolean kept) {
    this.shared = shared;
    this.node = node;
    this.kept = kept;
    lock = new FolderLock(shared);
    for (int i = 0; i < PLACES; i++) {
      FtiFolders folders = new FtiFolders(shared.resolve("place-" + i), local.resolve("place-" + i));
      places[i] = new Place(folders, new FtiInstance(i, folders.shared(), folders.local()));
    }
  }

  /**
   * The engine with the job's settings, for a process on the node of that name. Local.
   *
   * @throws UnsupportedOperationException if FTI is not installed; the message says where it was looked for
   * @throws IllegalArgumentException if a setting is wrong that can be judged by itself
   */
  public static FtiEngine ofJob(String nodeName) {
    OptionalHome.find("fti", Flavour.current());
    Path shared = real(Path.of(MpiConfig.CHECKPOINT_DIR.value())).resolve("fti");
    Path local = Path.of(MpiConfig.CHECKPOINT_LOCAL_DIR.value());
    String keep = MpiConfig.FTI_KEEP.value();
    if (!keep.equals("true") && !keep.equals("false")) {
      throw new IllegalArgumentException("-D" + MpiConfig.FTI_KEEP.property() + "=" + keep + ": expected true or false");
    }
    // Jobs with different folders that all nodes see do not meet on a node.
    String job = String.format("%016x", fingerprint(shared.toString()));
    FtiEngine engine =
        new FtiEngine(shared, real(local).resolve("fti-" + job), fingerprint(nodeName), Boolean.parseBoolean(keep));
    for (Place place : engine.places) {
      place.instance.load();
    }
    return engine;
  }

  /** Links resolved as far as there is anything: the names of open files are looked at. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    for (Path there = absolute; there != null; there = there.getParent()) {
      if (Files.exists(there)) {
        try {
          return there.toRealPath().resolve(there.relativize(absolute));
        } catch (IOException e) {
          return absolute;
        }
      }
    }
    return absolute;
  }

  /** FNV-1a with 64 bits. */
  private static long fingerprint(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  @Override
  public String name() {
    return "fti";
  }

  @Override
  public void bind(Comm newWorld) {
    world = newWorld;
    rank = newWorld.rank();
    open = false;
    writing = null;
    failure = null;
    for (Place place : places) {
      place.instance.forget();
      place.torn = false;
    }
  }

  @Override
  public Buf room(long save, long bytes) {
    return room(bytes);
  }

  private Buf room(long bytes) {
    long padded = Math.max(bytes + ALIGNMENT - 1, ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    if (room.count() < padded) {
      room.close();
      room = Buf.ofBytes(padded);
    }
    imageBytes = bytes;
    for (long at = bytes; at < padded; at++) {
      room.putByte(at, (byte) 0);
    }
    return room.slice(0, bytes);
  }

  private Buf paddedRoom(long bytes) {
    return room.slice(0, Math.max(bytes + ALIGNMENT - 1, ALIGNMENT) / ALIGNMENT * ALIGNMENT);
  }

  /** The first collective call in a world: see the protocol above. */
  private void open() {
    if (!open) {
      int before = ranks;
      ranks = world.size();
      rules = FtiRules.ofJob(ranks);
      long[] told = {node, saves, before};
      long[] all = new long[told.length * ranks];
      world.allGather(Buf.of(told), Buf.of(all));
      long[] hosts = new long[ranks];
      boolean resized = false;
      for (int rank = 0; rank < ranks; rank++) {
        hosts[rank] = all[told.length * rank];
        saves = Math.max(saves, all[told.length * rank + 1]);
        resized |= all[told.length * rank + 2] != 0 && all[told.length * rank + 2] != ranks;
      }
      rules.checkHosts(hosts);
      if (saves == 0 && rank == 0) {
        System.err.println("kintsugi: FTI: " + rules.redundancy(hosts));
      }
      for (Place place : places) {
        begin(place, resized); // a world of another size has other ranks: what was kept belongs to nobody in it
      }
      open = true;
      return;
    }
    for (Place place : places) {
      if (place.torn) {
        begin(place, false);
      }
    }
  }

  /** Begins a place's instance and finds out what it has. Collective. */
  private void begin(Place place, boolean fresh) {
    place.version = NONE;
    place.torn = true;
    place.instance.leave();
    FtiFolders.Start start = prepare(place, fresh);
    int code = place.instance.begin(place.folders.config(), world);
    String reason = reasonOfFti(code == FTI.FTI_SCES || code == FTI.FTI_NREC ? null : initProblem(place, code));
    code = reason == null ? (int) world.allReduce((long) code, Op.MIN) : FTI.FTI_NSCS;
    if (code == FTI.FTI_SCES) {
      place.torn = false;
      place.written = false;
      if (!start.isRestart()) {
        agree(recordProblem(place));
        return;
      }
      if (readVersion(place, start.execution())) {
        return;
      }
      code = FTI.FTI_NREC;
    }
    if (reason != null || !start.isRestart()) {
      throw new CheckpointException(reason != null ? reason : "FTI_Init finds files to recover where there are none");
    }
    if (rank == 0) {
      System.err.println("kintsugi: FTI cannot recover what is in " + place.folders.shared()
          + ": too many of its files are lost or damaged. That place is begun anew");
    }
    begin(place, true);
  }

  private static String initProblem(Place place, int code) {
    return code == FtiInstance.INTERRUPTED ? "was stopped in FTI_Init by an error of MPI"
        : "cannot begin FTI: FTI_Init returned " + code + " with the configuration " + place.folders.config()
            + "; FTI says why on standard output (-D" + MpiConfig.FTI_VERBOSITY.property() + "=1 for all of it)";
  }

  /** Folders and configuration. @throws CheckpointException on all ranks, if it did not work on one */
  private FtiFolders.Start prepare(Place place, boolean fresh) {
    Buf message = Buf.ofBytes(MESSAGE_BYTES);
    try {
      if (rank == 0) {
        String text;
        try {
          FtiFolders.makeFolder(shared);
          lock.take();
          text = "+" + place.folders.prepareShared(fresh, rules, ranks).execution();
        } catch (IOException e) {
          text = "-cannot make FTI's folders ready: " + explained(e);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        message.put(0, bytes, 0, Math.min(bytes.length, MESSAGE_BYTES - 1));
      }
      world.bcast(message, 0);
      byte[] bytes = new byte[MESSAGE_BYTES];
      message.get(0, bytes, 0, MESSAGE_BYTES);
      int length = 0;
      while (bytes[length] != 0) {
        length++;
      }
      String text = new String(bytes, 1, length - 1, StandardCharsets.UTF_8);
      if (bytes[0] == '-') {
        throw new CheckpointException("rank 0 " + text);
      }
      FtiFolders.Start start = new FtiFolders.Start(text);
      String problem = null;
      try {
        place.folders.prepareLocal(start, rules, rank);
      } catch (IOException e) {
        problem = "cannot make FTI's folder on this node ready: " + explained(e);
      }
      agree(problem);
      return start;
    } finally {
      message.close();
    }
  }

  private static String explained(IOException e) {
    return e.getClass() == IOException.class ? e.getMessage() : e.toString();
  }

  private String recordProblem(Place place) {
    if (rank == 0) {
      try {
        place.folders.recordExecution(rules, ranks);
      } catch (IOException e) {
        return "cannot note what FTI has begun: " + explained(e);
      }
    }
    return null;
  }

  /** @throws CheckpointException on all ranks, if there is a problem on one */
  private void agree(String problem) {
    String reason = reason(problem);
    if (reason != null) {
      throw new CheckpointException(reason);
    }
  }

  /** The problem of the lowest rank that has one, on all ranks; null if none has. Collective. */
  private String reason(String problem) {
    if (world.allReduce(problem == null ? 1L : 0L, Op.MIN) == 1) {
      return null;
    }
    return Reason.tell(world, problem == null ? null : "rank " + rank + " " + problem);
  }

  /**
   * As {@link #reason}, for what FTI reports. If FTI has failed on one rank alone, the others may wait in it. With ULFM
   * they have been let out ({@link FtiInstance#release}); on the Reinit++ fork nothing can be done about that but to start again.
   */
  private String reasonOfFti(String problem) {
    Deadline deadline = problem == null || Flavour.current() == Flavour.ULFM ? null
        : Deadline.begin(MpiConfig.RECOVERY_TIMEOUT_SECONDS.longValue(), null,
            "FTI has failed on rank " + rank + " (" + problem + "), and others still wait in it");
    try {
      return reason(problem);
    } finally {
      if (deadline != null) {
        deadline.close();
      }
    }
  }

  /** What the recovered files are. Collective. @return false: not the same on all ranks, or nothing */
  private boolean readVersion(Place place, String execution) {
    boolean mine = place.instance.readHeader(header.buf()) && header.isOf(rank);
    long version = mine ? header.version() : NONE;
    long least = world.allReduce(version, Op.MIN);
    long most = world.allReduce(version, Op.MAX);
    if (least != most || least == NONE) {
      return false;
    }
    place.version = version;
    saves = Math.max(saves, header.save());
    String problem = null;
    if (rank == 0) {
      try {
        place.folders.removeLaterThan(header.save(), execution);
      } catch (IOException e) {
        problem = "cannot remove what is left of later saves: " + explained(e);
      }
    }
    agree(problem);
    return true;
  }

  private Place newest() {
    return places[1].version > places[0].version ? places[1] : places[0];
  }

  @Override
  public String begin(long version) {
    open();
    writing = newest() == places[0] && places[0].version != NONE ? places[1] : places[0];
    saves++;
    int level = rules.levelOf(saves);
    Buf image = room.slice(0, imageBytes);
    header.fill(version, saves, rank, image);
    String problem = null;
    try {
      writing.folders.checkSave(rules, rank, level, imageBytes);
    } catch (IOException e) {
      problem = "cannot save version " + version + ": " + explained(e);
    }
    // FTI on one rank must not begin what it cannot on another: parts of it then wait for each other in different places.
    failure = reason(problem);
    writing.torn = true;
    if (failure == null) {
      problem = write(level);
      if (problem != null) {
        writing.instance.release();
        problem = "cannot save version " + version + " to " + writing.folders.shared() + ": " + problem;
      }
      // Checkpoint tells the others; on the fork they may not come to that.
      failure = Flavour.current() == Flavour.REINIT ? reasonOfFti(problem)
          : problem == null ? null : "rank " + rank + " " + problem;
    }
    return levelName(level);
  }

  /** Has FTI write. Collective. @return what went wrong on this rank; null: nothing */
  private String write(int level) {
    if (!writing.instance.protect(header.buf(), paddedRoom(imageBytes))) {
      return "FTI_Protect failed";
    }
    int code = writing.instance.checkpoint((int) (saves & Integer.MAX_VALUE), level);
    return code == FTI.FTI_DONE ? null : code == FtiInstance.INTERRUPTED ? "FTI_Checkpoint was ended by an error of MPI"
        : "FTI_Checkpoint returned " + code + ": FTI says why on standard output";
  }

  private static String levelName(int level) {
    return "fti L" + level;
  }

  @Override
  public void end() {
    if (failure != null) {
      throw new CheckpointException(failure + "; the version before it is kept");
    }
  }

  @Override
  public void commit(long version) {
    writing.version = version;
    writing.torn = false;
    writing.written = true;
  }

  @Override
  public long[] versions() {
    open();
    return Arrays.stream(places).mapToLong(place -> place.version).filter(version -> version != NONE).sorted().toArray();
  }

  private Place placeOf(long version) {
    for (Place place : places) {
      if (place.version == version && version != NONE) {
        return place;
      }
    }
    throw new IllegalArgumentException("version " + version + " is none of " + Arrays.toString(versions()));
  }

  @Override
  public Buf fetch(long version) {
    open();
    Place place = placeOf(version);
    if (place.written) {
      begin(place, false);
      if (place.version != version) {
        throw new CheckpointException("version " + version + " is lost: FTI cannot recover it from " + place.folders.shared());
      }
    }
    long stored = place.instance.storedBytes();
    room(stored);
    if (!place.instance.protect(header.buf(), paddedRoom(stored)) || place.instance.recover() != FTI.FTI_SCES
        || !header.isOf(rank) || header.version() != version || header.bytes() > stored
        || !header.matches(room.slice(0, header.bytes()))) {
      throw new CheckpointException("rank " + rank + " cannot read version " + version + " from " + place.folders.local()
          + " or " + place.folders.shared() + ": it is not what was saved");
    }
    return room.slice(0, header.bytes());
  }

  @Override
  public void resume(long version) {
    for (Place place : places) {
      // What has not been looked at may be anything.
      if (!open || place.version > version || version == NONE && place.version != NONE) {
        forget(place);
      }
    }
  }

  @Override
  public void drop(long version) {
    for (Place place : places) {
      // One that is torn has a part of a version; which is dropped, as it was the last to be begun.
      if (open && (place.version == version || place.torn)) {
        forget(place);
      }
    }
  }

  /** Local; the instance begins anew before the place is used again. */
  private void forget(Place place) {
    place.version = NONE;
    place.torn = true;
    if (rank == 0) {
      try {
        FtiFolders.makeFolder(shared);
        lock.take();
        place.folders.forget();
      } catch (IOException e) {
        throw new CheckpointException("rank 0 cannot remove versions that must not come back: " + explained(e), e);
      }
    }
  }

  /** FTI_Finalize would need a world, which is gone by now; what it does beyond that is to remove its files. */
  @Override
  public void close() {
    try {
      if (open && !kept) {
        for (Place place : places) {
          place.folders.removeLocal(rules, rank);
          if (rank == 0) {
            place.folders.removeShared();
          }
        }
      }
    } catch (IOException e) {
      System.err.println("kintsugi: FTI's files cannot be removed: " + e);
    }
    lock.close();
    room.close();
  }
}
