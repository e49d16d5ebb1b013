// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.kintsugi.mpi.Comm;

/** Communicators of all kinds over a world, for a series of calls. */
final class Teams implements AutoCloseable {
  private static final int PARTS = 2;
  private static final int INTERS = 3;
  private static final int GRIDS = 4;
  private static final int TAG = 31;

  private final Comm world;
  private final int me;
  private final int ranks;
  private final SplittableRandom random;
  private final Layouts shuffler;
  private final List<Team> intras = new ArrayList<>();
  private final List<Team> inters = new ArrayList<>();
  private final List<Team> grids = new ArrayList<>();

  Teams(Comm world, SplittableRandom random) {
    this.world = world;
    this.random = random;
    me = world.rank();
    ranks = world.size();
    shuffler = new Layouts(random);
    intras.add(new Team("dup", new int[][] {IntStream.range(0, ranks).toArray()}, null, null, world.dup()));
    for (int i = 0; i < PARTS; i++) {
      int[] order = order();
      addPart(Arrays.copyOf(order, 1 + random.nextInt(ranks)));
    }
    addPart(order());
    for (int i = 0; i < INTERS && ranks > 1; i++) {
      int[] order = order();
      int members = 2 + random.nextInt(ranks - 1);
      int first = 1 + random.nextInt(members - 1);
      addInter(Arrays.copyOf(order, first), Arrays.copyOfRange(order, first, members));
    }
    for (int i = 0; i < GRIDS; i++) {
      addGrid();
    }
  }

  private int[] order() {
    int[] order = IntStream.range(0, ranks).toArray();
    shuffler.shuffle(order);
    return order;
  }

  private Comm split(int[] members) {
    int place = IntStream.range(0, members.length).filter(i -> members[i] == me).findFirst().orElse(-1);
    Comm part = world.split(place < 0 ? Comm.UNDEFINED : 0, Math.max(place, 0));
    if (place >= 0 && (part.rank() != place || part.size() != members.length)) {
      throw new WrongException("split: rank " + part.rank() + " of " + part.size() + " instead of " + place + " of "
          + members.length);
    }
    return part;
  }

  private void addPart(int[] members) {
    intras.add(new Team("split", new int[][] {members}, null, null, split(members)));
  }

  private void addInter(int[] first, int[] second) {
    Comm a = split(first);
    Comm b = split(second);
    Comm own = a != null ? a : b;
    int leader = random.nextInt(first.length);
    int otherLeader = random.nextInt(second.length);
    Comm across = null;
    if (own != null) {
      across = a != null ? own.intercomm(leader, world, second[otherLeader], TAG + inters.size())
          : own.intercomm(otherLeader, world, first[leader], TAG + inters.size());
      own.close();
    }
    inters.add(new Team("intercomm", new int[][] {first, second}, null, null, across));
  }

  private void addGrid() {
    int directions = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(3);
    int[] dims = new int[directions];
    boolean[] periodic = new boolean[directions];
    int cells = 1;
    for (int i = 0; i < directions; i++) {
      dims[i] = 1 + random.nextInt(ranks / cells);
      periodic[i] = random.nextInt(3) > 0;
      cells *= dims[i];
    }
    int used = cells;
    grids.add(new Team("grid", new int[][] {IntStream.range(0, used).toArray()}, dims, periodic,
        world.cart(dims, periodic, false)));
  }

  /** One of those that are between two groups; null: there is none. */
  Team inter(SplittableRandom of) {
    return inters.isEmpty() ? null : inters.get(of.nextInt(inters.size()));
  }

  Team grid(SplittableRandom of) {
    return grids.get(of.nextInt(grids.size()));
  }

  Team intra(SplittableRandom of) {
    return of.nextInt(8) == 0 ? grid(of) : intras.get(of.nextInt(intras.size()));
  }

  @Override
  public void close() {
    for (List<Team> all : List.of(grids, inters, intras)) {
      for (Team team : all) {
        if (team.comm() != null) {
          team.comm().close();
        }
      }
      all.clear();
    }
  }
}
