/** Off-heap memory, the copies of buffers that MPI works on, and the error codes of C. */
package org.kintsugi.mpi.internal.memory;
