/**
 * How C maps to Java: one JavaCPP preset per native library, and nothing else.
 *
 * <p>What is generated from these classes lies in {@code org.kintsugi.bindings}; it is made at build time, never edited
 * and never committed. All handles, addresses and pointers cross as {@code long}, so that a call costs no field read and
 * no allocation, and so that the same classes fit every Open MPI: which one is compiled against is told by the JavaCPP
 * platform extension ({@code -ulfm}, {@code -reinit}).
 */
package org.kintsugi.presets;
