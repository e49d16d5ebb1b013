/**
 * Persistent communicators: messages that are stored when they are sent, and received again after a failure.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args); Info info = Info.of(Map.of("kintsugi_persist_recover", "barrier"))) {
 *   Reinit.run(mpi, run -> {
 *     try (PersistentComm persistent = PersistentComm.of(run.world(), "heat, run 7", info)) {
 *       Comm stored = persistent.comm();
 *       int me = stored.rank();
 *       long[] state = {0};
 *       if (persistent.restarted()) {
 *         stored.recv(Buf.wrap(state), me, 1);
 *       }
 *       for (long i = state[0]; i < 100; i++) {
 *         run.iteration(i);
 *         stored.send(Buf.copyOf(i + 1), me, 1);
 *         stored.barrier(); // a failure takes all back to the same iteration
 *       }
 *       persistent.forget();
 *       System.out.println("rank " + me + " is through its 100 iterations");
 *     }
 *   });
 * }
 * }</pre>
 */
package org.kintsugi.persist;
