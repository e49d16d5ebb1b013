// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal.fti;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.kintsugi.bindings.FTI;
import org.kintsugi.checkpoint.CheckpointConfig;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.files.FolderLock;
import org.kintsugi.checkpoint.internal.files.RunFolders;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.ImageMemory;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.internal.collective.Partners;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.OptionalHome;

/**
 * Images kept by FTI.
 *
 * <p>FTI has one version per level, and takes the old one apart before the new one is in place, all lower levels with it. So two
 * instances of it are used in turn, each with folders of its own: a save goes to the place that does not hold the newest complete
 * version, and a failure in the middle of it never costs that one.
 *
 * <p>Protocol. In a new world nothing is done before the first collective call; then all ranks tell what they know, rank 0 makes
 * each place's folders ready, and both instances begin ({@code FTI_Init}), which recovers their files. After everything that FTI
 * does, all ranks agree on what came of it, on the world itself: there a process failure is reported as everywhere. A place in
 * which a save was begun and not committed is begun anew before it is used: after an error that was no process failure, FTI's
 * instances on different ranks are in different states.
 *
 * <p>What FTI does when a process dies inside of it: native/fti/fti.c.
 */
final class FtiEngine implements Engine {
  private static final int PLACES = 2;

  private final long node;
  private final boolean kept;
  private final FolderLock lock;
  private final Path shared; // of all runs, as is the next
  private final Path local;
  private final FtiPlace[] places = new FtiPlace[PLACES];
  private long ordinal = RunOrdinal.FIRST;
  private final ImageMemory room = new ImageMemory();
  private Comm comm;

  /** Null until the first collective call in an epoch. */
  private FtiWorld world;

  /** How many ranks the last world had; 0: there was none. */
  private int ranks;

  private long saves;
  private boolean isHighestWanted;
  private FtiPlace writing;
  private String failure;

  private FtiEngine(Path shared, Path local, long node, boolean kept) {
    this.node = node;
    this.kept = kept;
    this.shared = shared;
    this.local = local;
    lock = new FolderLock(shared, "-D" + CheckpointConfig.DIR.property());
    RunFolders.lastRemoved(ordinal, CheckpointConfig.KEPT_RUNS); // refuses a wrong setting before there is work to lose
    makePlaces();
  }

  private void makePlaces() {
    for (int i = 0; i < PLACES; i++) {
      places[i] = new FtiPlace(i, RunFolders.of(shared, ordinal), RunFolders.of(local, ordinal), lock);
    }
  }

  /**
   * The engine with the job's settings, for a process on the node of that name. Local.
   *
   * @throws UnsupportedOperationException if FTI is not installed; the message says where it was looked for
   * @throws IllegalArgumentException if a setting is wrong that can be judged by itself
   */
  static FtiEngine ofJob(String nodeName) {
    OptionalHome.find("fti", Flavour.current());
    Path shared = real(Path.of(CheckpointConfig.DIR.value())).resolve("fti");
    Path local = Path.of(CheckpointConfig.LOCAL_DIR.value());
    boolean keep = CheckpointConfig.FTI_KEEP.booleanValue();
    // Jobs with different shared folders must not use the same folder on a node.
    String job = String.format("%016x", Partners.fingerprint(shared.toString()));
    FtiEngine engine =
        new FtiEngine(shared, real(local).resolve("fti-" + job), Partners.fingerprint(nodeName), keep);
    for (FtiPlace place : engine.places) {
      place.instance().load();
    }
    return engine;
  }

  /** Resolves links as far as the path exists: open files are recognised by their resolved names. */
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

  @Override
  public String name() {
    return "fti";
  }

  @Override
  public void bind(Comm newWorld) {
    comm = newWorld;
    world = null;
    writing = null;
    isHighestWanted = false; // a process that is new in this epoch has not heard of it
    failure = null;
    for (FtiPlace place : places) {
      place.forgetWorld();
    }
  }

  @Override
  public void ofRun(long newOrdinal) {
    if (newOrdinal != ordinal) {
      ordinal = newOrdinal;
      makePlaces();
    }
  }

  /** The first collective call in a world: see the protocol above. */
  private void open() {
    if (world != null) {
      for (FtiPlace place : places) {
        if (place.isTorn()) {
          begin(place, world, false);
        }
      }
      return;
    }
    FtiWorld opened = new FtiWorld(comm);
    int size = opened.ranks();
    long[] told = {node, saves, ranks};
    long[] all = new long[told.length * size];
    comm.allGather(Buf.wrap(told), Buf.wrap(all));
    long[] hosts = new long[size];
    boolean resized = false;
    for (int rank = 0; rank < size; rank++) {
      hosts[rank] = all[told.length * rank];
      saves = Math.max(saves, all[told.length * rank + 1]);
      resized |= all[told.length * rank + 2] != 0 && all[told.length * rank + 2] != size;
    }
    opened.rules().checkHosts(hosts);
    if (saves == 0 && opened.rank() == 0) {
      System.err.println("kintsugi: FTI: " + opened.rules().redundancy(hosts));
    }
    if (resized && opened.rank() == 0) {
      System.err.println("kintsugi: FTI: the world has another number of ranks than before, now " + size
          + ": the versions that are kept are of other ranks, and forgotten");
    }
    for (FtiPlace place : places) {
      begin(place, opened, resized); // a world of another size has other ranks: the versions kept so far belong to none of them
    }
    // Not before: after a problem the next call must begin with all of this again.
    world = opened;
    ranks = size;
  }

