// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.kintsugi.mpi.Mpi;

/** Runs, in sequence, all {@link RanksTest} methods of a class that want this number of ranks. */
final class RankMain {
  private RankMain() {}

  /** Arguments: the folder for reports, the class, and whether its methods that are checked are wanted, or the others. */
  public static void main(String[] args) throws Exception {
    Class<?> test = Class.forName(args[1]);
    var constructor = test.getDeclaredConstructor();
    constructor.setAccessible(true);
    try (Mpi mpi = Mpi.init(args)) {
      int rank = mpi.world().rank();
      for (Method method : RanksExtension.methodsFor(test, mpi.world().size(), Boolean.parseBoolean(args[2]))) {
        mpi.world().barrier();
        String result = run(constructor.newInstance(), method, mpi);
        RankJob.report(args[0], name(method.getName(), rank), result);
        if (!result.equals(RanksExtension.PASSED)) {
          // The others may wait for what this rank did not do any more: end the launch rather than let it hang.
          mpi.abort(1);
        }
      }
    }
  }

  /** The name of a rank's report of a test. */
  static String name(String test, int rank) {
    return test + "-" + rank;
  }

  private static String run(Object instance, Method method, Mpi mpi) throws IllegalAccessException {
    try {
      method.setAccessible(true);
      method.invoke(instance, mpi);
      return RanksExtension.PASSED;
    } catch (InvocationTargetException e) {
      StringWriter trace = new StringWriter();
      e.getCause().printStackTrace(new PrintWriter(trace));
      return trace.toString();
    }
  }
}
