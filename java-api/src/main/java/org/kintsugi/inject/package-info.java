/**
 * Fault injection: to see a program recover before a machine makes it do so. Which process dies, and when, comes from the command
 * line ({@code jmpirun --kill}); a program only marks its iterations with {@code run.iteration(i)}. A program without a Reinit
 * run can query a {@link org.kintsugi.inject.FaultPlan} itself, and have a {@link org.kintsugi.inject.Killer} carry it out.
 *
 * <p>What faults mean for a program, injected or not, is on the page of {@link org.kintsugi.mpi}.
 */
package org.kintsugi.inject;
