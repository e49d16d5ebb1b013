/** Starting Java programs under mpirun: the only place in the project that builds command lines of mpirun. */
package org.kintsugi.launch;
