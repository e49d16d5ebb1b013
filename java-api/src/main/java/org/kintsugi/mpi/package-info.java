/**
 * MPI in Java: communicators, messages, collectives, datatypes; errors as exceptions.
 *
 * <p>All of it runs on the real Open MPI. Names are those of the standard in Java case; each method names the C function
 * behind it.
 *
 * <pre>{@code
 * try (Mpi mpi = Mpi.init(args); Buf mine = Buf.ofDoubles(1000); Buf theirs = Buf.ofDoubles(1000)) {
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
 * <p>Errors never end the job. A call that cannot do its work throws an {@link org.kintsugi.mpi.MpiException}; if that is
 * because a process has died, a {@link org.kintsugi.mpi.MpiFaultException}, of one of three kinds:
 *
 * <ul>
 *   <li>{@link org.kintsugi.mpi.ProcessFailedException}: a process that the call needs is dead. Other processes may know of it
 *       or not: of one collective some callers get the result, and others this exception.
 *   <li>{@link org.kintsugi.mpi.ProcessFailedPendingException}: a receive from any source may have lost its sender, and goes on.
 *   <li>{@link org.kintsugi.mpi.RevokedException}: somebody has given up the communicator, for all of its processes.
 * </ul>
 *
 * <p>Inside a {@code Reinit} run a program sees none of them: each becomes a rollback, and the body is entered again in a world
 * that is whole. Outside of one, {@link org.kintsugi.mpi.FaultTolerance} has what it takes to go on: revoke, so that nobody
 * waits for one who has left; shrink, for a communicator of the living; agree, on whether all has gone well. {@code
 * org.kintsugi.inject} makes faults to try that with.
 */
package org.kintsugi.mpi;
