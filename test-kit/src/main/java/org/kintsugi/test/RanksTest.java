// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test method that runs on every rank of a job started by the launcher, once for each number of ranks. Its one parameter is
 * the {@link org.kintsugi.mpi.Mpi} of the rank; a failure on any rank is a failure of the test, with that rank's report.
 *
 * <p>All methods of a class with the same number of ranks share one launch: the job starts when the
 * first of them is asked for and runs them all, each after a barrier. A time limit ends the launch.
 * It is checked ({@link #check}): if ranks do not call the same collective, the test fails with a
 * table of the calls by rank.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(RanksExtension.class)
public @interface RanksTest {
  /**
   * The numbers of ranks to run it on.
   *
   * @return each at least 1
   */
  int[] n() default {1, 2, 4};

  /**
   * Whether what the ranks call is compared, as {@code jmpirun --check} does: false for a test that measures time or heap, or
   * makes mistakes on purpose. Such methods have a launch of their own.
   *
   * @return true unless the test says otherwise
   */
  boolean check() default true;
}
