/**
 * A cluster that is simulated on one machine, for tests of programs that lose whole nodes, or are cut off from some.
 *
 * <pre>{@code
 * try (Cluster cluster = Cluster.of(2, 2)) { // two nodes with two slots each
 *   RankJob.Outcome outcome = cluster.run(RankJob.mpiOrSkip(), 60,
 *       List.of("-n", "3", "--spares", "1", "--kill", "process:2@50"), Program.class).assertSuccess();
 * }
 * }</pre>
 */
package org.kintsugi.test.cluster;
