/**
 * Shared by the launcher and the API: the flavours of MPI, where native builds are found, the grammar of kills, exit codes.
 *
 * <p>It is under everything and depends on nothing: no natives, no JavaCPP.
 */
package org.kintsugi.runtime;
