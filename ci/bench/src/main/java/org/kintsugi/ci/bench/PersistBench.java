// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.ci.bench.PersistHeat.Case;
import org.kintsugi.ci.figures.Recorder;
import org.kintsugi.launch.Job;
import org.kintsugi.launch.spec.JobSpec;
import org.kintsugi.runtime.MpiHome;
import org.kintsugi.test.TemporaryFolder;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Figures 9 and 10 of the paper on persistent communicators: the time of the heat equation with persisting over that without, by
 * the interval between two states and by the size of the problem, each with the paper's model fitted: T(x) = (x + c)/x.
 */
public final class PersistBench {
  private static final String SCR = "scr";

  /**
   * One point.
   *
   * @param x the interval in steps, or the size in points of a process
   * @param ratio mean over the repetitions of the time with persisting over the mean time without
   * @param error standard error of the ratio
   */
  public record Point(double x, double ratio, double error) {}

  /**
   * A curve and the model fitted to it.
   *
   * @param c of T(x) = (x + c)/x
   * @param error standard error of c
   */
  public record Curve(String store, List<Point> points, double c, double error) {
    /** The least squares fit: T - 1 is linear in 1/x, without a constant. */
    public static Curve fit(String store, List<Point> points) {
      double sumXy = 0;
      double sumXx = 0;
      for (Point point : points) {
        sumXy += (point.ratio - 1) / point.x;
        sumXx += 1 / (point.x * point.x);
      }
      double c = sumXy / sumXx;
      double residual = 0;
      for (Point point : points) {
        double difference = point.ratio - 1 - c / point.x;
        residual += difference * difference;
      }
      return new Curve(store, points, c, Math.sqrt(residual / Math.max(1, points.size() - 1) / sumXx));
    }
  }

  private static final int RANKS = 2;
  private static final int ROWS = 100;
  private static final long TIMEOUT_SECONDS = 420;

  /** Another repetition is begun only if it should end by then. */
  private static final double LIMIT_SECONDS = 500;

  private final MpiHome mpi;
  private final Path target;
  private final List<String> stores;
  private final int[] intervals;
  private final int[] rows;
  private final int steps;
  private final int repetitions;
  private int made;

  /**
   * With the paper's ten repetitions, or as many as ten minutes have room for, or short: to see that it works.
   *
   * @param scr whether the store {@code scr} is measured as well, which needs the library
   */
  public PersistBench(MpiHome mpi, Path target, boolean quick, boolean scr) {
    this.mpi = mpi;
    this.target = target;
    stores = new ArrayList<>(quick ? List.of("memory", "file") : List.of("memory", "file", "jdbc"));
    if (scr) {
      stores.add(SCR);
    }
    intervals = quick ? new int[] {1, 8} : new int[] {1, 2, 3, 5, 10, 20, 50};
    rows = quick ? new int[] {20, 80} : new int[] {10, 25, 50, 100, 200, 400};
    steps = quick ? 40 : 150;
    repetitions = quick ? 1 : 10;
  }

  private static Case plain(int height, int steps) {
    return new Case(Case.NONE, height, 0, steps);
  }

  /** Runs it, prints two tables, writes two plots. @return what goes into bench.json */
  public Map<String, Object> run() throws IOException {
    Map<Case, double[]> seconds = new LinkedHashMap<>();
    seconds.put(plain(ROWS, steps), new double[repetitions]);
    for (int height : rows) {
      seconds.put(plain(height, steps), new double[repetitions]);
    }
    for (String store : stores) {
      for (int interval : intervals) {
        seconds.put(new Case(store, ROWS, interval, steps), new double[repetitions]);
      }
      for (int height : rows) {
        seconds.put(new Case(store, height, 1, steps), new double[repetitions]);
      }
    }
    // A job for each repetition, with the cases in turn, so that noise hits all alike.
    long begin = System.nanoTime();
    double elapsed = 0;
    for (made = 0; made < repetitions && elapsed * (made + 1) <= LIMIT_SECONDS * made; made++) {
      List<Double> measured = secondsPerStep(List.copyOf(seconds.keySet()));
      int next = 0;
      for (double[] of : seconds.values()) {
        of[made] = measured.get(next++);
      }
      elapsed = (System.nanoTime() - begin) / 1e9;
    }
    seconds.replaceAll((one, all) -> Arrays.copyOf(all, made));
    List<Curve> byInterval = new ArrayList<>();
    List<Curve> bySize = new ArrayList<>();
    for (String store : stores) {
      List<Point> points = new ArrayList<>();
      for (int interval : intervals) {
        points.add(point(interval, seconds.get(new Case(store, ROWS, interval, steps)), seconds.get(plain(ROWS, steps))));
      }
      byInterval.add(Curve.fit(store, points));
      points = new ArrayList<>();
      for (int height : rows) {
        points.add(point((double) PersistHeat.COLUMNS * height, seconds.get(new Case(store, height, 1, steps)),
            seconds.get(plain(height, steps))));
      }
      bySize.add(Curve.fit(store, points));
    }
    table("by interval [steps], " + PersistHeat.COLUMNS * ROWS + " points", byInterval);
    byInterval.forEach(curve -> Recorder.ofThisJvm().value("persist/c/" + curve.store, curve.c));
    table("by size [points of a process], every step", bySize);
    plot("persist-interval", "interval [steps]", byInterval);
    plot("persist-size", "size [points of a process]", bySize);
    return Map.of("interval", byInterval, "size", bySize);
  }

