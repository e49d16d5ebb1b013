/** The two programs of "Data Persistency for Fault-Tolerance Using MPI Semantics": its figures 3 and 8. */
package org.kintsugi.examples.persist;
