// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.kintsugi.reinit.SettingSamples;

/** Message stores of others are found by their providers, or by the names of their classes; no MPI needed. */
@Isolated("sets properties")
class MessageStoresTest {
  /** Registered in this folder's META-INF/services. */
  public static final class Provider implements MessageStoreProvider {
    @Override
    public String name() {
      return "theirs";
    }

    @Override
    public MessageStore make() {
      return new Theirs();
    }
  }

  /** Another kind of store. */
  public static final class Theirs extends MemoryMessageStore {
    public Theirs() {}
  }

  private static MessageStore named(String name) {
    return MessageStores.of(PersistSettings.of(Map.of(PersistSettings.STORE, name)));
  }

  @Test
  void aStoreOfOthersIsFoundByNameOrClass() {
    assertThat(named("theirs")).isInstanceOf(Theirs.class);
    assertThat(named(Theirs.class.getName())).isInstanceOf(Theirs.class);
    assertThat(named("scr").getClass().getName()).isEqualTo("org.kintsugi.persist.internal.scr.ScrMessageStore");
  }

  @Test
  void anUnknownOneIsRefusedWithTheNamesThatThereAre() {
    assertThatThrownBy(() -> named("floppy")).isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("=floppy: expected memory, file, jdbc, ").hasMessageContaining("scr").hasMessageContaining("theirs")
        .hasMessageContaining("or the name of a public class that implements org.kintsugi.persist.MessageStore");
  }

  /** A name that is none of ours may be a class. */
  @Test
  void theLauncherTakesTheSame() {
    SettingSamples.judge(PersistConfig.STORE, () -> PersistSettings.of(Map.of()));
  }
}
