// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * {@code make growth}: how a recovery grows with the number of processes. Measures recoveries in C and Java by their steps, fits
 * them, simulates them on this machine and on one with a million cores, and writes docs/figures/growth.json and
 * docs/images/growth.svg.
 */
public final class Growth {
  static final String C = "C";
  static final String JAVA = "Java";

  private static final Map<String, Integer> ROW_BYTES = Map.of(C, 8, JAVA, 36);
  private static final List<Integer> LARGE = List.of(1_000, 10_000, 100_000, 1_000_000);

  private Growth() {}

  /**
   * Measures, and computes the rest.
   *
   * @param args the checkout, jobs of each language and size (0: takes the measurements from docs/figures/growth.json), the
   *     largest number of processes to simulate, the sizes separated by commas (of others the file's measurements are kept), and
   *     options for the JVMs
   */
  public static void main(String[] args) throws IOException {
    Path checkout = Path.of(args[0]);
    int jobs = Integer.parseInt(args[1]);
    int largest = Integer.parseInt(args[2]);
    int[] sizes = Arrays.stream(args[3].split(",")).mapToInt(Integer::parseInt).toArray();
    Path file = checkout.resolve(GrowthData.FILE);
    GrowthData data = jobs == 0 ? GrowthData.read(file)
        : measure(new GrowthJobs(checkout, Arrays.asList(args).subList(4, args.length)), sizes, jobs)
            .with(Files.exists(file) ? GrowthData.read(file).measured() : List.of());
    Map<String, Object> results = new LinkedHashMap<>();
    List<GrowthPlot.Curve> curves = new ArrayList<>();
    for (String language : List.of(C, JAVA)) {
      List<Measurement> measured = data.of(language);
      results.put(language, results(language, measured, data.cores()));
      curves.add(atScale(language, Calibration.alone(measured, ROW_BYTES.get(language)), largest));
    }
    results.put("at scale", curves);
    data.write(file, results);
    Files.writeString(checkout.resolve(GrowthPlot.FILE), new GrowthPlot(data, curves).svg());
    System.out.println("\nalso in " + GrowthData.FILE + " and " + GrowthPlot.FILE);
  }

  private static GrowthData measure(GrowthJobs jobs, int[] sizes, int count) throws IOException {
    List<Measurement> measured = new ArrayList<>();
    for (int ranks : sizes) {
      List<Measurement> both = jobs.measure(ranks, count);
      measured.addAll(both);
      for (Measurement one : both) {
        print(one);
      }
      System.out.printf(Locale.ROOT, "%d + %d: Java %.2f times C%n", ranks, GrowthJobs.FAILURES,
          both.get(1).total() / both.get(0).total());
    }
    int cores = Runtime.getRuntime().availableProcessors();
    return new GrowthData(cores + " shared cores, JDK " + Runtime.version().feature() + ", " + LocalDate.now() + ", " + count
        + " jobs of each size and language with " + GrowthJobs.FAILURES + " failures each", cores, measured);
  }

  private static void print(Measurement one) {
    System.out.printf(Locale.ROOT, "%n%-8s%8s%9s%10s%10s%10s%10s   (%d processes, %.1f ms, %.1f calls, a turn in vain %.0f ns)%n",
        one.language(), "step", "ms", "cpu ms", "other", "between", "yields", one.processes(), one.total(), one.calls(),
        one.pollNanos());
    for (Step step : Step.values()) {
      int k = step.ordinal();
      System.out.printf(Locale.ROOT, "%16s%9.3f%10.4f%10.4f%10.4f%10.1f%n", step.title(), one.wall()[k], one.processor()[k],
          one.other()[k], one.between()[k], one.yields()[k]);
    }
  }

  private static Map<String, Object> results(String language, List<Measurement> measured, int cores) {
    double overhead = Calibration.overhead(measured);
    System.out.printf(Locale.ROOT, "%n%s: a message %.0f ns%n", language, overhead);
    System.out.printf("%-8s %32s   %32s%n", "step", "ms by the clock", "ms of processor per process");
    List<Fit> byClock = Measurement.fits(measured, one -> step -> one.wall()[step.ordinal()]);
    List<Fit> byWork = Measurement.fits(measured, one -> step -> one.work(step));
    for (Step step : Step.values()) {
      System.out.printf("%-8s %32s   %32s%n", step.title(), words(byClock.get(step.ordinal())),
          words(byWork.get(step.ordinal())));
    }
    System.out.printf("%9s %10s %12s %10s %8s%n", "processes", "by clock", "undisturbed", "simulated", "off by");
    List<Map<String, Object>> comparisons = new ArrayList<>();
    for (Measurement one : measured) {
      Calibration calibration = Calibration.at(one, overhead, ROW_BYTES.get(language));
      double[] simulated = simulate(new RecoveryScript(one.processes(), calibration.costs(), calibration.here(cores)),
          calibration.here(cores));
      double total = Arrays.stream(simulated).sum();
      double undisturbed = one.undisturbed(cores);
      System.out.printf(Locale.ROOT, "%9d %10.2f %12.2f %10.2f %+7.0f%%%n", one.processes(), one.total(), undisturbed, total,
          100 * (total / undisturbed - 1));
      comparisons.add(Map.of("processes", one.processes(), "by the clock", one.total(), "undisturbed", undisturbed, "simulated",
          total, "steps", simulated));
    }
    Map<String, Object> results = new LinkedHashMap<>();
    results.put("fit, ms by the clock", byClock);
    results.put("fit, ms of processor", byWork);
    results.put("processor time of a message, ns", overhead);
    results.put("simulated on this machine, ms", comparisons);
    return results;
  }

  private static String words(Fit fit) {
    return String.format(Locale.ROOT, "%.3f + %.3f log2 p + %.4f p", fit.constant(), fit.perLevel(), fit.perProcess());
  }

  /** Milliseconds of each step. */
  static double[] simulate(Script script, Machine machine) {
    long[] ends = new Simulation(machine, script, Step.COUNT).run();
    double[] millis = new double[Step.COUNT];
    long previous = 0;
    for (int step = 0; step < Step.COUNT; step++) {
      millis[step] = Math.max(0, ends[step] - previous) / 1e6;
      previous = Math.max(previous, ends[step]);
    }
    return millis;
  }

  private static GrowthPlot.Curve atScale(String language, Costs measured, int largest) {
    Machine machine = Machine.ofThePaper();
    System.out.printf("%n%s, a core for each process, %d on a node: ms%n%10s", language, machine.perNode(), "processes");
    for (Step step : Step.values()) {
      System.out.printf("%9s", step.title());
    }
    System.out.printf("%9s%9s%n", "total", "formula");
    List<GrowthPlot.At> points = new ArrayList<>();
    for (int processes : LARGE) {
      Costs costs = TableCosts.extend(measured, language.equals(JAVA), processes);
      Model model = new Model(machine, costs);
      double[] simulated = processes > largest ? null : simulate(new RecoveryScript(processes, costs, machine), machine);
      double[] formula = new double[Step.COUNT];
      for (Step step : Step.values()) {
        formula[step.ordinal()] = model.nanos(step, processes) / 1e6;
      }
      if (simulated != null) {
        System.out.printf("%10d", processes);
        for (double one : simulated) {
          System.out.printf(Locale.ROOT, "%9.3f", one);
        }
        System.out.printf(Locale.ROOT, "%9.2f%9.2f%n", Arrays.stream(simulated).sum(), Arrays.stream(formula).sum());
      }
      points.add(new GrowthPlot.At(processes, simulated, formula));
    }
    return new GrowthPlot.Curve(language, measured, points);
  }
}
