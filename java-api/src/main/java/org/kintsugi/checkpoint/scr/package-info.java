/**
 * SCR's library for programs that call the raw binding. Checkpoints by SCR, the scalable checkpoint/restart library, need nothing
 * of it: {@code -Dkintsugi.checkpoint.store=scr}; the settings are in {@link org.kintsugi.checkpoint.CheckpointConfig}.
 *
 * <pre>{@code
 * ScrLibrary.configure(Map.of("SCR_PREFIX", "/scratch/run7")); // SCR reads its settings from the C environment
 * if (ScrLibrary.open(world)) {
 *   try {
 *     int code = SCR.SCR_Init(); // and so on, as in C
 *     SCR.SCR_Finalize();
 *   } finally {
 *     ScrLibrary.close();
 *   }
 * }
 * }</pre>
 */
package org.kintsugi.checkpoint.scr;
