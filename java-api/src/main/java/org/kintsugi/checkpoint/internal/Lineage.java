// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.internal;

import java.util.SplittableRandom;
import org.kintsugi.checkpoint.engine.Attempt;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.internal.launcher.CallTrace;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * Decides which versions belong to this run, so that an earlier run's do not come back. Each part of a version records the {@link
 * Attempt} that saved it; a restore takes only versions of the run's own attempts. Every job begins undecided: its first restore
 * takes the newest complete version, whichever job saved it, so that a job that is started again continues. After that it takes
 * only versions of its own run. A process has one object, which survives all recoveries.
 *
 * <p>Two runs, or two attempts of one run, use the same numbers for different data. Versions of an
 * older attempt may still be in a folder when a newer attempt restores: that level was not searched
 * yet, or a loss of power has undone a removal. So every part of a version records, on every level,
 * the {@link Attempt} that saved it, and a restore compares that.
 *
 * <p>An engine finds only versions of this run, and of the runs with the same ordinal in earlier
 * jobs: each run of a program has folders of its own ({@link RunOrdinal}).
 *
 * <p>The protocol:
 * <ol>
 *   <li>In every epoch, before any other collective, the ranks exchange the last attempt that each knows, and use the latest. So
 *       replacements get it, and ranks that a failure interrupted before they got it.
 *   <li>While no rank knows an attempt, the run is undecided. A restore then takes the newest
 *       complete version of any run: this is how a restarted job finds the versions of the job
 *       before. From then on a restore takes only versions of the same run.
 *   <li>A version is complete if every rank has a part of it with the same attempt and number. The
 *       newer of two versions is the one with the later attempt: a later attempt has begun from the
 *       newest version that existed, so a version with a higher number that it did not restore does
 *       not belong to its past.
 *   <li>When the program goes on, from a version or from its start, every rank first forgets all
 *       versions of other runs and all newer ones. When all have done so, rank 0 makes a new
 *       attempt and sends it to all: it belongs to the run of the restored version, or to a new run
 *       if the program begins from its start. All later saves carry it.
 * </ol>
 *
 * <p>After a failure between the last two steps, some ranks know an attempt that others do not
 * know. Then no version of it is complete, as a save is complete only if all have taken part. If a
 * rank that knows the attempt survives, all use it, and miss no version of older runs, because all
 * had forgotten these before. If none survives, another attempt is made, and its mark differs.
 *
 * <p>An attempt's order is the clock's milliseconds, or the order of the latest known attempt plus
 * one if the clock is not beyond that. So only attempts of jobs that have never seen each other's
 * versions depend on the clock.
 */
public final class Lineage {
  private static final int EPOCHS = 3;
  private static final int ORDINAL = 4;

  private Attempt current = Attempt.NONE;

  /** The number of epochs in which this process took part. */
  private long epochs;

  /** The highest such number of all processes in this epoch's world. */
  private long mostEpochs;

  /** Which of the program's runs this is. */
  private long ordinal;

  /** For a run with this ordinal, as far as this process knows ({@link RunOrdinal}). */
  public Lineage(long ordinal) {
    this.ordinal = ordinal;
  }

  /** Which of the program's runs this is, from 1, as far as this process knows. */
  public long ordinal() {
    return ordinal;
  }

  /** A new epoch begins. Local. */
  @InRecovery
  public void bind() {
    epochs++;
  }

  /**
   * Takes the latest attempt, and the highest counts, that any rank knows. Collective, once in an epoch.
   *
   * @return the ordinal of this run among the program's, the same on all ranks
   */
  public long agree(Comm world) {
    GatheredNumbers all = GatheredNumbers.byAll(world, current.run(), current.order(), current.mark(), epochs, ordinal);
    mostEpochs = 0;
    for (int rank = 0; rank < world.size(); rank++) {
      Attempt known = new Attempt(all.of(rank, 0), all.of(rank, 1), all.of(rank, 2));
      current = known.compareTo(current) > 0 ? known : current;
      mostEpochs = Math.max(mostEpochs, all.of(rank, EPOCHS));
      ordinal = Math.max(ordinal, all.of(rank, ORDINAL));
    }
    RunOrdinal.raise(ordinal);
    return ordinal;
  }

  /** The number of epochs so far, this one included, as {@link #agree} has found it: the same on all ranks. Local. */
  public long epoch() {
    return mostEpochs;
  }

  /** Whether a restore may take a version. Local, with the same answer everywhere. */
  public boolean accepts(Version version) {
    return isUndecided() || version.attempt().run() == current.run();
  }

  private boolean isUndecided() {
    return current.equals(Attempt.NONE);
  }

  /**
   * The program saves without having called {@code restore} in this epoch, so it begins from its start. Local. After a failure
   * rank 0 prints a warning: usually the call is missing, and survivors may still have data that replacements lack.
   *
   * @param number of the version that is about to be saved
   */
  public void beginsUnasked(long number, Comm world) {
    if (!isUndecided() && mostEpochs > 1 && world.rank() == 0) {
      CallTrace.Site site = CallTrace.site(true);
      System.err.println("kintsugi: version " + number + " is saved after a recovery, and restore() was not called: what this "
          + "run has saved before is abandoned. To keep it, call restore() at the beginning of the body, after the "
          + "calls of protect. The save: " + site.call() + ", " + site.line());
    }
  }

  /**
   * Begins a new attempt: the program goes on from a version, or from its start. Collective, after all ranks have forgotten the
   * versions that {@link Version#isKeptWith} does not keep.
   *
   * @param from {@link Version#NONE}: the program begins from its start
   */
  public void goOnFrom(Version from, Comm world) {
    if (isUndecided() && !from.isNone() && world.rank() == 0) {
      // Meant by who starts a job again, and a surprise to who runs another one in the same folder.
      System.err.println("kintsugi: the program goes on from version " + from.number() + " of an earlier run"
          + (mostEpochs > 1 ? ", as this one had neither saved nor restored anything before its failure" : ""));
    }
    // Not a broadcast: no rank may be in the next save before another has come here.
    long[] made = world.rank() == 0 ? next(from) : new long[] {Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE};
    world.allReduce(Buf.wrap(made), Op.MAX);
    current = new Attempt(made[0], made[1], made[2]);
  }

  private long[] next(Version from) {
    SplittableRandom random = new SplittableRandom();
    long before = Math.max(current.order(), from.attempt().order());
    long run = from.isNone() ? random.nextLong() : from.attempt().run();
    return new long[] {run, Math.max(System.currentTimeMillis(), before + 1), random.nextLong()};
  }

  /** The name of a version that this attempt saves. */
  public Version version(long number) {
    return new Version(current, number);
  }
}
