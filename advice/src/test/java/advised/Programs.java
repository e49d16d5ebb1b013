// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package advised;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.reinit.Run;

/** Programs whose answer is known. */
public final class Programs {
  static final int STEPS = 6;

  private Programs() {}

  /** A static field that grows, an array that does, and one that is overwritten before it is read. */
  public static final class Sums implements Body {
    static double total;
    private final double[] grown = new double[4];
    private final double[] scratch = new double[4];
    private final double[] constant = {1, 2, 3, 4};

    @Override
    public void run(Run run) {
      for (long i = 0; i < STEPS; i++) {
        run.iteration(i);
        total += i + 1;
        for (int k = 0; k < scratch.length; k++) {
          scratch[k] = constant[k] * i;
        }
        for (int k = 1; k < scratch.length; k++) {
          grown[k] += scratch[k] + 1;
        }
      }
    }
  }

  /** Two arrays that change places: the program reads only what was written as the other one. */
  public static final class Swapped implements Body {
    private double[] now = {1, 2, 3};
    private double[] next = new double[3];

    @Override
    public void run(Run run) {
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        for (int k = 0; k < now.length; k++) {
          next[k] = now[k] * 2;
        }
        double[] other = now;
        now = next;
        next = other;
      }
    }
  }

  /** Both arrays are protected, and not which of them is which. */
  public static final class Exchanged implements Body {
    @Override
    public void run(Run run) {
      double[] now = {1, 2, 3};
      double[] next = new double[3];
      Items.protect("one", 0, now);
      Items.protect("other", 0, next);
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        for (int k = 0; k < now.length; k++) {
          next[k] = now[k] * 2;
        }
        double[] last = now;
        now = next;
        next = last;
      }
    }
  }

  /** Two local variables that change places, of which one only gets what the other one has computed. */
  public static final class Buffers implements Body {
    @Override
    public void run(Run run) {
      double[] one = new double[3];
      double[] two = new double[3];
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        Arrays.fill(one, i);
        System.arraycopy(one, 0, two, 0, one.length);
        Arrays.sort(two);
        double[] other = one;
        one = two;
        two = other;
      }
    }
  }

  /** A local variable that a lambda has captured, and one of the method with the loop. */
  public static final class Captured implements Body {
    @Override
    public void run(Run run) {
      double[] state = {0};
      float factor = 1;
      Runnable step = () -> state[0] += 1.5;
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        step.run();
        factor = factor * 1.5f;
      }
    }
  }

  /** Objects that refer to each other. */
  public static final class Cycle implements Body {
    /** One of them. */
    static final class Node {
      Node next;
      long value;
    }

    @Override
    public void run(Run run) {
      Node first = new Node();
      first.next = new Node();
      first.next.next = first;
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        first.next.value = first.next.value * 3 + 1;
      }
    }
  }

  /** Caches that are filled when they are needed. */
  public static final class Caches implements Body {
    private final double[] roots = new double[8];
    private double[] table;
    private final Map<Integer, String> names = new HashMap<>();

    @Override
    public void run(Run run) {
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        int k = i % 3 + 1;
        if (roots[k] == 0) {
          roots[k] = Math.sqrt(k);
        }
        if (table == null) {
          table = new double[] {1, 2, 3, 4};
        }
        names.computeIfAbsent(k, String::valueOf);
        require(roots[k] > 0 && table[k] > 0 && names.get(k) != null);
      }
    }
  }

  /** Objects of the JDK that change. */
  public static final class Opaque implements Body {
    private final List<Integer> log = new ArrayList<>();
    private final List<Integer> scratch = new ArrayList<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private final Random random = new Random(1);
    private final SplittableRandom other = new SplittableRandom(1);
    private final Iterator<Integer> names = List.of(1, 2, 3, 4, 5, 6, 7, 8).iterator();
    private final AtomicLong counter = new AtomicLong();
    private final List<Integer> constant = List.of(3, 4);

    @Override
    public void run(Run run) {
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        scratch.clear();
        scratch.add(i);
        log.addAll(scratch);
        counts.merge(i % 2, 1, Integer::sum);
        require(random.nextDouble() < 1 && other.nextDouble() < 1 && names.next() > 0 && constant.get(0) == 3);
        IntStream.range(0, 8).parallel().forEach(k -> counter.incrementAndGet());
      }
    }
  }

  /** What the head of the loop reads, and what only the code after the loop does. */
  public static final class Ends implements Body {
    private boolean isDone;
    private double last;

    @Override
    public void run(Run run) {
      int i = 0;
      while (!isDone) {
        run.iteration(i);
        i++;
        last = Math.sqrt(i);
        isDone = i == STEPS;
      }
      require(last > 1);
    }
  }

  /** The loop calls a method that marks the iteration, and is itself in another loop. */
  public static final class Nested implements Body {
    private double outer;
    private double inner;

    @Override
    public void run(Run run) {
      for (int i = 0; i < 3; i++) {
        outer += 1.5;
        inner = 0;
        for (int k = 0; k < STEPS; k++) {
          step(run, i * STEPS + k);
        }
      }
    }

    private void step(Run run, int number) {
      run.iteration(number);
      double temporary = number;
      inner += temporary;
    }
  }

  /** Some data are protected: by a getter, by identity, as an object with all that it refers to. */
  public static final class Protected implements Body {
    private double sum;
    private double[] present = {1};
    private final double[] constant = {1, 2};
    private final List<double[]> rows = new ArrayList<>(List.of(new double[1]));
    private double left;

    @Override
    public void run(Run run) {
      Items.protect("sum", 0, () -> sum, false);
      Items.protect("present", 0, () -> present, false);
      Items.protect("constant", 0, constant);
      Items.protect("rows", 0, () -> rows, true);
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        sum += constant[0] + i;
        present = new double[] {present[0] * 2};
        rows.get(0)[0] += 1.5;
        left += 2.5;
      }
    }
  }

  /** A field that counts as the loop does: nothing sets it after a restore. */
  public static final class Counting implements Body {
    private int steps;
    private double mean;

    @Override
    public void run(Run run) {
      Items.protect("mean", 0, () -> mean, false);
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        steps++;
        mean += (1.5 * i - mean) / steps;
      }
    }
  }

  /** Fields of an object that a local variable refers to, and one of an object of which only the JDK has a reference. */
  public static final class Fields implements Body {
    /** Sums of what comes. */
    static final class Stats {
      double mean;
      int count;
      boolean isOdd;
      private double[] history = {0};
    }

    @Override
    public void run(Run run) {
      Stats stats = new Stats();
      ProgramsApart apart = new ProgramsApart();
      List<ProgramsApart> some = List.of(new ProgramsApart());
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        stats.count += i;
        stats.mean += (1.5 * i - stats.mean) / (1 + stats.count);
        stats.isOdd = stats.isOdd ^ stats.mean > 1;
        stats.history = new double[] {stats.history[0] + stats.mean};
        apart.add(i);
        some.get(0).count();
      }
    }
  }

  /** Getters that read a number from which, or from one more, the length of what they return follows; one that packs numbers. */
  public static final class Getters implements Body {
    private final double[] values = new double[STEPS + 1];
    private final double[] pairs = new double[2 * STEPS];
    private int count;
    private int last = -1;
    private double time;
    private long steps;

    @Override
    public void run(Run run) {
      Items.protect("values", 0, () -> Arrays.copyOf(values, last + 2), false);
      Items.protect("pairs", 0, () -> Arrays.copyOf(pairs, 2 * count), false);
      Items.protect("clock", 0, () -> new double[] {time, steps}, false);
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        values[last + 1] = (last < 0 ? 0.3 : values[last]) * 1.5;
        last += 1;
        pairs[2 * count] = values[last];
        count += 1;
        time += pairs[2 * count - 2] + pairs[0];
        steps += 3;
      }
    }
  }

  /** The item saves one of two arrays that change places. */
  public static final class HalfProtected implements Body {
    private double[] now = {1, 2, 3};
    private double[] next = new double[3];

    @Override
    public void run(Run run) {
      Items.protect("now", 0, now);
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        for (int k = 0; k < now.length; k++) {
          next[k] = now[k] * 2;
        }
        double[] other = now;
        now = next;
        next = other;
      }
    }
  }

  /** Two items that save the same object. */
  public static final class Shared implements Body {
    private final Node first = new Node();
    private Node present = first;

    /** What both refer to. */
    static final class Node {
      private double value;
    }

    @Override
    public void run(Run run) {
      Items.protect("first", 0, () -> first, true);
      Items.protect("present", 0, () -> present, true);
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        present.value += 1.5;
      }
    }
  }

  /** State that is neither in fields nor in arrays: a value of the thread, a file. */
  public static final class Elsewhere implements Body {
    private static final ThreadLocal<Integer> LEVEL = ThreadLocal.withInitial(() -> 1);
    private static final ThreadLocal<double[]> SUMS = ThreadLocal.withInitial(() -> new double[1]);

    @Override
    public void run(Run run) {
      Path file = Path.of(System.getProperty("java.io.tmpdir"), "kintsugi-advice-" + ProcessHandle.current().pid());
      try {
        Files.writeString(file, "0");
        for (int i = 0; i < STEPS; i++) {
          run.iteration(i);
          LEVEL.set(LEVEL.get() + i);
          SUMS.get()[0] += 1.5;
          Files.writeString(file, Files.readString(file) + i);
        }
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A class that the loop initialises, a method reference, random numbers without a seed. */
  public static final class Late implements Body {
    private final LongAdder sum = new LongAdder();

    /** Is initialised in the first iteration. */
    static final class Table {
      static final double[] VALUES = made();
      static int factor = 3;

      private Table() {}

      private static double[] made() {
        double[] values = new double[3];
        for (int i = 0; i < values.length; i++) {
          values[i] = i + 1;
        }
        return values;
      }
    }

    @Override
    public void run(Run run) {
      long i = 0;
      while (i < STEPS) {
        run.iteration(i++);
        List.of(1, 2).forEach(sum::add);
        require(Table.VALUES[1] * Table.factor == 6 && Math.random() < 1);
      }
      require(sum.sum() > 0);
    }
  }

  /** Code that is hard to instrument: two slots, constructors, exceptions, all types of arrays. */
  public static final class Types implements Body {
    private static final Object LOCK = new Object();
    private final byte[] bytes = new byte[2];
    private final boolean[] flags = new boolean[2];
    private final char[] chars = new char[2];
    private final short[] shorts = new short[2];
    private final int[] ints = new int[2];
    private final long[] longs = new long[2];
    private final float[] floats = new float[2];
    private final String[] texts = {"a", "b"};
    private final int[][] rows = new int[2][3];

    /** An object whose constructor has arguments that it computes. */
    static final class Pair {
      final long first;
      final double second;

      Pair(long first, double second) {
        this(new double[] {first, second}, first > 2 ? 1 : 2);
      }

      Pair(double[] both, int factor) {
        first = (long) both[0] * factor;
        second = both[1];
      }
    }

    private Pair pair = new Pair(1, 2);

    @Override
    public void run(Run run) {
      for (int i = 0; i < STEPS; i++) {
        run.iteration(i);
        synchronized (LOCK) {
          bytes[0]++;
          flags[0] = !flags[0];
          chars[0]++;
          shorts[0] += 2;
          ints[0] += 3;
          longs[0] += 4L;
          floats[0] += 5f;
          texts[0] = texts[0] + i;
          rows[1][2] += 1;
        }
        pair = new Pair(pair.first + 1, pair.second * 2);
        try {
          ints[ints.length] = 1;
        } catch (ArrayIndexOutOfBoundsException expected) {
          ints[1] = i;
        }
      }
    }
  }

  static void require(boolean condition) {
    if (!condition) {
      throw new IllegalStateException("the program has another result than without the agent");
    }
  }
}
