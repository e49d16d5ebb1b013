/**
 * The basis of {@code org.kintsugi.mpi}, on which it does not depend: memory, staging, errors,
 * scopes, the connection to the launcher. Other packages use package-private parts of {@code mpi}
 * through {@link org.kintsugi.mpi.internal.CommsKey}.
 */
package org.kintsugi.mpi.internal;
