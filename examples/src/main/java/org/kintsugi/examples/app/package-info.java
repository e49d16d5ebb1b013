/** What all proxy applications share: options, progress, the times of iterations, the report that they write. */
package org.kintsugi.examples.app;
