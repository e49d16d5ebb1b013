// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.ArrayList;
import java.util.List;
import org.kintsugi.ci.growth.StepFile.Call;
import org.kintsugi.ci.growth.StepFile.Calls;
import org.kintsugi.ci.growth.StepFile.Moment;

/**
 * One recovery by its steps.
 *
 * @param processes the survivors, spares included
 * @param wall milliseconds of each {@link Step} by the clock
 * @param processor milliseconds of processor time of each step in one process, all of its threads, the mean of all processes
 * @param other the part of {@code processor} that threads use which do not call MPI
 * @param between the part of {@code processor} that is used between the calls of MPI: the program's, and Kintsugi's
 * @param yields how often a process had nothing to do in the step, and gave its core away, the mean of all processes
 * @param pollNanos processor time of a turn with nothing to do: that of calls with many of them, the lowest fifth, as these
 *     have the least work of their own
 * @param calls calls of MPI from the failure to the first barrier of the next epoch, the mean of all processes
 */
record MeasuredRecovery(int processes, double[] wall, double[] processor, double[] other, double[] between, double[] yields,
    double pollNanos, double calls) {

  private static final int MANY_YIELDS = 20;

  /** The moments of one process in one recovery, at the begin and the end of each step; null: it has no such step. */
  private record Path(Moment[] begins, Moment[] entered, Moment[] ends, long lastWell, int calls) {}

  double total() {
    double sum = 0;
    for (double one : wall) {
      sum += one;
    }
    return sum;
  }

  /**
   * All recoveries of a job.
   *
   * @param failures their number
   */
  static List<MeasuredRecovery> of(List<Calls> processes, int failures) {
    List<MeasuredRecovery> recoveries = new ArrayList<>();
    for (int failure = 1; failure <= failures; failure++) {
      List<Path> paths = new ArrayList<>();
      long lastWell = Long.MIN_VALUE;
      for (Calls calls : processes) {
        Path path = path(calls.calls(), failure);
        if (path != null) {
          paths.add(path);
          lastWell = Math.max(lastWell, path.lastWell);
        }
      }
      if (!paths.isEmpty()) {
        recoveries.add(of(paths, lastWell));
      }
    }
    return recoveries;
  }

  private static MeasuredRecovery of(List<Path> paths, long lastWell) {
    double[] wall = new double[Step.COUNT];
    double[] processor = new double[Step.COUNT];
    double[] other = new double[Step.COUNT];
    double[] between = new double[Step.COUNT];
    double[] yields = new double[Step.COUNT];
    long previous = lastWell;
    double calls = 0;
    List<Double> polls = new ArrayList<>();
    for (Step step : Step.values()) {
      int k = step.ordinal();
      long end = step == Step.NOTICE ? Long.MAX_VALUE : Long.MIN_VALUE;
      for (Path path : paths) {
        if (path.ends[k] != null) {
          long moment = path.ends[k].wall();
          end = step == Step.NOTICE ? Math.min(end, moment) : Math.max(end, moment);
        }
        if (path.ends[k] != null && path.begins[k] != null) {
          double share = 1e6 * paths.size();
          double all = (path.ends[k].process() - path.begins[k].process()) / share;
          processor[k] += all;
          other[k] += all - (path.ends[k].thread() - path.begins[k].thread()) / share;
          between[k] += (path.entered[k].thread() - path.begins[k].thread()) / share;
          double turns = path.ends[k].yields() - path.entered[k].yields();
          yields[k] += (path.ends[k].yields() - path.begins[k].yields()) / (double) paths.size();
          if (turns >= MANY_YIELDS) {
            polls.add((path.ends[k].thread() - path.entered[k].thread()) / turns);
          }
        }
      }
      end = Math.max(end, previous);
      wall[k] = (end - previous) / 1e6;
      previous = end;
    }
    for (Path path : paths) {
      calls += path.calls / (double) paths.size();
    }
    return new MeasuredRecovery(paths.size(), wall, processor, other, between, yields,
        polls.isEmpty() ? 0 : polls.stream().sorted().toList().get(polls.size() / 5), calls);
  }

  /** The path of a process through a recovery; null: it has failed before, or has not begun. */
  private static Path path(List<Call> calls, int failure) {
    int shrink = nth(calls, StepFile.SHRINK, failure);
    if (shrink < 0) {
      return null;
    }
    int meet = before(calls, shrink, StepFile.IAGREE, true);
    int error = before(calls, meet, StepFile.BARRIER, false);
    int well = error < 0 ? -1 : before(calls, error, StepFile.BARRIER, true);
    Moment[] begins = new Moment[Step.COUNT];
    Moment[] entered = new Moment[Step.COUNT];
    Moment[] ends = new Moment[Step.COUNT];
    // A rank has had an error since the last recovery, or since the rehearsal of one, which ends with an agreement.
    if (well >= 0 && before(calls, meet, StepFile.AGREE, true) < error) {
      Call failed = calls.get(error);
      put(begins, entered, ends, Step.NOTICE, null, null, failed.left());
      put(begins, entered, ends, Step.REVOKE, failed.entered(), failed.entered(), failed.left());
      Moment met = calls.get(meet).entered();
      put(begins, entered, ends, Step.UNWIND, failed.left(), met, met);
      put(begins, entered, ends, Step.MEET, met, met, calls.get(shrink).entered());
    } else {
      // A spare has waited in the meeting since the epoch began.
      ends[Step.MEET.ordinal()] = calls.get(shrink).entered();
    }
    int at = shrink;
    Moment last = calls.get(shrink).entered();
    int[] kinds = {StepFile.SHRINK, StepFile.GATHER, StepFile.SPLIT, StepFile.AGREE, StepFile.BARRIER};
    int next = nth(calls, StepFile.SHRINK, failure + 1);
    int end = next < 0 ? calls.size() : next;
    for (int i = 0; i < kinds.length; i++) {
      int found = after(calls, at, end, kinds[i]);
      if (found >= 0) {
        Call call = calls.get(found);
        put(begins, entered, ends, Step.values()[Step.SHRINK.ordinal() + i], last, call.entered(), call.left());
        last = call.left();
        at = found + 1;
      }
    }
    return new Path(begins, entered, ends, well < 0 ? Long.MIN_VALUE : calls.get(well).left().wall(),
        at - Math.max(error, meet < 0 ? shrink : meet));
  }

  private static void put(Moment[] begins, Moment[] entered, Moment[] ends, Step step, Moment begin, Moment enter, Moment end) {
    begins[step.ordinal()] = begin;
    entered[step.ordinal()] = enter;
    ends[step.ordinal()] = end;
  }

  /** The place of the call of a kind that has this number of such calls before it; -1: there are fewer. */
  private static int nth(List<Call> calls, int kind, int number) {
    int seen = 0;
    for (int i = 0; i < calls.size(); i++) {
      if (calls.get(i).is(kind, true) && seen++ == number) {
        return i;
      }
    }
    return -1;
  }

  private static int before(List<Call> calls, int place, int kind, boolean succeeded) {
    for (int i = place - 1; i >= 0; i--) {
      if (calls.get(i).is(kind, succeeded)) {
        return i;
      }
    }
    return -1;
  }

  private static int after(List<Call> calls, int place, int end, int kind) {
    for (int i = place; i < end; i++) {
      if (calls.get(i).is(kind, true)) {
        return i;
      }
    }
    return -1;
  }
}
