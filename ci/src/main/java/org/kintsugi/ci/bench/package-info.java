/** The benchmark harness behind {@code make bench}: ratios to C taken in the same processes of the same job. */
package org.kintsugi.ci.bench;
