// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.kintsugi.ci.ranks.RanksTest;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Group;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.RevokedException;

/** ULFM's own calls, with nobody dead. */
class RevokeShrinkAgreeTest {
  @RanksTest(n = {1, 3})
  void revokeShrinkAndAgree(Mpi mpi) {
    Comm world = mpi.world();
    assertThat(mpi.isFaultTolerant()).isTrue();
    Comm doomed = world.dup();
    assertThat(doomed.agree(true)).isTrue();
    assertThat(doomed.agree(world.rank() != 0)).isFalse();
    assertThat(doomed.agree(world.rank() == 0 ? 6 : 3)).isEqualTo(world.size() == 1 ? 6 : 2);
    try (Buf flag = Buf.ofInts(1)) {
      flag.putInt(0, 5);
      doomed.iAgree(flag).waitFor();
      assertThat(flag.getInt(0)).isEqualTo(5);
    }
    world.barrier();
    doomed.revoke();
    assertThat(doomed.isRevoked()).isTrue();
    assertThatThrownBy(doomed::barrier).isInstanceOf(RevokedException.class);
    try (Comm alive = doomed.shrink(); Group failed = doomed.failedGroup()) {
      assertThat(alive.size()).isEqualTo(world.size());
      assertThat(failed.size()).isZero();
      assertThat(doomed.ackFailed()).isZero();
    }
    doomed.close();
    doomed.close();
    assertThat(doomed.isClosed()).isTrue();
  }
}
