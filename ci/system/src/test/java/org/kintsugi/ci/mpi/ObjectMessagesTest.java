// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.NotSerializableException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Intercomm;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.persist.PersistentComm;
import org.kintsugi.test.RanksTest;

/** Objects and strings in messages and collectives. */
@Tag("flavours")
class ObjectMessagesTest {
  private static final int TAG = 3;

  record Input(String name, double[] values, TreeMap<String, Integer> sizes) implements Serializable {
    static Input of(int rank) {
      return new Input("input of " + rank, new double[] {rank, 0.5}, new TreeMap<>(Map.of("rank", rank)));
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Input that && name.equals(that.name) && java.util.Arrays.equals(values, that.values)
          && sizes.equals(that.sizes);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** Names no class: what it holds must be named in the call. */
  static final class Anything implements Serializable {
    private static final long serialVersionUID = 1;
    final Object content;

    Anything(Object content) {
      this.content = content;
    }
  }

  /** Not in the nest of a named class. */
  private static Serializable notNamed() {
    return new Object[] {Thread.State.NEW};
  }

  /** Deeper than any stack. */
  private static Anything deep() {
    Anything deep = new Anything(null);
    for (int i = 0; i < 100_000; i++) {
      deep = new Anything(deep);
    }
    return deep;
  }

  private static void assertAllAreTogether(Comm world) {
    assertThat(world.allReduce(1, Op.SUM)).isEqualTo(world.size());
  }

  @RanksTest
  void theRootsObjectComesToAll(Mpi mpi) {
    Comm world = mpi.world();
    for (int root = 0; root < world.size(); root++) {
      boolean isRoot = world.rank() == root;
      assertThat(world.bcastObject(Input.class, isRoot ? Input.of(root) : null, root)).isEqualTo(Input.of(root));
      assertThat(world.bcastObject(Input.class, isRoot ? null : Input.of(9), root)).isNull();
      assertThat(world.bcast(isRoot ? "Schön, 金継ぎ\n" : null, root)).isEqualTo("Schön, 金継ぎ\n");
      assertThat(world.bcast(isRoot ? "" : "mine", root)).isEmpty();
      Anything held = world.bcastObject(Anything.class, isRoot ? new Anything(Input.of(root)) : null, root, Input.class);
      assertThat(held.content).isEqualTo(Input.of(root));
    }
    assertThatThrownBy(() -> world.bcast("text", world.size())).isInstanceOf(IllegalArgumentException.class);
  }

  @RanksTest
  void objectsAreGathered(Mpi mpi) {
    Comm world = mpi.world();
    List<Input> all = IntStream.range(0, world.size()).mapToObj(Input::of).toList();
    assertThat(world.allGatherObjects(Input.class, Input.of(world.rank()))).isEqualTo(all);
    int root = world.size() - 1;
    assertThat(world.gatherObjects(Input.class, Input.of(world.rank()), root)).isEqualTo(world.rank() == root ? all : null);
    List<String> names = world.allGatherObjects(String.class, world.rank() == 0 ? null : "x".repeat(1000 * world.rank()));
    assertThat(names).hasSize(world.size());
    assertThat(names.get(0)).isNull();
    assertThat(names.get(root) == null ? 0 : names.get(root).length()).isEqualTo(1000 * root);
  }

  @RanksTest
  void objectsAreSentAndReceived(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      List<String> texts = new ArrayList<>();
      for (int i = 1; i < world.size(); i++) {
        texts.add(world.recvObject(String.class, Comm.ANY_SOURCE, TAG));
      }
      Collections.sort(texts);
      assertThat(texts).isEqualTo(IntStream.range(1, world.size()).mapToObj(rank -> "from " + rank).toList());
    } else {
      world.sendObject(String.class, "from " + world.rank(), 0, TAG);
    }
    world.sendObject(String.class, "nothing", Comm.PROC_NULL, TAG);
    assertThat(world.recvObject(String.class, Comm.PROC_NULL, TAG)).isNull();
  }

