/**
 * The mapping from C to Java: one JavaCPP preset per native library.
 *
 * <p>JavaCPP generates {@code org.kintsugi.bindings} from these classes at build time; generated files are never edited and
 * never committed. Handles, addresses and pointers are {@code long} in Java. So a call reads no field and allocates nothing,
 * and the same Java classes fit every Open MPI. The JavaCPP platform extension ({@code -ulfm}, {@code -reinit}) selects the
 * Open MPI that their C++ is compiled against.
 */
package org.kintsugi.presets;
