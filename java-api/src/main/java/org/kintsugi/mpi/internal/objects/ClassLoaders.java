// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.kintsugi.runtime.internal.InRecovery;

/**
 * The class loaders that may know the classes of a serialized object.
 *
 * <p>Single-file programs, scripts and plug-ins have class loaders of their own. That of a collection of the JDK knows none of
 * them, nor does this library's. So the loaders of all classes are asked that have to do with the object, in this order: the
 * object's own; those of the classes that it may hold; those of the object with the field, and of the getter; the thread's
 * context class loader; that of the run's body; and this library's.
 */
@InRecovery
public final class ClassLoaders {
  /** The class of the body of the run that this process is in, or was in last; null: there was none. */
  private static volatile Class<?> body;

  private final Set<ClassLoader> loaders = new LinkedHashSet<>();

  /**
   * Looks with the loaders of these classes first.
   *
   * @param named the classes that the object may be made of
   * @param near objects of the program that have to do with it; null ones are passed over
   */
  public ClassLoaders(Class<?> own, Collection<Class<?>> named, Object... near) {
    add(own);
    for (Class<?> type : named) {
      add(type);
    }
    for (Object one : near) {
      if (one != null) {
        add(one.getClass());
      }
    }
    loaders.add(Thread.currentThread().getContextClassLoader());
    Class<?> ofRun = body;
    if (ofRun != null) {
      add(ofRun);
    }
    add(ClassLoaders.class);
  }

  /** A run is about to enter this body. */
  public static void enterBody(Class<?> newBody) {
    body = newBody;
  }

  private void add(Class<?> type) {
    loaders.add(type.getClassLoader());
  }

  /** @param name as {@link Class#getName} gives it */
  public Class<?> find(String name) throws ClassNotFoundException {
    ClassNotFoundException first = null;
    for (ClassLoader loader : loaders) {
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException e) {
        first = first == null ? e : first;
      }
    }
    throw first;
  }
}
