// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.kintsugi.runtime.Flavour;

/** Runs code of this package where there are no bindings: whatever asks MPI ends with a {@code NoClassDefFoundError}. */
final class WithoutMpi {
  private WithoutMpi() {}

  /** @param code a class with a public constructor without arguments, which may use JUnit and AssertJ from here */
  static void run(Class<? extends Runnable> code) throws Exception {
    // RawMemory first: newer Javas load it from a folder of its own, before the class for older
    // ones.
    URL[] ours =
        Arrays
            .stream(new Class<?>[] {code, Class.forName("org.kintsugi.mpi.internal.memory.RawMemory"), Buf.class, Flavour.class})
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation()).toArray(URL[]::new);
    ClassLoader outer = WithoutMpi.class.getClassLoader();
    try (URLClassLoader loader = new URLClassLoader(ours, ClassLoader.getPlatformClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        return name.startsWith("org.assertj.") || name.startsWith("org.junit.") ? outer.loadClass(name) : super.findClass(name);
      }
    }) {
      ((Runnable) loader.loadClass(code.getName()).getDeclaredConstructor().newInstance()).run();
    }
  }
}
