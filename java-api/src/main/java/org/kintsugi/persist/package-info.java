/**
 * Persistent communicators: messages that are stored when they are sent, and received again after a failure.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args); Info info = Info.of(Map.of("kintsugi_persist_recover", "barrier"))) {
 *   Reinit.run(mpi, run -> {
 *     try (PersistentComm persistent = PersistentComm.of(run.world(), "heat, run 7", info)) {
 *       long[] state = {0};
 *       if (persistent.restarted()) {
 *         persistent.recv(Buf.wrap(state), persistent.rank(), 1);
 *       }
 *       for (long i = state[0]; i < 100; i++) {
 *         run.iteration(i);
 *         persistent.send(Buf.copyOf(i + 1), persistent.rank(), 1);
 *         persistent.barrier(); // a failure takes all back to the same iteration
 *       }
 *       persistent.forget();
 *       System.out.println("rank " + persistent.rank() + " is through its 100 iterations");
 *     }
 *   });
 * }
 * }</pre>
 */
package org.kintsugi.persist;
