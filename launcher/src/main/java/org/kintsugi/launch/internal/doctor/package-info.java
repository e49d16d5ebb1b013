/** {@code kintsugi doctor}: what is missing on the hosts of a job. */
package org.kintsugi.launch.internal.doctor;
