// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.growth;

import java.util.ArrayList;
import java.util.List;

/**
 * The messages of a recovery on ULFM, as Open MPI 5.0 sends them for the calls of {@code UlfmProvider}.
 *
 * <p>An agreement (ERA) goes up a binary tree of the processes of each node, up one of the nodes, and down again. A revocation is
 * a flood on a binomial graph. Shrink has four agreements: on the failed processes, two on the identifier of the new
 * communicator, and one that all have it. Split gathers colour and key, and has three reductions for the same purpose, which go
 * up and down a binomial tree (libnbc). A gather has log2 p rounds, and its messages double from round to round (Bruck).
 */
public final class RecoveryScript implements Script {
  private static final int AGREEMENT_BYTES = 64;
  private static final int REDUCTION_BYTES = 16;
  private static final int SPLIT_BYTES = 8;

  private final int processes;
  private final int perNode;
  private final int rounds;
  private final Costs costs;
  private final double farNanos;
  private final List<List<Part>> phases = new ArrayList<>();

  /** A piece of a phase: some operations of each process. */
  private interface Part {
    int count(int process);

    void at(int process, int index, Operation next);
  }

  /** The script of a recovery of a number of survivors on a machine. */
  public RecoveryScript(int processes, Costs costs, Machine machine) {
    this.processes = processes;
    this.costs = costs;
    perNode = machine.perNode();
    farNanos = machine.farNanos();
    rounds = rounds(processes);
    phases.add(List.of(new Notice(), compute(Step.REVOKE), new Mark(Step.REVOKE)));
    phases.add(List.of(compute(Step.UNWIND), new Mark(Step.UNWIND)));
    phases.add(List.of(compute(Step.MEET), new Agreement(), new Mark(Step.MEET)));
    phases.add(List.of(new Agreement(), compute(Step.SHRINK), new Agreement(), new Agreement(), new Agreement(),
        new Mark(Step.SHRINK)));
    phases.add(List.of(compute(Step.GATHER), new Rounds(costs.rowBytes(), true), new Mark(Step.GATHER)));
    phases.add(List.of(compute(Step.SPLIT), new Rounds(SPLIT_BYTES, true), new Reduction(), new Reduction(),
        new Reduction(), new Mark(Step.SPLIT)));
    phases.add(List.of(compute(Step.AGREE), new Agreement(), new Mark(Step.AGREE)));
    phases.add(List.of(compute(Step.ENTER), new Rounds(0, false), new Mark(Step.ENTER)));
  }

  /** The number of rounds in which each process has reached all: the logarithm, rounded up. */
  static int rounds(int processes) {
    return processes <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(processes - 1);
  }

  @Override
  public int processes() {
    return processes;
  }

  @Override
  public boolean at(int process, int phase, int index, Operation next) {
    if (phase == phases.size()) {
      next.end();
      return true;
    }
    int left = index;
    for (Part part : phases.get(phase)) {
      int count = part.count(process);
      if (left < count) {
        part.at(process, left, next);
        return true;
      }
      left -= count;
    }
    return false;
  }

  private Part compute(Step step) {
    return new Compute(costs.of(step, processes));
  }

  private record Compute(double nanos) implements Part {
    @Override
    public int count(int process) {
      return 1;
    }

    @Override
    public void at(int process, int index, Operation next) {
      next.compute(nanos);
    }
  }

  private record Mark(Step step) implements Part {
    @Override
    public int count(int process) {
      return 1;
    }

    @Override
    public void at(int process, int index, Operation next) {
      next.mark(step.ordinal());
    }
  }

  /** The launcher notifies the processes, each node on its own; and each one that knows floods the neighbours. */
  private final class Notice implements Part {
    /** The last process is a spare: no member of the world, so that no flood reaches it. */
    private final int ranks = Math.max(1, processes - 1);
    /** Up and down the binomial graph: distances 1, 2, 4, ... to half of the processes. */
    private final int distances = ranks < 2 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(ranks / 2);

    @Override
    public int count(int process) {
      return 1 + (process == 0 ? 1 : 0) + (process < ranks ? 2 * distances : 0);
    }

