/** The command line of mpirun: the only place in the project that builds one. */
package org.kintsugi.launch.internal.mpirun;
