// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.Request;

/**
 * One operation, or two that overlap, with all memory that they work on.
 *
 * <p>The second one begins while the first is under way. The program may write elsewhere in the
 * memory meanwhile.
 */
final class Call {
  private static final int TAGS = 1000;
  private static final int SHOWN_BYTES = 16;

  private final int number;
  private final int me;
  private final Plan plan;
  private final SplittableRandom random;
  private final List<Operation> operations = new ArrayList<>();
  private final int rounds;
  private final int waiting;

  Call(long seed, int number, int me, int ranks, Teams teams, Kinds kinds, boolean hasArrays) {
    this.number = number;
    this.me = me;
    random = new SplittableRandom(RandomCalls.mix(seed, number));
    plan = new Plan(random, ranks, hasArrays);
    int count = random.nextInt(3) == 0 ? 2 : 1;
    for (int i = 0; i < count; i++) {
      boolean mayBlock = i == count - 1;
      Form form = Form.values()[mayBlock ? random.nextInt(3) : 1 + random.nextInt(2)];
      operations.add(kinds.operation(plan, teams, form, TAGS + 2 * (number % TAGS) + i, count == 1, mayBlock));
    }
    rounds = operations.stream().anyMatch(one -> one.form == Form.PERSISTENT) ? 1 + random.nextInt(3) : 1;
    waiting = random.nextInt(6);
  }

  List<Operation> operations() {
    return operations;
  }

  private List<Operation> own() {
    return operations.stream().filter(one -> one.team.has(me)).toList();
  }

  /** Calls the library and compares. */
  void run() {
    List<Operation> own = own();
    List<Area> areas = plan.areas.get(me);
    areas.forEach(Area::allocate);
    try {
      own.forEach(one -> one.prepare(me));
      for (int round = 0; round < rounds; round++) {
        round(own, areas, round);
      }
    } finally {
      own.forEach(Operation::close);
      areas.forEach(Area::free);
    }
  }

  private void round(List<Operation> own, List<Area> areas, int round) {
    byte[][][] before = images();
    operations.forEach(one -> one.fill(random, before));
    byte[][][] after = copy(before);
    operations.forEach(one -> one.define(before, after));
    for (int i = 0; i < areas.size(); i++) {
      areas.get(i).write(before[me][i]);
    }
    List<Request> requests = new ArrayList<>();
    for (Operation one : own) {
      one.begin(me, requests);
    }
    // Every rank draws the same numbers, whatever it is a member of.
    SplittableRandom own1 = new SplittableRandom(random.nextLong() + me);
    for (int i = 0; i < areas.size() && !own.isEmpty(); i++) {
      scribble(own1, areas.get(i), after[me][i]);
    }
    for (Operation one : own) {
      one.block(me, requests);
    }
    await(own1, requests);
    own.forEach(one -> one.check(me));
    for (int i = 0; i < areas.size(); i++) {
      compare(areas.get(i), i, round, before[me][i], after[me][i]);
    }
  }

  private byte[][][] images() {
    byte[][][] images = new byte[plan.areas.size()][][];
    for (int rank = 0; rank < images.length; rank++) {
      List<Area> areas = plan.areas.get(rank);
      images[rank] = new byte[areas.size()][];
      for (int i = 0; i < areas.size(); i++) {
        images[rank][i] = new byte[areas.get(i).length()];
        random.nextBytes(images[rank][i]);
      }
    }
    return images;
  }

  private static byte[][][] copy(byte[][][] images) {
    byte[][][] copy = new byte[images.length][][];
    for (int rank = 0; rank < images.length; rank++) {
      copy[rank] = new byte[images[rank].length][];
      for (int i = 0; i < images[rank].length; i++) {
        copy[rank][i] = images[rank][i].clone();
      }
    }
    return copy;
  }

  /** The program goes on with elements that no operation uses: they must keep what it writes. */
  private static void scribble(SplittableRandom random, Area area, byte[] image) {
    int width = area.element.bytes;
    for (int element = 0; element < area.length() / width; element++) {
      int at = element * width;
      int used = area.used.nextSetBit(at);
      if ((used < 0 || used >= at + width) && random.nextInt(3) == 0) {
        for (int i = at; i < at + width; i++) {
          image[i] = (byte) random.nextInt();
        }
        area.write(image, element, 1);
      }
    }
  }

  private void await(SplittableRandom own, List<Request> requests) {
    Request[] all = requests.toArray(Request[]::new);
    switch (waiting) {
      case 0 -> Request.waitAll(all);
      case 1 -> {
        for (int i = all.length - 1; i > 0; i--) {
          int j = own.nextInt(i + 1);
          Request kept = all[i];
          all[i] = all[j];
          all[j] = kept;
        }
        for (Request one : all) {
          one.waitFor();
        }
      }
      case 2 -> {
        for (Request one : all) {
          while (!one.test()) {
            Thread.yield();
          }
        }
      }
      case 3 -> {
        while (!Request.testAll(all)) {
          Thread.yield();
        }
      }
      case 4 -> {
        for (int i = 0; i < all.length; i++) {
          Request.waitAny(all);
        }
      }
      default -> {
        for (int done = 0; done < all.length;) {
          done += Request.waitSome(all).length;
        }
      }
    }
  }

  private void compare(Area area, int index, int round, byte[] before, byte[] expected) {
    byte[] found = area.read();
    BitSet ignored = new BitSet();
    for (Operation one : operations) {
      ignored.or(one.ignoredIn(me, index));
    }
    BitSet wrong = new BitSet();
    for (int i = 0; i < found.length; i++) {
      if (found[i] != expected[i] && !ignored.get(i)) {
        wrong.set(i);
      }
    }
    if (wrong.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder();
    text.append("round ").append(round).append(": in area ").append(index).append(" (").append(area).append(") ")
        .append(wrong.cardinality()).append(" bytes are wrong:");
    wrong.stream().limit(SHOWN_BYTES)
        .forEach(i -> text.append("\n    byte ").append(i).append(area.used.get(i) ? "" : " (not used)")
            .append(": ").append(found[i]).append(" instead of ").append(expected[i]).append(", was ").append(before[i]));
    throw new WrongException(text.toString());
  }

  /** To be thrown where anything else comes than the definition says. */
  WrongException wrong(RuntimeException cause) {
    boolean isOwn = cause instanceof WrongException;
    String what =
        isOwn ? cause.getMessage() : cause instanceof MpiException ? "MPI's error " + cause.getMessage() : cause.toString();
    return new WrongException("rank " + me + ": " + what + "\n" + this, isOwn ? null : cause);
  }

  @Override
  public String toString() {
    return "call " + number + ", " + rounds + " rounds, waiting " + waiting + ":\n"
        + operations.stream().map(Operation::toString).collect(Collectors.joining("\n"));
  }
}
