/**
 * Checkpoints for global restart: protect data, save versions, restore the newest that every rank can get back.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args)) {
 *   Reinit.run(mpi, run -> {
 *     Checkpoint checkpoint = run.checkpoint();
 *     double[] x = new double[100];
 *     checkpoint.protect("x", x);
 *     LongRef sum = checkpoint.longRef("sum");
 *     for (long i = checkpoint.restore().orElse(0); i < x.length; i++) { // from the newest version, or the beginning
 *       run.iteration(i);
 *       x[(int) i] = i;
 *       sum.add(run.world().allReduce(i, Op.SUM));
 *       if (i % 10 == 9) {
 *         checkpoint.save(i + 1);
 *       }
 *     }
 *     if (run.world().rank() == 0) {
 *       System.out.println("sum " + sum.get());
 *     }
 *   });
 * }
 * }</pre>
 */
package org.kintsugi.checkpoint;
