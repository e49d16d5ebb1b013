// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

/**
 * A graph, and what is reported of how it was made.
 *
 * @param graph this rank's part
 * @param points its points
 * @param geometricEdges directed edges of its vertices before the random ones
 * @param hasRandomEdges whether there were to be any
 * @param tried random pairs that this rank has tried
 * @param inserted random edges that it has taken
 * @param seconds how long it took
 */
record Generated(Graph graph, Points points, int geometricEdges, boolean hasRandomEdges, int tried, int inserted,
    double seconds) {}
