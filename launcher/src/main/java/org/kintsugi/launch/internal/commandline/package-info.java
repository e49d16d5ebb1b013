/** The words of the command line: options of mpirun and of the JVM, the program, hosts, and hints for misspelt words. */
package org.kintsugi.launch.internal.commandline;
