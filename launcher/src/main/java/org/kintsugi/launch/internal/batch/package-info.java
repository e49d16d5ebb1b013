/**
 * Batch systems: which hosts they give to a job, what their launchers need, and how they announce the end of a job's time.
 */
package org.kintsugi.launch.internal.batch;
