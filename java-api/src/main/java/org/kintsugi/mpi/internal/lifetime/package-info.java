/** How long handles and processes live: scopes, epochs, time limits, and reports of leaks. */
package org.kintsugi.mpi.internal.lifetime;
