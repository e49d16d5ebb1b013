/**
 * Fault injection: to see a program recover before a machine makes it do so. Which process dies, and when, comes from the command
 * line ({@code jmpirun --kill}); a program only marks its iterations with {@code run.iteration(i)}. A program without a Reinit
 * run uses the plan itself, and {@code failures} is how often this rank's process has been replaced:
 *
 * <pre>{@code
 * FaultPlan plan = FaultPlan.ofJob(world.size());
 * Killer.check(plan.next(world.rank(), failures)); // can it be carried out here?
 * for (long i = first; i < last; i++) {
 *   Kill due = plan.due(world.rank(), failures, i);
 *   if (due != null) {
 *     Killer.carryOut(due); // a SIGKILL: does not return
 *   }
 *   step(i);
 * }
 * }</pre>
 *
 * <p>The page of {@link org.kintsugi.mpi} describes what a failure means for a program, injected or not.
 */
package org.kintsugi.inject;