  /** Whatever serializing throws on one rank, all throw, with the reason, and go on together. */
  @RanksTest
  void anObjectThatCannotBeSentIsRefusedOnAllRanks(Mpi mpi) {
    Comm world = mpi.world();
    int wrong = world.size() - 1;
    boolean isWrong = world.rank() == wrong;
    List<Anything> objects = List.of(new Anything(Thread.currentThread()), new Anything(notNamed()), deep());
    List<String> reasons = List.of("NotSerializableException: java.lang.Thread",
        "it holds an object of java.lang.Thread$State, which neither " + Anything.class.getName(), "StackOverflowError");
    for (int i = 0; i < objects.size(); i++) {
      Anything mine = isWrong ? objects.get(i) : new Anything(null);
      String reason = "rank " + wrong + "'s object of " + Anything.class.getName() + " cannot be sent: ";
      assertThatThrownBy(() -> world.bcastObject(Anything.class, mine, wrong)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("bcastObject: " + reason).hasMessageContaining(reasons.get(i));
      assertThatThrownBy(() -> world.gatherObjects(Anything.class, mine, 0)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("gatherObjects: " + reason).hasMessageContaining(reasons.get(i));
      assertThatThrownBy(() -> world.allGatherObjects(Anything.class, mine)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("allGatherObjects: " + reason).hasMessageContaining(reasons.get(i));
      if (isWrong && wrong > 0) {
        assertThatThrownBy(() -> world.sendObject(Anything.class, mine, 0, TAG)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("sendObject: " + reason);
      } else if (world.rank() == 0 && wrong > 0) {
        assertThatThrownBy(() -> world.recvObject(Anything.class, wrong, TAG)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("sendObject: " + reason).hasMessageContaining(reasons.get(i));
      }
      assertAllAreTogether(world);
    }
    if (isWrong) {
      assertThatThrownBy(() -> world.sendObject(Anything.class, objects.get(0), Comm.PROC_NULL, TAG))
          .hasCauseInstanceOf(NotSerializableException.class);
    }
  }

  /** Bytes name classes, and reading them runs code of these: so the receiver's own call names those that may be read. */
  @RanksTest(n = 2)
  void aReceiverReadsNoClassThatItsCallDoesNotName(Mpi mpi) {
    Comm world = mpi.world();
    if (world.rank() == 0) {
      world.sendObject(Anything.class, new Anything(Thread.State.NEW), 1, TAG, Thread.State.class);
    } else {
      assertThatThrownBy(() -> world.recvObject(Anything.class, 0, TAG)).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the object of rank 0 cannot be read as " + Anything.class.getName())
          .hasMessageContaining("java.lang.Thread$State").hasMessageContaining("add the class to the call of recvObject");
    }
    assertAllAreTogether(world);
  }

  @RanksTest(n = 2)
  void betweenTwoGroupsObjectsAreSentOnly(Mpi mpi) {
    try (Comm alone = mpi.world().split(mpi.world().rank(), 0);
        Intercomm both = alone.intercomm(0, mpi.world(), 1 - mpi.world().rank(), TAG)) {
      assertThatThrownBy(() -> both.bcast("text", 0)).isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("sendObject");
      assertThatThrownBy(() -> both.gatherObjects(String.class, "text", 0)).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> both.allGatherObjects(String.class, "text")).isInstanceOf(UnsupportedOperationException.class);
      if (mpi.world().rank() == 0) {
        both.sendObject(String.class, "across", 0, TAG);
      } else {
        assertThat(both.recvObject(String.class, 0, TAG)).isEqualTo("across");
      }
    }
  }

  /** A persistent communicator stores contributions, and leaves the buffers of receivers as they are. */
  @RanksTest(n = 2)
  void aPersistentCommunicatorRefusesObjects(Mpi mpi) {
    try (Info none = Info.of(Map.of()); PersistentComm persistent = PersistentComm.of(mpi.world(), "objects", none)) {
      Comm comm = persistent.comm();
      assertThatThrownBy(() -> comm.bcast("text", 0)).isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("bcastObject on a persistent communicator");
      assertThatThrownBy(() -> comm.sendObject(String.class, "text", 0, TAG)).isInstanceOf(UnsupportedOperationException.class);
      assertThatThrownBy(() -> comm.recvObject(String.class, 0, TAG)).isInstanceOf(UnsupportedOperationException.class);
      assertThat(comm.bcast(7, 0)).isEqualTo(7);
      persistent.forget();
    }
    mpi.world().bcast(Buf.copyOf(1), 0);
  }
}
