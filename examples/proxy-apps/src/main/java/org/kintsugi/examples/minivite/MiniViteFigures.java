// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.minivite;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The figures that miniVite reports, by the names of the reference figures. */
final class MiniViteFigures {
  /** The modulus of the checksums. */
  private static final long MODULUS = 1_000_003;
  private static final MathContext PRINTED = new MathContext(6);

  private final Comm world;
  private final Generated generated;
  private final Louvain louvain;

  MiniViteFigures(Comm world, Generated generated, Louvain louvain) {
    this.world = world;
    this.generated = generated;
    this.louvain = louvain;
  }

  /** Collective. */
  Map<String, Object> collect() {
    Graph graph = generated.graph();
    History history = louvain.history();
    long directed = sum(graph.edges());
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("modularity", louvain.modularity());
    figures.put("modularity_printed", new BigDecimal(louvain.modularity()).round(PRINTED).stripTrailingZeros().toPlainString());
    figures.put("iterations", history.iterations());
    figures.put("phases", 1);
    figures.put("vertices", sum(graph.vertices));
    figures.put("radius", GraphGenerator.radius(sum(graph.vertices)));
    figures.put("directed_edges_before_random", sum(generated.geometricEdges()));
    figures.put("directed_edges_total", directed);
    figures.put("undirected_edges", directed / 2);
    figures.put("directed_edges_per_rank", gather(graph.edges()));
    figures.put("random_edges_attempted_per_rank", generated.hasRandomEdges() ? gather(generated.tried()) : null);
    figures.put("random_edges_inserted_per_rank", generated.hasRandomEdges() ? gather(generated.inserted()) : null);
    addDegrees(figures, graph);
    figures.put("ghost_vertices_total", sum(graph.ghosts.length));
    figures.put("edge_checksum", sum(edgeChecksum(graph)));
    figures.put("inverse_of_twice_total_weight", louvain.inverse());
    figures.put("points", points());
    figures.put("per_iteration", iterations(history));
    addCommunities(figures, graph, history);
    return figures;
  }

  private void addDegrees(Map<String, Object> figures, Graph graph) {
    long squares = 0;
    long isolated = 0;
    long greatest = 0;
    for (int vertex = 0; vertex < graph.vertices; vertex++) {
      long degree = graph.degree(vertex);
      squares += degree * degree;
      isolated += degree == 0 ? 1 : 0;
      greatest = Math.max(greatest, degree);
    }
    figures.put("sum_of_squared_degrees", sum(squares));
    figures.put("isolated_vertices", sum(isolated));
    figures.put("max_degree", world.allReduce(greatest, Op.MAX));
  }

  private static long edgeChecksum(Graph graph) {
    long sum = 0;
    for (int vertex = 0; vertex < graph.vertices; vertex++) {
      for (int edge = graph.starts[vertex]; edge < graph.starts[vertex + 1]; edge++) {
        sum += (graph.first() + vertex + 1) * (graph.neighbours[edge] + 1) % MODULUS;
      }
    }
    return sum;
  }

  private List<Map<String, Object>> points() {
    Points points = generated.points();
    int last = points.x.length - 1;
    int second = Math.min(1, last);
    double[] mine = {points.first, points.x[0], points.y[0], points.x[second], points.y[second], points.x[last], points.y[last]};
    double[] all = new double[mine.length * world.size()];
    world.allGather(Buf.wrap(mine), Buf.wrap(all));
    List<Map<String, Object>> ranks = new ArrayList<>();
    for (int rank = 0; rank < world.size(); rank++) {
      int at = rank * mine.length;
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("rank", rank);
      one.put("first_lcg_integer", (long) all[at]);
      one.put("point0", List.of(all[at + 1], all[at + 2]));
      one.put("point1", List.of(all[at + 3], all[at + 4]));
      one.put("last_point", List.of(all[at + 5], all[at + 6]));
      ranks.add(one);
    }
    return ranks;
  }

  private List<Map<String, Object>> iterations(History history) {
    List<Map<String, Object>> iterations = new ArrayList<>();
    for (int i = 1; i <= history.iterations(); i++) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("iteration", i);
      one.put("modularity", history.modularity(i));
      one.put("vertices_moved", sum(history.moved(i)));
      one.put("sum_of_target_ids", sum(history.sumOfTargets(i)));
      one.put("nonempty_communities_after", sum(history.communities(i)));
      iterations.add(one);
    }
    return iterations;
  }

  /**
   * Adds the communities after the last iteration but one: the last iteration's moves are not part
   * of the result.
   */
  private void addCommunities(Map<String, Object> figures, Graph graph, History history) {
    int last = history.iterations() - 1;
    figures.put("communities_in_final_assignment", last == 0 ? sum(graph.vertices) : sum(history.communities(last)));
    long sum = 0;
    long checksum = 0;
    long vertex = graph.first();
    for (long community : louvain.communities()) {
      vertex++;
      sum += community;
      checksum += (community + 1) * vertex % MODULUS;
    }
    figures.put("sum_of_final_community_ids", sum(sum));
    figures.put("final_community_checksum", sum(checksum));
  }

  private long sum(double value) {
    return sum((long) value);
  }

  private long sum(long value) {
    return world.allReduce(value, Op.SUM);
  }

  private long[] gather(long value) {
    long[] all = new long[world.size()];
    world.allGather(Buf.copyOf(value), Buf.wrap(all));
    return all;
  }
}
