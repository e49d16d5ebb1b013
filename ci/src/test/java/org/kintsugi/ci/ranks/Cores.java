// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.ranks;

import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/**
 * Lets two tests at a time compute: more of them, each with several JVMs that start, are slower than two. JUnit runs one more at
 * a time (junit-platform.properties), for tests that {@linkplain MostlyWaits mostly wait}.
 *
 * <p>JUnit finds it as a service.
 */
public final class Cores implements BeforeEachCallback {
  private static final Semaphore CORES = new Semaphore(2);

  @Override
  public void beforeEach(ExtensionContext context) throws InterruptedException {
    if (context.getRequiredTestClass().isAnnotationPresent(MostlyWaits.class)) {
      return;
    }
    CORES.acquire();
    context.getStore(Namespace.create(Cores.class)).put(Cores.class, (CloseableResource) CORES::release);
  }
}
