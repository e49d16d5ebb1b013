/** Operations on {@code org.kintsugi.mpi} for other packages of Kintsugi only, not for programs. Internal. */
package org.kintsugi.mpi.access;
