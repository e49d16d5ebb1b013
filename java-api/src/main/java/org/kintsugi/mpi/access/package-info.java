/** What other packages of Kintsugi may do with {@code org.kintsugi.mpi} and programs may not. Internal. */
package org.kintsugi.mpi.access;
