/**
 * Persistent communicators: messages that are stored when they are sent, and received again after a failure.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args)) {
 *   Reinit.run(mpi, run -> {
 *     PersistentComm persistent = PersistentComm.of(run.world(), "heat, run 7", null);
 *     long[] state = {0};
 *     if (persistent.restarted()) {
 *       persistent.recv(Buf.of(state), run.world().rank(), 1);
 *     }
 *     for (long i = state[0]; i < 100; i++) {
 *       run.iteration(i);
 *       run.world().barrier();
 *       persistent.send(Buf.of(i + 1), run.world().rank(), 1);
 *     }
 *   });
 * }
 * }</pre>
 */
package org.kintsugi.persist;
