/**
 * What the calls of MPI's functions share: modes, forms, arguments, and the exceptions for their error classes. None of it knows
 * a communicator's state.
 */
package org.kintsugi.mpi.internal.calls;
