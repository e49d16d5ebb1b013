// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist.internal.scr;

import org.kintsugi.persist.MessageStore;
import org.kintsugi.persist.MessageStoreProvider;

/** Brings the store {@code scr}. */
public final class ScrStoreProvider implements MessageStoreProvider {
  /** For {@link java.util.ServiceLoader}. */
  public ScrStoreProvider() {}

  @Override
  public String name() {
    return "scr";
  }

  @Override
  public MessageStore make() {
    return new ScrMessageStore();
  }
}
