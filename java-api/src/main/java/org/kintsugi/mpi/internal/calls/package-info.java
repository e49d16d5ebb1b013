/** What carries out the calls of communicators. */
package org.kintsugi.mpi.internal.calls;
