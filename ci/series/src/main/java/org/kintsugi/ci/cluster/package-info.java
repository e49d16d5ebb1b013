/** The simulated cluster, from Java: nodes on one machine, and jobs that lose one of them. */
package org.kintsugi.ci.cluster;
