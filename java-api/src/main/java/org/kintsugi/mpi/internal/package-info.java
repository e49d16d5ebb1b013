/**
 * The basis of {@code org.kintsugi.mpi}. It contains memory, staging, errors, scopes, and the
 * connection to the launcher, and does not depend on that package. Other packages use
 * package-private parts of {@code mpi} through {@link org.kintsugi.mpi.internal.CommsKey}.
 */
package org.kintsugi.mpi.internal;
