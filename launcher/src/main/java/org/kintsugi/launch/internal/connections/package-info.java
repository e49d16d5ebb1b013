/** The connections that the processes of a job make to jmpirun. */
package org.kintsugi.launch.internal.connections;
