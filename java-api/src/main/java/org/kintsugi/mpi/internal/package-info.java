/**
 * The basis of {@code org.kintsugi.mpi}, which knows nothing of that package: memory, staging, errors, scopes, the connection to
 * the launcher. Package-private parts of {@code mpi} that other packages need are behind {@link
 * org.kintsugi.mpi.internal.CommsKey}.
 */
package org.kintsugi.mpi.internal;
