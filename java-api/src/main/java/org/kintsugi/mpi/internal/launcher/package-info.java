/** The connection to the launcher: how a job ends, and where this process waits. */
package org.kintsugi.mpi.internal.launcher;
