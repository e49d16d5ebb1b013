/** What all proxy applications share: the report that they write. */
package org.kintsugi.examples.app;
