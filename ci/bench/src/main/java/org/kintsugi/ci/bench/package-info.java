/** The benchmarks of {@code make bench}: ratios to C, measured in the same processes of one job. */
package org.kintsugi.ci.bench;
