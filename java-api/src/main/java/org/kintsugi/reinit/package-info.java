/**
 * Reinit: global restart in place. After a failure every process returns to a point that the program chose, with a world
 * of the same size and ranks, and goes on from a checkpoint.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args)) {
 *   Reinit.run(mpi, run -> {
 *     Comm world = run.world();
 *     var sum = run.checkpoint().doubleRef("sum");
 *     for (long i = run.checkpoint().restore().orElse(0); i < 100; i++) {
 *       run.iteration(i);
 *       sum.add(world.allReduce((double) i, Op.SUM));
 *       if (i % 10 == 9) {
 *         run.checkpoint().save(i + 1);
 *       }
 *     }
 *     if (world.rank() == 0) {
 *       System.out.println("sum " + sum);
 *     }
 *   });
 * }
 * }</pre>
 */
package org.kintsugi.reinit;
