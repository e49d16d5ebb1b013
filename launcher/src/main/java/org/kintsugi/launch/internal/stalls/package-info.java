/** The report of a job in which no rank makes progress. */
package org.kintsugi.launch.internal.stalls;
