/** What holds {@code org.kintsugi.mpi} up and no user may touch: memory, staging, error mapping, scopes. */
package org.kintsugi.mpi.internal;
