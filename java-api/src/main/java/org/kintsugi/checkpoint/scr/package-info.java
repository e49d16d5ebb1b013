/**
 * SCR's library for programs that call the raw binding. Checkpoints by SCR, the scalable checkpoint/restart library, need nothing
 * of it: {@code -Dkintsugi.checkpoint.store=scr}; the settings are in {@link org.kintsugi.checkpoint.CheckpointConfig}.
 */
package org.kintsugi.checkpoint.scr;
