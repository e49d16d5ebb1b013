// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.recovery;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program's own handler for SIGUSR1.
 *
 * <p>It is registered by reflection: javac warns of sun.misc.Signal, and the warning cannot be
 * switched off.
 */
final class OwnHandler {
  private final AtomicInteger calls = new AtomicInteger();
  private final Object signal;

  OwnHandler() throws ReflectiveOperationException {
    Class<?> signalClass = Class.forName("sun.misc.Signal");
    Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
    signal = signalClass.getConstructor(String.class).newInstance("USR1");
    Object handler = Proxy.newProxyInstance(OwnHandler.class.getClassLoader(), new Class<?>[] {handlerClass},
        (proxy, method, arguments) -> calls.incrementAndGet());
    signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, signal, handler);
  }

  void raise() throws ReflectiveOperationException {
    signal.getClass().getMethod("raise", signal.getClass()).invoke(null, signal);
  }

  int calls() {
    return calls.get();
  }
}
