/**
 * The interface between checkpoints and their engines, for engines that are not part of Kintsugi: each keeps versions in a place
 * of its own.
 *
 * <p>An {@link org.kintsugi.checkpoint.engine.Engine} keeps one {@link org.kintsugi.checkpoint.engine.Image} per rank and {@link
 * org.kintsugi.checkpoint.engine.Version}. Its {@link org.kintsugi.checkpoint.engine.EngineProvider}, which is found by {@link
 * java.util.ServiceLoader}, gives it a name, and a job selects it with {@code -Dkintsugi.checkpoint.store=NAME}:
 *
 * <pre>{@code
 * // in META-INF/services/org.kintsugi.checkpoint.engine.EngineProvider: the name of this class
 * public static final class ObjectStoreProvider implements EngineProvider {
 *   public String name() {
 *     return "objects";
 *   }
 *
 *   public Engine make(String nodeName) {
 *     return ObjectStore.engine(nodeName); // an Engine that keeps images in the site's object store
 *   }
 * }
 * }</pre>
 *
 * <p>A program needs nothing of this package but the {@link org.kintsugi.checkpoint.engine.CheckpointException} that a save or a
 * restore may throw.
 */
package org.kintsugi.checkpoint.engine;
