// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.kintsugi.checkpoint.LongRef;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.reinit.Reinit;
import org.kintsugi.reinit.Run;
import org.kintsugi.test.RankJob;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs on ranks: random calls of MPI in every form, each compared with its definition on every rank, all memory byte by byte.
 *
 * <p>The first difference ends the job, with the seed, the call's number and the whole call; {@code --only NUMBER} with the same
 * seed and number of ranks makes it again. With {@code --deaths} the calls are made in a run that saves its progress, for
 * {@code jmpirun --kill}.
 */
@Command(name = "RandomCalls")
public final class RandomCalls implements Callable<Integer> {
  /** The number of calls after which new communicators are made. */
  private static final int CALLS_PER_TEAMS = 200;
  private static final int SAVE_EVERY = 100;
  private static final int BUFFERED_BYTES = 64 << 20;
  private static final long LATE_SECONDS = 20;

  @Option(names = "--seed", required = true, description = "of all calls")
  private long seed;

  @Option(names = "--calls", required = true, description = "how many")
  private int calls;

  @Option(names = "--first", description = "the number of the first one")
  private int first;

  @Option(names = "--only", description = "this one alone")
  private Integer only;

  @Option(names = "--deaths", description = "in a run that recovers")
  private boolean isInRun;

  @Option(names = "--trace", description = "print each call before it is made")
  private boolean isTraced;

  @Option(names = "--without", description = "a regular expression: no operation whose text has it")
  private List<Pattern> without = new ArrayList<>();

  @Option(names = "--off-heap", description = "no Java arrays")
  private boolean isOffHeap;

  @Parameters(arity = "0..1", description = "the folder for reports, which the test names")
  private String folder;

  private final Map<String, int[]> counts = new TreeMap<>();
  private volatile Call current;
  private volatile long beganNanos;

  private RandomCalls() {}

  /** Arguments: see {@code make calls}. */
  public static void main(String[] args) {
    int code = new CommandLine(new RandomCalls()).setExecutionExceptionHandler((e, line, result) -> {
      throw e;
    }).execute(args);
    if (code != 0) {
      System.exit(code);
    }
  }

  @Override
  public Integer call() throws Exception {
    if (only != null) {
      first = only;
      calls = 1;
    }
    Mpi.run(new String[0], mpi -> {
      mpi.attachBuffer(BUFFERED_BYTES);
      watch();
      if (isInRun) {
        Reinit.run(mpi, this::inRun);
      } else {
        series(mpi.world(), first, null, null);
      }
      mpi.detachBuffer();
    });
    return 0;
  }

  private void inRun(Run run) {
    LongRef done = run.checkpoint().longRef("done");
    int next = (int) run.checkpoint().restore().orElse(first);
    if (done.get() != next - first) {
      throw new WrongException(done.get() + " calls are restored, and " + (next - first) + " were saved");
    }
    series(run.world(), next, run, done);
  }

  private void series(Comm world, int next, Run run, LongRef done) {
    Kinds kinds = new Kinds(without);
    Teams teams = null;
    for (int number = next; number < first + calls; number++) {
      if (teams == null || number % CALLS_PER_TEAMS == 0) {
        if (teams != null) {
          teams.close();
        }
        teams = new Teams(world, new SplittableRandom(mix(seed, -1 - number / CALLS_PER_TEAMS)));
      }
      if (run != null) {
        run.iteration(number);
      }
      make(new Call(seed, number, world.rank(), world.size(), teams, kinds, !isOffHeap));
      if (done != null) {
        done.add(1);
        if ((number + 1 - first) % SAVE_EVERY == 0) {
          run.checkpoint().save(number + 1);
        }
      }
    }
    if (teams != null) {
      teams.close();
    }
    report(world);
  }

  private void make(Call call) {
    if (isTraced) {
      System.out.println(call);
    }
    beganNanos = System.nanoTime();
    current = call;
    try {
      call.run();
    } catch (MpiFaultException e) {
      throw e;
    } catch (WrongException | MpiException | IllegalArgumentException | IllegalStateException | IndexOutOfBoundsException
        | UnsupportedOperationException | NullPointerException e) {
      throw described(call, e);
    }
    current = null;
    for (Operation one : call.operations()) {
      String forms = one.team.isInter() ? "between groups" : "in a group";
      counts.computeIfAbsent(one.name() + ", " + one.form + ", " + forms, key -> new int[2])[one.isRefused() ? 1 : 0]++;
    }
  }

  private WrongException described(Call call, RuntimeException e) {
    WrongException wrong = call.wrong(e);
    System.out.println("WRONG: seed " + seed + ", " + wrong.getMessage());
    System.out.flush();
    return wrong;
  }

  private void report(Comm world) {
    if (world.rank() != 0) {
      return;
    }
    int made = 0;
    int refused = 0;
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, int[]> one : counts.entrySet()) {
      int[] count = one.getValue();
      made += count[0];
      refused += count[1];
      text.append(String.format("%7d  %s%s%n", count[0], one.getKey(), count[1] == 0 ? "" : "; refused: " + count[1]));
    }
    text.append(String.format("%d ranks, seed %d: %d calls, %d operations as defined, %d refused as they must be", world.size(),
        seed, calls, made, refused));
    System.out.println(text);
    if (folder != null) {
      RankJob.report(folder, "calls", made + " " + refused);
    }
  }

  /** Says which call takes long: it hangs. */
  private void watch() {
    Thread watch = new Thread(() -> {
      Call said = null;
      while (true) {
        try {
          TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
          return;
        }
        Call now = current;
        if (now != null && now != said && System.nanoTime() - beganNanos > TimeUnit.SECONDS.toNanos(LATE_SECONDS)) {
          said = now;
          System.out.println("LATE: seed " + seed + ", " + now);
        }
      }
    });
    watch.setDaemon(true);
    watch.start();
  }

  /** Numbers that look random for each pair. */
  static long mix(long seed, long number) {
    long mixed = seed * 0x9E3779B97F4A7C15L + number * 0xD1B54A32D192ED03L;
    mixed = (mixed ^ mixed >>> 32) * 0xBF58476D1CE4E5B9L;
    return mixed ^ mixed >>> 29;
  }
}