  private List<Double> secondsPerStep(List<Case> cases) throws IOException {
    try (TemporaryFolder folder = TemporaryFolder.create("kintsugi-persist-bench-")) {
      Path result = folder.path().resolve("result");
      Path output = folder.path().resolve("output");
      List<String> arguments = new ArrayList<>(List.of("-Dkintsugi.persist.dir=" + folder.path().resolve("persist"),
          "-Dkintsugi.checkpoint.local.dir=" + folder.path().resolve("local"), "-cp", System.getProperty("java.class.path"),
          PersistHeat.class.getName(), result.toString()));
      cases.forEach(one -> arguments.add(one.text()));
      JobSpec spec = new JobSpec().ranks(RANKS).spares(0).javaArguments(arguments);
      int code = new Job(spec, mpi).timeoutSeconds(TIMEOUT_SECONDS).outputTo(output).run();
      if (code != 0) {
        throw new IOException("heat ended with " + code + ":\n" + Files.readString(output));
      }
      return Files.readAllLines(result).stream().map(Double::valueOf).toList();
    }
  }

  /** A ratio of means, its error by error propagation from the variances, as in the paper. */
  static Point point(double x, double[] with, double[] without) {
    double above = mean(with);
    double below = mean(without);
    double ratio = above / below;
    double relative = Math.hypot(standardError(with, above) / above, standardError(without, below) / below);
    return new Point(x, ratio, ratio * relative);
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double standardError(double[] values, double mean) {
    double sum = 0;
    for (double value : values) {
      sum += (value - mean) * (value - mean);
    }
    return values.length < 2 ? 0 : Math.sqrt(sum / (values.length - 1) / values.length);
  }

  private void table(String title, List<Curve> curves) {
    System.out.printf("%npersisting the heat equation, time over that without, %s; %d ranks, %d repetitions%n", title, RANKS,
        made);
    for (Curve curve : curves) {
      System.out.printf("%-8s T(x) = (x + c)/x, c = %.4g +- %.2g%n", curve.store, curve.c, curve.error);
      for (Point point : curve.points) {
        System.out.printf("%10.0f %10.4f +- %.4f   model %10.4f%n", point.x, point.ratio, point.error,
            (point.x + curve.c) / point.x);
      }
    }
  }

  private void plot(String name, String axis, List<Curve> curves) throws IOException {
    XYChart chart = new XYChartBuilder().width(900).height(600).title("Persistent communicators: overhead").xAxisTitle(axis)
        .yAxisTitle("time over that without persisting").build();
    chart.getStyler().setXAxisLogarithmic(true);
    for (Curve curve : curves) {
      double[] x = curve.points.stream().mapToDouble(Point::x).toArray();
      XYSeries measured = chart.addSeries(curve.store, x, curve.points.stream().mapToDouble(Point::ratio).toArray(),
          curve.points.stream().mapToDouble(Point::error).toArray());
      measured.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
      int samples = 60;
      double[] at = new double[samples];
      double[] model = new double[samples];
      for (int i = 0; i < samples; i++) {
        at[i] = x[0] * Math.pow(x[x.length - 1] / x[0], i / (samples - 1.0));
        model[i] = (at[i] + curve.c) / at[i];
      }
      chart.addSeries(String.format("%s: c = %.3g", curve.store, curve.c), at, model).setMarker(SeriesMarkers.NONE);
    }
    Files.createDirectories(target);
    Path file = target.resolve(name + ".png");
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapEncoder.BitmapFormat.PNG);
    System.out.println("plot in " + file);
  }
}
