/**
 * Checkpoints by FTI, the multilevel checkpointing library: {@code -Dkintsugi.checkpoint.store=fti}.
 *
 * <p>Public only for {@link org.kintsugi.checkpoint}; its settings are in {@link org.kintsugi.checkpoint.CheckpointConfig}.
 */
package org.kintsugi.checkpoint.internal.fti;