    @Override
    public void at(int process, int index, Operation next) {
      if (index == 0) {
        int nodes = 1 + (processes - 1) / perNode;
        next.awaitFlood(costs.noticeNanos() + rounds(nodes) * farNanos + process % perNode * costs.noticeEachNanos()
            + (process < ranks ? 0 : costs.spareNanos()));
      } else if (process == 0 && index == 1) {
        next.mark(Step.NOTICE.ordinal());
      } else {
        int link = index - (process == 0 ? 2 : 1);
        int distance = 1 << link / 2;
        next.flood(Math.floorMod(link % 2 == 0 ? process + distance : process - distance, ranks));
      }
    }
  }

  /** A reduction up a tree, and the result down again. */
  private final class Agreement implements Part {
    @Override
    public int count(int process) {
      return 2 * children(process) + (process == 0 ? 0 : 2);
    }

    @Override
    public void at(int process, int index, Operation next) {
      int children = children(process);
      int up = process == 0 ? 0 : 2;
      if (index < children) {
        next.receive(child(process, index));
      } else if (index < children + up) {
        int parent = parent(process);
        if (index == children) {
          next.send(parent, AGREEMENT_BYTES);
        } else {
          next.receive(parent);
        }
      } else {
        next.send(child(process, index - children - up), AGREEMENT_BYTES);
      }
    }

    private int children(int process) {
      int count = 0;
      while (count < 4 && child(process, count) >= 0) {
        count++;
      }
      return count;
    }

    /** First those of its node, then, of the first process of a node, the first ones of other nodes; -1: no more. */
    private int child(int process, int number) {
      int node = process / perNode;
      int place = process % perNode;
      int first = node * perNode;
      int here = Math.min(perNode, processes - first);
      int near = Math.max(0, Math.min(2, here - (2 * place + 1)));
      if (number < near) {
        return first + 2 * place + 1 + number;
      }
      long far = (2L * node + 1 + number - near) * perNode;
      return place == 0 && number - near < 2 && far < processes ? (int) far : -1;
    }

    private int parent(int process) {
      int node = process / perNode;
      int place = process % perNode;
      return place > 0 ? node * perNode + (place - 1) / 2 : (node - 1) / 2 * perNode;
    }
  }

  /** As an agreement, but up and down a binomial tree: a process has as many children as its number ends with zeros in binary. */
  private final class Reduction implements Part {
    @Override
    public int count(int process) {
      return 2 * children(process) + (process == 0 ? 0 : 2);
    }

    @Override
    public void at(int process, int index, Operation next) {
      int children = children(process);
      int up = process == 0 ? 0 : 2;
      int parent = process & process - 1;
      if (index < children) {
        next.receive(process + (1 << index));
      } else if (index < children + up) {
        if (index == children) {
          next.send(parent, REDUCTION_BYTES);
        } else {
          next.receive(parent);
        }
      } else {
        // The child with the most processes below it first.
        next.send(process + (1 << 2 * children + up - 1 - index), REDUCTION_BYTES);
      }
    }

    private int children(int process) {
      int most = process == 0 ? rounds : Integer.numberOfTrailingZeros(process);
      int count = 0;
      while (count < most && process + (1L << count) < processes) {
        count++;
      }
      return count;
    }
  }

  /** Each process sends to the one at a distance that doubles, and receives from the one at the same distance before it. */
  private final class Rounds implements Part {
    private final int bytes;
    private final boolean doubles;

    /** @param doubles whether a process sends all that it has received so far */
    Rounds(int bytes, boolean doubles) {
      this.bytes = bytes;
      this.doubles = doubles;
    }

    @Override
    public int count(int process) {
      return 2 * rounds;
    }

    @Override
    public void at(int process, int index, Operation next) {
      int distance = 1 << index / 2;
      if (index % 2 == 0) {
        next.send((int) (((long) process + distance) % processes),
            (long) bytes * (doubles ? Math.min(distance, processes - distance) : 1));
      } else {
        next.receive(Math.floorMod(process - distance, processes));
      }
    }
  }
}
