/**
 * What carries out the calls of {@code org.kintsugi.mpi}, and its basis: memory, staging, errors, scopes, and the connection to
 * the launcher. {@link org.kintsugi.mpi.internal.Access} gives other packages the operations that programs do not see.
 */
package org.kintsugi.mpi.internal;