  private void begin(FtiPlace place, FtiWorld in, boolean fresh) {
    place.begin(in, fresh);
    if (!place.version().isNone()) {
      saves = Math.max(saves, place.header().save());
    }
  }

  private FtiPlace newest() {
    return places[1].version().compareTo(places[0].version()) > 0 ? places[1] : places[0];
  }

  @Override
  public String begin(Version version, Image image, boolean aside) {
    open();
    writing = newest() == places[0] && !places[0].version().isNone() ? places[1] : places[0];
    saves++;
    int level = isHighestWanted ? world.rules().highestLevel() : world.rules().levelOf(saves);
    ImageParts parts = ImageParts.of(ComposedImage.from(image), room);
    writing.header().fill(version, saves, world.rank(), image.bytes(), parts.checksum());
    String problem = null;
    try {
      writing.folders().checkSave(world.rules(), world.rank(), level, image.bytes());
    } catch (IOException e) {
      problem = "cannot save version " + version.number() + ": " + FtiPlace.explained(e);
    }
    // FTI must not begin on one rank an operation that it cannot begin on another: the ranks would then wait for each other in
    // different places.
    failure = world.reason(problem);
    writing.saving();
    if (failure == null) {
      problem = write(level, parts);
      if (problem != null) {
        writing.instance().release();
        problem = "cannot save version " + version.number() + " to " + writing.folders().shared() + ": it " + problem;
      }
      // Checkpoint reports the failure to the other ranks; on the fork they may not get that far.
      failure = Flavour.current() == Flavour.REINIT ? world.reasonOfFti(problem)
          : problem == null ? null : "rank " + world.rank() + " " + problem;
    }
    return levelName(level);
  }

  /**
   * Has FTI write. Collective.
   *
   * @return the error on this rank; null: none
   */
  private String write(int level, ImageParts parts) {
    if (!writing.instance().protect(writing.header().buf(), parts)) {
      return "was refused by FTI_Protect";
    }
    int code = writing.instance().checkpoint((int) (saves & Integer.MAX_VALUE), level);
    return code == FTI.FTI_DONE ? null : FtiInstance.problem("FTI_Checkpoint", code);
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
  public void commit(Version version) {
    writing.committed(version);
  }

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    open();
    return Arrays.stream(places).map(FtiPlace::version).filter(version -> !version.isNone()).filter(wanted).sorted().toList();
  }

  private FtiPlace placeOf(Version version) {
    for (FtiPlace place : places) {
      if (place.version().equals(version) && !version.isNone()) {
        return place;
      }
    }
    throw new IllegalArgumentException(version + " is in neither of FTI's places");
  }

  @Override
  public Buf fetch(Version version) {
    open();
    FtiPlace place = placeOf(version);
    if (place.isWritten()) {
      begin(place, world, false);
      if (!place.version().equals(version)) {
        throw new CheckpointException("rank " + world.rank() + " passes over version " + version.number()
            + ", which is lost: FTI cannot recover it from " + place.folders().local() + " or " + place.folders().shared());
      }
    }
    FtiInstance instance = place.instance();
    ImageHeader header = place.header();
    ImageParts parts = ImageParts.toRead(instance.storedBytes(), room);
    Buf padded = parts.whole();
    int code = instance.protect(header.buf(), parts) ? instance.recover() : FTI.FTI_NSCS;
    if (code != FTI.FTI_SCES || !header.isOf(world.rank()) || !header.version().equals(version) || header.bytes() > padded.bytes()
        || !header.matches(padded.slice(0, header.bytes()))) {
      throw new CheckpointException("rank " + world.rank() + " cannot read version " + version.number() + " from "
          + place.folders().local() + " or " + place.folders().shared() + ": it "
          + (code == FTI.FTI_SCES ? "got something else than was saved" : FtiInstance.problem("FTI_Recover", code)));
    }
    return padded.slice(0, header.bytes());
  }

  @Override
  public void resume(Version version) {
    for (FtiPlace place : places) {
      // A place whose version has not been read may have any.
      if (world == null || !place.version().isNone() && !place.version().isKeptWith(version)) {
        place.forget(comm.rank() == 0);
      }
    }
  }

  @Override
  public void drop(long number) {
    for (FtiPlace place : places) {
      // A torn place has a part of a version, which is dropped, as it was the last to be begun.
      if (world != null && (place.version().number() == number || place.isTorn())) {
        place.forget(world.rank() == 0);
      }
    }
  }

  /** FTI_Finalize would need a world, which is gone by now; beyond that it only removes FTI's files. */
  @Override
  public void saveOnHighestLevel() {
    isHighestWanted = true;
  }

  @Override
  public void close() {
    try {
      if (world != null && !kept) {
        for (FtiPlace place : places) {
          place.folders().removeLocal(world.rules(), world.rank());
          if (world.rank() == 0) {
            place.folders().removeShared();
          }
        }
        RunFolders.removeIfEmpty(local);
      }
      if (world != null && kept) {
        // By all ranks of a node.
        RunFolders.removeUpTo(local, RunFolders.lastRemoved(ordinal, CheckpointConfig.KEPT_RUNS), FtiEngine::isPlace);
      }
      if (world != null && kept && world.rank() == 0) {
        RunFolders.removeFinished(shared, ordinal, CheckpointConfig.KEPT_RUNS, FtiEngine::isPlace);
      }
    } catch (IOException e) {
      System.err.println("kintsugi: FTI's files cannot be removed: " + e);
    }
    leave();
  }

  private static boolean isPlace(String name) {
    return name.startsWith(FtiPlace.FOLDER);
  }

  @Override
  public void leave() {
    lock.close();
    room.close();
  }
}
