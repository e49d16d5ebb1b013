/**
 * Checkpoints by SCR, the scalable checkpoint/restart library: {@code -Dkintsugi.checkpoint.store=scr}.
 *
 * <p>Public for {@link org.kintsugi.checkpoint}; {@link org.kintsugi.checkpoint.scr.ScrLibrary}, too, for programs that call the
 * raw binding. The settings are in {@link org.kintsugi.mpi.MpiConfig}.
 */
package org.kintsugi.checkpoint.scr;
