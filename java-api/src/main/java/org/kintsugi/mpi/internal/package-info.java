/**
 * What {@code org.kintsugi.mpi} is built on, and knows nothing of it: memory, staging, errors, scopes, the connection to the
 * launcher. What is package-private in {@code mpi}, and needed by other packages all the same, is behind {@link
 * org.kintsugi.mpi.internal.CommsKey}.
 */
package org.kintsugi.mpi.internal;
