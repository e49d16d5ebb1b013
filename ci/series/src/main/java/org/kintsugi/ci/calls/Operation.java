// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.MpiException;
import org.kintsugi.mpi.MpiFaultException;
import org.kintsugi.mpi.PersistentRequest;
import org.kintsugi.mpi.Request;

/**
 * One operation: planned for all ranks, defined by its effect on all memory, and called by this one. Images of memory are
 * {@code [rank][area][byte]}.
 */
abstract class Operation {
  final Plan plan;
  final Team team;
  final Form form;
  /** This process's, of the operation's datatypes. */
  final Layout.Types types = new Layout.Types();
  private PersistentRequest persistent;
  private final List<Ignored> ignored = new ArrayList<>();
  private boolean isRefused;

  /** Bytes of a result that is not defined. */
  private record Ignored(Place place, int firstBasic, int basics) {}

  Operation(Plan plan, Team team, Form form) {
    this.plan = plan;
    this.team = team;
    this.form = form;
  }

  /** The collective's name, for the counts at the end. */
  abstract String name();

  /** The buffers of all ranks, to replay a call by hand. */
  abstract String details();

  /** Overwrites random contents where an operation needs others. */
  void fill(SplittableRandom random, byte[][][] images) {}

  abstract void define(byte[][][] before, byte[][][] after);

  /**
   * Calls the library, on members only.
   *
   * @return the request; null for a blocking call
   */
  abstract Request call(int me, Comm comm, Form as);

  /** Checks the results of the call that are not in the memory. */
  void check(int me) {}

  /** All ranks must get an exception, and keep their memory as it is. */
  final void refuse() {
    isRefused = true;
  }

  final boolean isRefused() {
    return isRefused;
  }

  final void ignore(Place place, int firstBasic, int basics) {
    ignored.add(new Ignored(place, firstBasic, basics));
  }

  /** The bytes of an area that may hold anything. */
  final BitSet ignoredIn(int rank, int area) {
    BitSet bytes = new BitSet();
    for (Ignored one : ignored) {
      if (one.place.rank() == rank && one.place.area() == area) {
        for (int i = one.firstBasic; i < one.firstBasic + one.basics; i++) {
          bytes.set(one.place.at(i), one.place.at(i) + one.place.kind(i).bytes);
        }
      }
    }
    return bytes;
  }

  /** Before the first round. */
  void prepare(int me) {
    if (form == Form.PERSISTENT) {
      persistent = (PersistentRequest) attempt(me, form);
    }
  }

  /** Starts what does not block. */
  void begin(int me, List<Request> requests) {
    if (form == Form.NONBLOCKING) {
      Request request = attempt(me, form);
      if (request != null) {
        requests.add(request);
      }
    } else if (persistent != null) {
      persistent.start();
      requests.add(persistent);
    }
  }

  /** Does what blocks. */
  void block(int me, List<Request> requests) {
    if (form == Form.BLOCKING) {
      attempt(me, form);
    }
  }

  private Request attempt(int me, Form as) {
    Request request;
    try {
      request = call(me, team.comm(), as);
    } catch (MpiFaultException e) {
      throw e;
    } catch (IllegalArgumentException | MpiException | UnsupportedOperationException e) {
      if (isRefused) {
        return null;
      }
      throw e;
    }
    if (isRefused) {
      throw new WrongException("is not refused");
    }
    return request;
  }

  void close() {
    if (persistent != null) {
      persistent.close();
    }
    types.close();
  }

  static ByteBuffer of(byte[] image) {
    return ByteBuffer.wrap(image).order(ByteOrder.nativeOrder());
  }

  /** Copies a number of basic elements from one buffer to another one. */
  static void move(byte[][][] before, byte[][][] after, Place from, int fromBasic, Place to, int toBasic, int basics) {
    byte[] source = before[from.rank()][from.area()];
    byte[] target = after[to.rank()][to.area()];
    for (int i = 0; i < basics; i++) {
      Basic kind = from.kind(fromBasic + i);
      if (kind != to.kind(toBasic + i)) {
        throw new AssertionError("the generator has planned unlike signatures: " + from + ", " + to);
      }
      System.arraycopy(source, from.at(fromBasic + i), target, to.at(toBasic + i), kind.bytes);
    }
  }

  @Override
  public String toString() {
    return form + " " + name() + " on " + team + (isRefused ? ", to be refused" : "") + "\n" + details();
  }
}
