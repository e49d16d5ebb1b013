// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.kintsugi.mpi.Attribute;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Info;
import org.kintsugi.mpi.Mpi;
import org.kintsugi.mpi.Op;
import org.kintsugi.mpi.SplitType;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.test.RanksTest;

/** Hints, objects kept with communicators, and what MPI tells about itself. */
@Tag("flavours")
class InfoAndAttributesTest {
  @RanksTest(n = {1, 2})
  void infoHoldsPairs(Mpi mpi) {
    try (Info info = Info.of(Map.of("colour", "grün"))) {
      info.set("size", "1").set("size", "2");
      assertThat(info.get("colour")).contains("grün");
      assertThat(info.get("missing")).isEmpty();
      assertThat(info.toMap()).containsOnly(Map.entry("colour", "grün"), Map.entry("size", "2"));
      assertThat(info.remove("colour")).isTrue();
      assertThat(info.remove("colour")).isFalse();
      assertThat(info.set("long", "x".repeat(255)).get("long")).contains("x".repeat(255));
      assertThatThrownBy(() -> info.set("", "x")).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("key ''");
      assertThatThrownBy(() -> info.set("k".repeat(36), "x")).isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("36 bytes");
      assertThatThrownBy(() -> info.set("key", null)).isInstanceOf(NullPointerException.class)
          .hasMessageContaining("value is null");
      try (Comm hinted = mpi.world().dup(info)) {
        hinted.setInfo(info);
        hinted.info().close();
        assertThat(hinted.allReduce(1L, Op.SUM)).isEqualTo(mpi.world().size());
      }
    }
  }

  @RanksTest(n = 1)
  void aClosedInfoIsRefused(Mpi mpi) {
    Info info = Info.create();
    info.close();
    info.close();
    assertThatThrownBy(() -> info.get("size")).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
  }

  @RanksTest(n = 2)
  void attributesFollowDuplicates(Mpi mpi) {
    List<String> deleted = new ArrayList<>();
    Attribute<String> inherited = Attribute.create(value -> value + "'", deleted::add);
    Attribute<String> own = Attribute.create();
    try (Comm first = mpi.world().dup()) {
      assertThat(first.attribute(own)).isNull();
      first.setAttribute(own, "a");
      first.setAttribute(inherited, "b");
      try (Comm second = first.dup()) {
        assertThat(second.attribute(own)).isNull();
        assertThat(second.attribute(inherited)).isEqualTo("b'");
      }
      assertThat(deleted).containsExactly("b'");
      first.setAttribute(inherited, "c");
      first.setAttribute(own, null);
      assertThat(first.attribute(own)).isNull();
    }
    assertThat(deleted).containsExactly("b'", "b", "c");
  }

  @RanksTest(n = {1, 2})
  void whatMpiTells(Mpi mpi) {
    assertThat(mpi.tagUpperBound()).isGreaterThanOrEqualTo(32767);
    assertThat(mpi.appNumber()).hasValue(0);
    assertThat(mpi.universeSize().orElse(1)).isPositive();
    try (Comm node = mpi.world().splitType(SplitType.SHARED, 0, null)) {
      assertThat(node.size()).isEqualTo(mpi.world().size());
      if (Flavour.current() == Flavour.ULFM) { // guided splits came with MPI 4
        try (Info hardware = Info.of(Map.of("mpi_hw_resource_type", "mpi_shared_memory"));
            Comm guided = mpi.world().splitType(SplitType.HW_GUIDED, 0, hardware)) {
          assertThat(guided == null ? node.size() : guided.size()).isEqualTo(node.size());
        }
      }
    }
    assertThat(mpi.world().splitType(null, 0, null)).isNull();
  }
}
