/**
 * Random calls of MPI, each compared with its definition: {@link org.kintsugi.ci.calls.RandomCalls} is the ranks' program.
 *
 * <p>All ranks derive the same plan of a call from the seed and the call's number: everybody's datatypes, buffers and contents.
 * So each rank reckons by brute force what its memory must hold after the call, byte by byte, without asking the library: type
 * maps are lists of offsets ({@link org.kintsugi.ci.calls.Layout}), memory is arrays of bytes, and an operation is what the
 * standard says about it, in a loop.
 */
package org.kintsugi.ci.calls;
