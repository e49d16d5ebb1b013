/**
 * JUnit tests whose methods run on MPI ranks: {@link org.kintsugi.ci.ranks.RanksTest} for a class whose methods run on
 * every rank, {@link org.kintsugi.ci.ranks.RankJob} for a test that starts a job itself and judges it from outside.
 */
package org.kintsugi.ci.ranks;
