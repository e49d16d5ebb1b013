/**
 * What carries out the calls of {@code org.kintsugi.mpi}. The packages below depend on each other in this order: {@code memory},
 * {@code files}, {@code launcher}, {@code lifetime}, {@code layout}, {@code threads}, {@code startup}, {@code calls}; then this
 * one, whose {@link org.kintsugi.mpi.internal.Access} gives other packages the operations that programs do not see; then
 * {@code variants}, {@code check}, {@code objects}.
 */
package org.kintsugi.mpi.internal;
