/**
 * MPI in Java: communicators, messages, collectives, datatypes; errors as exceptions.
 *
 * <p>All of it runs on the real Open MPI. Names are those of the standard in Java case; each method names the C function
 * behind it.
 */
package org.kintsugi.mpi;
