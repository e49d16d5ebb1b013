/**
 * Faults: injecting them on purpose. The calls that live with them (revoke, shrink, agree, failed groups) are methods of
 * {@link org.kintsugi.mpi.FaultTolerance}, the exceptions are {@link org.kintsugi.mpi.MpiFaultException} and its children.
 */
package org.kintsugi.fault;
