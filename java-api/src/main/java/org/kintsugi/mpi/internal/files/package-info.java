/** Files that only their owner may touch, and locks on files that a later epoch may take over. */
package org.kintsugi.mpi.internal.files;
