// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.kintsugi.ci.ranks.RanksTest;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Datatype;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.Parts;

/** Misuse is caught in Java, says what was wrong and with which value, and the job stays usable. */
@Tag("flavours")
class MisuseTest {
  private static void isRefused(ThrowingCallable call, Class<? extends Exception> type, String... words) {
    var assertion = assertThatThrownBy(call).isInstanceOf(type);
    for (String word : words) {
      assertion.hasMessageContaining(word);
    }
  }

  @RanksTest(n = {1, 2})
  void badArgumentsAreNamed(Mpi mpi) {
    Comm world = mpi.world();
    Buf one = Buf.of(1);
    isRefused(() -> world.send(null, 0, 1), NullPointerException.class, "buf is null");
    isRefused(() -> world.send(one, world.size(), 1), IllegalArgumentException.class, "dest " + world.size());
    isRefused(() -> world.send(one, -7, 1), IllegalArgumentException.class, "dest -7");
    isRefused(() -> world.recv(one, 99, 1), IllegalArgumentException.class, "source 99");
    isRefused(() -> world.send(one, 0, -3), IllegalArgumentException.class, "tag -3");
    isRefused(() -> world.bcast(one, 5), IllegalArgumentException.class, "root 5");
    isRefused(() -> world.allReduce(one, Buf.of(1.0), Op.SUM), IllegalArgumentException.class, "Int", "Double");
    isRefused(() -> world.allReduce(Buf.of(1, 2), one, Op.SUM), IllegalArgumentException.class, "1 elements");
    isRefused(() -> world.allGather(one, Buf.of(new int[0])), IllegalArgumentException.class, "0 elements");
    isRefused(() -> Buf.ofInts(-1), IllegalArgumentException.class, "count -1");
    isRefused(() -> Buf.of(new int[3], 2, 2), IllegalArgumentException.class, "offset 2", "3 elements");
    isRefused(() -> one.slice(0, 2), IllegalArgumentException.class, "count 2");
    isRefused(() -> one.getInt(1), IndexOutOfBoundsException.class, "index 1");
    isRefused(() -> Buf.of(ByteBuffer.allocate(4)), IllegalArgumentException.class, "not direct");
    isRefused(() -> world.split(-5, 0), IllegalArgumentException.class, "color -5");
    isRefused(() -> world.cart(new int[] {99}, new boolean[] {false}, false), IllegalArgumentException.class, "99");
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(world.size());
  }

  @RanksTest(n = 2)
  void theSameBufferOnAllRanksIsInPlaceAtTheRootOnly(Mpi mpi) {
    Comm world = mpi.world();
    int me = world.rank();
    Buf same = Buf.of(new int[] {me + 1, me + 1});
    world.reduce(same, same, Op.SUM, 0);
    assertThat(same.getInt(1)).isEqualTo(me == 0 ? 3 : 2);
    Buf part = me == 0 ? Buf.of(new int[] {1, 0}) : Buf.of(2);
    world.gather(part, part, 0);
    assertThat(part.getInt(me == 0 ? 1 : 0)).isEqualTo(2);
    world.scatter(part, part, 0);
    assertThat(part.getInt(0)).isEqualTo(me == 0 ? 1 : 2);
    isRefused(() -> world.gatherV(Buf.ofLongs(4), Buf.ofBytes(8), new int[] {4, 4}, new int[] {0, 4}, me),
        IllegalArgumentException.class, "Long", "Byte");
    Parts parts = Parts.of(new int[] {1, 1}, new int[] {0, 4}, new Datatype[] {Datatype.INT, Datatype.INT});
    isRefused(() -> world.allToAllW(same, parts, same, parts), IllegalArgumentException.class, "in place");
    assertThat(world.allReduce(1L, Op.SUM)).isEqualTo(2);
  }

  @RanksTest(n = 1)
  void argumentsOfAProgramAreLookedAtFirst(Mpi mpi) {
    isRefused(() -> mpi.world().spawn("true", new String[] {"a", null}, 1, 0), NullPointerException.class, "arguments[1]");
    isRefused(() -> mpi.world().spawn(null, new String[0], 1, 0), NullPointerException.class, "command");
  }

  @RanksTest(n = {1, 2})
  void closedThingsAreRefused(Mpi mpi) {
    Comm copy = mpi.world().dup();
    copy.close();
    isRefused(copy::barrier, IllegalStateException.class, "communicator is closed");
    Buf gone = Buf.ofInts(1);
    gone.close();
    gone.close();
    isRefused(() -> gone.getInt(0), IllegalStateException.class, "closed");
    isRefused(() -> mpi.world().bcast(gone, 0), IllegalStateException.class, "closed");
    isRefused(() -> Mpi.init(), IllegalStateException.class, "initialised already");
    mpi.world().close();
    assertThat(mpi.world().allReduce(1L, Op.SUM)).isEqualTo(mpi.world().size());
  }
}
