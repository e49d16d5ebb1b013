/**
 * LULESH: explicit hydrodynamics of a point blast on hexahedra that move with the material. {@link
 * org.kintsugi.examples.lulesh.Lulesh} is the program; a cycle is {@code Hydrodynamics.cycle}.
 */
package org.kintsugi.examples.lulesh;
