// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.checkpoint.internal.AllOrNone;
import org.kintsugi.checkpoint.internal.CheckpointAccess;
import org.kintsugi.checkpoint.internal.Lineage;
import org.kintsugi.checkpoint.internal.OutsideRun;
import org.kintsugi.checkpoint.internal.RunOrdinal;
import org.kintsugi.checkpoint.internal.WorldDuplicate;
import org.kintsugi.checkpoint.internal.image.ComposedImage;
import org.kintsugi.checkpoint.internal.image.InitialValues;
import org.kintsugi.checkpoint.internal.image.ProtectedTable;
import org.kintsugi.checkpoint.internal.proof.ProofRecord;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.collective.FailureExchange;
import org.kintsugi.mpi.internal.events.JobEvents;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Protects data and saves it, so that after a recovery every process can go back to the same version of it.
 *
 * <p>{@code protect} names the data of a version; after a rollback the body protects its new arrays. {@link #save} writes a
 * version, {@link #restore} brings back the newest that every process can get. Both are collective over the world. A failure
 * inside a save never costs the version before it. The job's configuration says where versions are kept ({@link
 * CheckpointConfig#STORE}); see {@link Engine}.
 *
 * <p>Each run of a program has versions of its own, by its ordinal: the program's first Reinit run, or first {@link #on}, is run
 * 1. A job that is started again has to make its runs in the same order.
 */
public final class Checkpoint extends Protection {
  private static final double FITS = 0;
  private static final double DAMAGED = 1;
  private static final double DIFFERENT = 2;

  static {
    CheckpointAccess.Provided.provide(new CheckpointInternals());
  }

  private final Engine engine;
  private final Lineage lineage;
  private final Advice advice = new Advice(CheckpointConfig.MTBF_SECONDS.longValue());
  private final Map<String, LevelCost> costs = new LinkedHashMap<>();

  /** The program's world of this epoch; null before the first. */
  private Comm given;

  /** Its duplicate, which all that is collective here goes over; null until the first of that in an epoch. */
  private Comm world;

  /** Counts the saves of the program, carried on through recoveries inside the images, so that all ranks have the same count. */
  private long save;

  /** The newest version of this life of the program; a save's number has to be larger. */
  private long newest = Version.NONE.number();

  /** Whether this epoch has restored, or has saved and with that begun anew. */
  private boolean begun;
  private final InitialValues initial = new InitialValues(CheckpointConfig.INITIAL);
  private final ProtectedTable table = new ProtectedTable();
  private PendingSave pending; // null: none
  private long restoreNanos;

  /** Null in a Reinit run, and where the code that made it binds it by itself. */
  private final OutsideRun outsideRun;

  /** With the ordinal of its run among the program's; {@code outsideRun} is null in a Reinit run. */
  Checkpoint(Engine engine, OutsideRun outsideRun, long ordinal) {
    this.engine = engine;
    this.outsideRun = outsideRun;
    lineage = new Lineage(ordinal);
  }

  /**
   * A checkpoint without a Reinit run, for a program that recovers by itself. Such a program uses
   * {@link Comm#revoke}, {@link Comm#shrink} and {@link Comm#agree}. The checkpoint has the job's
   * engine, as {@code run.checkpoint()} has, except {@code fti} and {@code scr}. Local.
   *
   * <p>A failure inside a save or a restore is thrown as {@link
   * org.kintsugi.mpi.MpiFaultException}, as from any call on the communicator. The program then
   * revokes the communicator, which interrupts the ranks that wait in this checkpoint. It makes
   * another communicator of the same size, in which survivors have their old ranks and replacements
   * those of the failed processes. A survivor calls {@link #moveTo} with it, a replacement calls
   * this method, and all restore. A smaller communicator cannot use the versions: those in memory
   * are forgotten, and files are refused.
   *
   * @param comm of the processes that save together; stays the caller's, and open until {@link #moveTo} or {@link #close}
   * @return to be closed by the caller
   * @throws IllegalStateException inside a Reinit run, and if this process has such a checkpoint already
   * @throws IllegalArgumentException if a setting is wrong
   * @throws UnsupportedOperationException with an engine that works in a Reinit run only
   */
  public static Checkpoint on(Comm comm) {
    Objects.requireNonNull(comm, "comm is null");
    Engine engine = Engines.engineOfJob(Mpi.current().processorName(), true);
    Checkpoint made = new Checkpoint(engine, OutsideRun.begin(), RunOrdinal.next());
    made.moveTo(comm);
    return made;
  }

  /**
   * Goes on with another communicator, after a failure that the program has recovered from. The
   * data stay protected, and must be restored. An unfinished save is abandoned. Local; every
   * process of the communicator calls it, or {@link #on} if it has no checkpoint yet.
   *
   * @param comm as in {@link #on}: of the same size as the one before, and this process has the same rank in it
   * @throws IllegalStateException if this is the checkpoint of a Reinit run, which has its world from there
   */
  public void moveTo(Comm comm) {
    if (outsideRun == null) {
      throw new IllegalStateException("moveTo is for a checkpoint that was made by Checkpoint.on: a Reinit run gives its own the "
          + "world of each epoch");
    }
    outsideRun.moveTo(Objects.requireNonNull(comm, "comm is null"));
    rebind(comm);
  }

  private void rebind(Comm newWorld) {
    given = newWorld;
    world = null;
    table.forget();
    pending = null;
    save = 0;
    newest = Version.NONE.number();
    begun = false;
    advice.forget();
    lineage.bind();
    if (outsideRun == null) {
      engine.bind(newWorld);
    } // otherwise once all have found that their ranks are the old ones: engines forget the data of another rank
  }

  /**
   * Before anything collective: a communicator of its own, on which no receive that the program has posted, of any source and
   * tag, takes a message of an engine, nor one of an engine the program's. Not when it is bound, which has to be quick.
   */
  private void open() {
    if (given == null) {
      throw new IllegalStateException("this checkpoint has no world yet");
    }
    if (world == null) {
      Comm duplicate = outsideRun == null ? WorldDuplicate.of(given) : outsideRun.duplicate();
      engine.bind(duplicate);
      engine.ofRun(lineage.agree(duplicate));
      if (outsideRun != null) {
        outsideRun.enterEpoch(lineage.epoch());
      }
      world = duplicate;
    }
  }

  /**
   * Saves a version. Collective; returns when every rank has it.
   *
   * @param version the program's own number, the same on all ranks and larger than the last one's; for instance the iteration to
   *     go on with
   * @throws IllegalArgumentException on every rank, if it is not; the version before is kept
   * @throws CheckpointException on every rank, if any rank could not write its part, or if its protected data could not be
   *     restored later because names, types or fixed lengths differ from the epoch's first restore or save; the version before
   *     is kept
   */
  public void save(long version) {
    announce("Checkpoint.save");
    begin(version, false);
    awaitSave();
  }

  /**
   * Saves a version while the program goes on: the data is copied aside, and may be changed when this returns. Collective. The
   * version counts when the next {@code save}, {@code saveAsync}, {@link #awaitSave} or {@link #restore} finds it complete: there
   * are never two in flight. Engines that can write only in the foreground (FTI, SCR, {@code xor}) do so here.
   *
   * @param version as in {@link #save}
   * @throws IllegalArgumentException as in {@link #save}, then for the version that was in flight; this one is not begun
   * @throws CheckpointException in the same way
   */
  public void saveAsync(long version) {
    announce("Checkpoint.saveAsync");
    begin(version, true);
  }

  /**
   * Announces a method that all ranks call, to be compared where the job is checked. A process that has caught a rollback must
   * not go on saving.
   */
  private void announce(String what) {
    if (given != null) {
      given.handle();
      Access.comms().announce(given, what);
    }
  }

  private void begin(long version, boolean aside) {
    awaitSave();
    open();
    long start = System.nanoTime();
    JobEvents.now().saving(version);
    if (!begun) {
      // The program begins anew without a restore: versions of earlier runs must never be taken for this one's.
      lineage.beginsUnasked(version, world);
      resume(Version.NONE, null);
    }
    pending = compose(version, aside);
    pending.heldUpNanos = System.nanoTime() - start;
    JobEvents.now().saved(pending.level, pending.bytes);
  }

  private PendingSave compose(long asked, boolean aside) {
    save++;
    CheckpointException failure = null;
    ComposedImage image;
    // All ranks refuse a number that is too small together, in awaitSave, because the program may
    // have passed another number on another rank. Until then this save must not be taken for the
    // older version that has the number.
    long version = Math.max(asked, newest + 1);
    try {
      table.requireAsBefore(data());
      image = asked > newest ? ComposedImage.of(save, data()) : ComposedImage.ofNothing(save);
    } catch (CheckpointException e) {
      // The engine's work is collective, so this rank takes part with an empty image. awaitSave
      // reports the failure to all ranks.
      failure = new CheckpointException("rank " + world.rank() + " cannot save version " + version + ": " + e.getMessage(), e);
      image = ComposedImage.ofNothing(save);
    }
    if (ProofRecord.OF_JOB != null) {
      ProofRecord.OF_JOB.save(lineage.ordinal(), asked, world.rank(), data(), image);
    }
    PendingSave begins = new PendingSave(asked, version, image.bytes());
    begins.failure = failure;
    try {
      begins.level = engine.begin(lineage.version(version), image, aside);
    } catch (CheckpointException e) {
      begins.failure = e;
    }
    return begins;
  }

  /**
   * Waits for the version that {@link #saveAsync} has begun; nothing to do if there is none. Collective.
   *
   * @throws CheckpointException as in {@link #save}
   */
  public void awaitSave() {
    PendingSave ends = pending;
    if (ends == null) {
      return;
    }
    pending = null;
    long start = System.nanoTime();
    JobEvents.now().saving(ends.version);
    try {
      engine.end();
    } catch (CheckpointException e) {
      ends.failed(e);
    }
    long nanosPerTurn = advice.nanosPerTurn();
    long nanos = ends.heldUpNanos + System.nanoTime() - start;
    // The last two are the largest and the smallest number that a rank was given.
    long[] worst = {ends.failure == null ? 0 : 1, nanos, nanosPerTurn, ends.asked, ~ends.asked};
    world.allReduce(Buf.wrap(worst), Op.MAX);
    if (worst[3] != ~worst[4] || worst[3] <= newest) {
      throw afterDropping(ends, refused(ends.asked, ~worst[4], worst[3]));
    }
    if (worst[0] != 0) {
      throw afterDropping(ends, FailureExchange.agree(world, ends.failure, CheckpointException::new));
    }
    engine.commit(lineage.version(ends.version));
    newest = ends.version;
    initial.forget();
    advice.saved(worst[1], worst[2]);
    double heldUp = (ends.heldUpNanos + System.nanoTime() - start) / 1e9;
    costs.merge(ends.level, new LevelCost(ends.level, 1, ends.bytes, heldUp), (sum, one) -> sum.plus(ends.bytes, heldUp));
    JobEvents.now().saved(ends.level, ends.bytes);
  }

  private IllegalArgumentException refused(long mine, long smallest, long largest) {
    return new IllegalArgumentException(smallest == largest
        ? "version " + mine + " is not larger than the last one, " + newest + ": a version's number says which of two is newer"
        : "rank " + world.rank() + " saves version " + mine + ", and the ranks' numbers go from " + smallest + " to " + largest
            + ": a version has the same number on all ranks. The version before it is kept");
  }

  /** Removes this rank's part of a save that failed on any rank. @return the failure, for the caller to throw */
  private <E extends RuntimeException> E afterDropping(PendingSave save, E failure) {
    try {
      engine.drop(save.version);
    } catch (CheckpointException e) {
      // Other ranks may not have this second failure, so all throw the first one, and this rank adds its own.
      failure.addSuppressed(e);
    }
    return failure;
  }

  /**
   * Brings back the newest version that every rank can get. Collective. A damaged version is named on standard error, and the
   * next older one is taken.
   *
   * <p>Before the first save of the run, a restore brings back the initial data, and the program
   * begins from its start. Arrays, buffers and objects with protected fields that were made outside
   * of the body, and all data with a getter and a setter, get the content and the lengths that they
   * had when this process called {@code restore} for the first time. Data that the body makes anew
   * stay as they are. This needs a copy of the data until the first version exists ({@link
   * CheckpointConfig#INITIAL}).
   *
   * @return its number; empty if there is none: the program begins from its start. If there was one and all copies of a part of
   *     it are lost (in-memory checkpoints), rank 0 says so on standard error, and the data stay as they are: the body has to set
   *     them back itself where it does not make them anew
   * @throws CheckpointException if the version's data are not those that are protected now: names and types are compared, and
   *     the lengths of data of fixed length
   */
  public OptionalLong restore() {
    announce("Checkpoint.restore");
    awaitSave();
    open();
    long start = System.nanoTime();
    JobEvents.now().restoring();
    OptionalLong restored = OptionalLong.empty();
    try {
      restored = restoreNewest();
      return restored;
    } finally {
      restoreNanos += System.nanoTime() - start;
      JobEvents.now().restored(restored.orElse(-1), engine.name());
    }
  }

  private OptionalLong restoreNewest() {
    List<Version> versions = engine.versions(lineage::accepts);
    for (int i = versions.size() - 1; i >= 0; i--) {
      if (restore(versions.get(i))) {
        table.note(data());
        return OptionalLong.of(versions.get(i).number());
      }
    }
    engine.refuseLoss();
    resume(Version.NONE, null);
    AllOrNone.run(world, () -> initial.beginFromStart(world, data()));
    table.note(data());
    return OptionalLong.empty();
  }

  /** Whether it came back; if not, it is damaged on some rank. */
  private boolean restore(Version version) {
    Buf image = null;
    String difference = null;
    double verdict = FITS;
    try {
      image = engine.fetch(version);
      if (ComposedImage.isVoid(image)) {
        throw new CheckpointException(
            "rank " + world.rank() + " passes over version " + version.number() + ", which it could not compose");
      }
      difference = ComposedImage.mismatch(data(), image);
      verdict = difference == null ? FITS : DIFFERENT;
    } catch (CheckpointException e) {
      System.err.println("kintsugi: " + e.getMessage());
      verdict = DAMAGED;
    }
    double worst = world.allReduce(verdict, Op.MAX);
    if (worst == DIFFERENT) {
      throw FailureExchange.agree(world, difference == null ? null : new CheckpointException(
          "version " + version.number() + " of rank " + world.rank() + " is not what is protected now.\n" + difference),
          CheckpointException::new);
    }
    if (worst == DAMAGED) {
      return false;
    }
    save = ComposedImage.saveOf(image);
    resume(version, image);
    initial.forget();
    return true;
  }

  private void readBack(Version version, Buf image) {
    try {
      ComposedImage.readInto(data(), image);
    } catch (CheckpointException e) {
      throw new CheckpointException("rank " + world.rank() + " cannot bring back version " + version.number() + ": "
          + e.getMessage(), e);
    }
  }

  /**
   * The next version is saved only when no rank has any that is newer than this one.
   *
   * @param image what the program's data becomes; null if it stays
   */
  private void resume(Version version, Buf image) {
    if (image != null) {
      // First, and agreed on: were one rank to fail in it, the others would be alone in what the engine does together.
      AllOrNone.run(world, () -> readBack(version, image));
    }
    AllOrNone.run(world, () -> engine.resume(version));
    lineage.goOnFrom(version, world);
    newest = version.number();
    begun = true;
  }

  /**
   * The versions that {@link #restore} would try. Collective.
   *
   * @return their numbers, the oldest first; the same on all ranks
   */
  public List<Long> versions() {
    announce("Checkpoint.versions");
    awaitSave();
    open();
    return engine.versions(lineage::accepts).stream().map(Version::number).toList();
  }

  /**
   * Forgets a version; nothing happens if there is none of that number. Collective.
   *
   * @param version the number that it was saved with
   */
  public void drop(long version) {
    announce("Checkpoint.drop");
    awaitSave();
    open();
    if (!begun) {
      // The engine does not know yet what there is.
      engine.versions(lineage::accepts);
    }
    AllOrNone.run(world, () -> engine.drop(version));
  }

  /**
   * Whether the next save is due, for the loop: {@code if (checkpoint.needed()) checkpoint.save(i + 1)}. The interval is Daly's
   * optimum ({@link Interval#daly}) for what a save was measured to cost on the slowest rank and the mean time between failures
   * of {@link CheckpointConfig#MTBF_SECONDS}; where saves cost differently, as levels do, it is their mean in this epoch. All
   * ranks have to call it equally often, and get the same answer; it does not communicate, and asks no library. The first call in
   * an epoch says yes; with {@link #saveAsync} the second as well, as what a save costs is known when it has been waited for.
   *
   * @return the same answer on all ranks
   */
  public boolean needed() {
    return advice.isDue();
  }

  /**
   * The costs of this process's saves, by level.
   *
   * @return one for each level that was used, in the order of first use; does not change
   */
  public List<LevelCost> costs() {
    return List.copyOf(costs.values());
  }

  /**
   * How many versions this process has saved.
   *
   * @return of all epochs together
   */
  public long saves() {
    return costs.values().stream().mapToLong(LevelCost::saves).sum();
  }

  /**
   * Bytes of this process's images, all saves together.
   *
   * @return bytes, without the copies that others keep of them
   */
  public long bytesSaved() {
    return costs.values().stream().mapToLong(LevelCost::bytes).sum();
  }

  /**
   * For how long saves and restores have held up this process.
   *
   * @return seconds, of all epochs together
   */
  public double seconds() {
    return restoreNanos / 1e9 + costs.values().stream().mapToDouble(LevelCost::seconds).sum();
  }

  /**
   * The engine in use.
   *
   * @return its name, with its levels
   */
  public String engine() {
    return engine.name();
  }

  /**
   * Ends the checkpoint after the job's work; versions in memory are gone. Collective, if the epoch is still open. Called by the
   * run that owns it, or by the program that made it by {@link #on}.
   */
  public void close() {
    if (outsideRun != null) {
      awaitSave();
    }
    engine.close();
    initial.drop();
    if (outsideRun != null) {
      outsideRun.end();
    } else if (world != null) {
      world.close();
    }
    world = null;
  }

  /** See {@link CheckpointAccess#bind}. */
  @InRecovery
  void bind(Comm newWorld) {
    rebind(Objects.requireNonNull(newWorld, "world is null"));
    data().clear();
  }

  /** See {@link CheckpointAccess#rehearse}. */
  void rehearse() {
    engine.rehearse();
  }

  /** See {@link CheckpointAccess#saveOnHighestLevel}. */
  void saveOnHighestLevel() {
    engine.saveOnHighestLevel();
  }

  /** See {@link CheckpointAccess#leave}. */
  void leave() {
    engine.leave();
    initial.drop();
  }
}
