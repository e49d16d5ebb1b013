/**
 * JUnit tests for programs on MPI ranks, and for what becomes of them when processes die.
 *
 * <p>{@link org.kintsugi.test.RanksTest} is for a method that runs on every rank of a job; {@link org.kintsugi.test.RankJob} is
 * for a test that starts a job itself, kills some of its processes, and judges it from outside. Nodes are lost in {@code
 * org.kintsugi.test.cluster}.
 *
 * <pre>{@code
 * class SumTest {
 *   @RanksTest(n = {1, 3})
 *   void everyRankHasTheSum(Mpi mpi) {
 *     Comm world = mpi.world();
 *     assertEquals(world.size(), world.allReduce(1, Op.SUM));
 *   }
 * }
 * }</pre>
 */
package org.kintsugi.test;
