/** A running job: its mpirun, its output, its end, and what is left of it. */
package org.kintsugi.launch.internal.job;
