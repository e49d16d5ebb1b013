// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.lulesh;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Op;

/** The figures that LULESH reports, by the names of the reference figures. */
final class LuleshFigures {
  private LuleshFigures() {}

  /** Collective. @param world null: one rank */
  static Map<String, Object> of(Hydrodynamics blast, History history, Comm world) {
    Domain domain = blast.domain;
    TimeStep time = blast.time;
    Map<String, Object> figures = new LinkedHashMap<>();
    figures.put("iteration_count", time.cycle());
    figures.put("final_time", time.time());
    figures.put("final_dt", time.dt());
    figures.put("final_origin_energy", domain.energy[0]);
    figures.put("final_origin_energy_printed", String.format(Locale.ROOT, "%e", domain.energy[0]));
    addAsymmetry(domain, figures);
    figures.put("cycle_time_dt_first", history.entries(time.cycle()));
    figures.put("cycle_time_dt_last", List.of(time.cycle(), time.time(), time.dt()));
    figures.put("origin_element", Map.of("pressure", domain.pressure[0], "artificial_viscosity", domain.viscosity[0],
        "relative_volume", domain.volume[0], "sound_speed", domain.soundSpeed[0]));
    if (domain.energy.length > 1) {
      figures.put("energy_of_element_1_of_rank_0", domain.energy[1]);
    }
    figures.put("x_of_node_1_of_rank_0", domain.x[1]);
    figures.put("xvelocity_of_node_1_of_rank_0", domain.vx[1]);
    figures.put("whole_mesh", wholeMesh(domain, world));
    return figures;
  }

  /** The blast is the same along x and y: how much energies in the lowest layer differ from their mirror images. */
  private static void addAsymmetry(Domain domain, Map<String, Object> figures) {
    Block block = domain.block;
    double most = 0.0;
    double total = 0.0;
    double mostRelative = 0.0;
    for (int j = 0; j < block.edge; j++) {
      for (int k = j + 1; k < block.edge; k++) {
        double mirrored = domain.energy[block.element(j, k, 0)];
        double difference = Math.abs(domain.energy[block.element(k, j, 0)] - mirrored);
        total += difference;
        most = Math.max(most, difference);
        mostRelative = mirrored == 0.0 ? mostRelative : Math.max(mostRelative, difference / mirrored);
      }
    }
    figures.put("MaxAbsDiff", most);
    figures.put("TotalAbsDiff", total);
    figures.put("MaxRelDiff", mostRelative);
  }

  private static Map<String, Object> wholeMesh(Domain domain, Comm world) {
    double energy = 0.0;
    double energyOfVolume = 0.0;
    double volume = 0.0;
    double mass = 0.0;
    for (int element = 0; element < domain.energy.length; element++) {
      energy += domain.energy[element];
      energyOfVolume += domain.energy[element] * domain.referenceVolume[element];
      volume += domain.volume[element] * domain.referenceVolume[element];
      mass += domain.referenceVolume[element];
    }
    Map<String, Object> mesh = new LinkedHashMap<>();
    mesh.put("sum_of_element_energy", reduce(world, energy, Op.SUM));
    mesh.put("sum_of_energy_times_reference_volume", reduce(world, energyOfVolume, Op.SUM));
    mesh.put("sum_of_current_volume", reduce(world, volume, Op.SUM));
    mesh.put("sum_of_element_mass", reduce(world, mass, Op.SUM));
    mesh.put("max_energy", reduce(world, largest(domain.energy), Op.MAX));
    mesh.put("max_pressure", reduce(world, largest(domain.pressure), Op.MAX));
    mesh.put("max_viscosity", reduce(world, largest(domain.viscosity), Op.MAX));
    mesh.put("max_relative_volume", reduce(world, largest(domain.volume), Op.MAX));
    mesh.put("min_relative_volume", reduce(world, smallest(domain.volume), Op.MIN));
    mesh.put("max_x_velocity", reduce(world, largest(domain.vx), Op.MAX));
    return mesh;
  }

  private static double reduce(Comm world, double value, Op how) {
    return world == null ? value : world.allReduce(value, how);
  }

  private static double largest(double[] values) {
    double largest = values[0];
    for (double value : values) {
      largest = Math.max(largest, value);
    }
    return largest;
  }

  private static double smallest(double[] values) {
    double smallest = values[0];
    for (double value : values) {
      smallest = Math.min(smallest, value);
    }
    return smallest;
  }
}
