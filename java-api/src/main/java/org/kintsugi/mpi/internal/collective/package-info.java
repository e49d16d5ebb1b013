/** Collective operations that several features need: which rank keeps a copy for which, and one failure told to all ranks. */
package org.kintsugi.mpi.internal.collective;
