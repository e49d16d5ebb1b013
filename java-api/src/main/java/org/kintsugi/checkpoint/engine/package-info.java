/**
 * What checkpoints and their engines have in common, for those who bring an engine of their own: a place to keep versions that
 * Kintsugi does not know.
 *
 * <p>An {@link org.kintsugi.checkpoint.engine.Engine} keeps one {@link org.kintsugi.checkpoint.engine.Image} per rank and {@link
 * org.kintsugi.checkpoint.engine.Version}. Its {@link org.kintsugi.checkpoint.engine.EngineProvider}, which is found by {@link
 * java.util.ServiceLoader}, gives it a name, and jobs ask for it with {@code -Dkintsugi.checkpoint.store=NAME}. A program needs
 * nothing of this package but the {@link org.kintsugi.checkpoint.engine.CheckpointException} that a save or a restore may throw.
 */
package org.kintsugi.checkpoint.engine;
