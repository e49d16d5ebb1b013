/**
 * MPI in Java: communicators, messages, collectives, datatypes; errors as exceptions.
 *
 * <p>All of it runs on the real Open MPI. Names are those of the standard in Java case; each
 * method's description names its C function.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args); Buf mine = Buf.allocateDoubles(1000); Buf theirs = Buf.allocateDoubles(1000)) {
 *   Comm world = mpi.world();
 *   int next = (world.rank() + 1) % world.size();
 *   int previous = (world.rank() + world.size() - 1) % world.size();
 *   mine.putDouble(0, world.rank());
 *   world.sendRecv(mine, next, 7, theirs, previous, 7); // in a ring, with the tag 7
 *   double sum = world.allReduce(theirs.getDouble(0), Op.SUM);
 *   if (world.rank() == 0) {
 *     System.out.println("sum " + sum);
 *   }
 * }
 * }</pre>
 *
 * <h2>What faults mean for a program</h2>
 *
 * <p>Errors never end the job. A call that fails throws an {@link org.kintsugi.mpi.MpiException}.
 * If the cause is the failure of a process, it is an {@link org.kintsugi.mpi.MpiFaultException} of
 * one of three kinds:
 *
 * <ul>
 *   <li>{@link org.kintsugi.mpi.ProcessFailedException}: a process that the call needs has failed.
 *       Other processes may not have detected it: of one collective some callers may get the
 *       result, and others this exception.
 *   <li>{@link org.kintsugi.mpi.ProcessFailedPendingException}: a receive from any source may have lost its sender, and goes on.
 *   <li>{@link org.kintsugi.mpi.RevokedException}: a process has revoked the communicator, for all
 *       of its processes.
 * </ul>
 *
 * <p>Inside a {@code Reinit} run a program sees none of them: each becomes a rollback, and the body
 * is entered again with a complete world. Outside of a run, {@link org.kintsugi.mpi.Comm}
 * has the operations to continue: revoke, so that no process waits for one that has stopped;
 * shrink, for a communicator of the living processes; agree, on whether a step succeeded
 * everywhere. {@code org.kintsugi.inject} injects faults for tests.
 */
package org.kintsugi.mpi;
