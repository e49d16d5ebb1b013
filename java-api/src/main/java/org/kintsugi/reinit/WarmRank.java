// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.reinit;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.kintsugi.bindings.Kintsugi;
import org.kintsugi.bindings.MPI;
import org.kintsugi.bindings.ReinitPlusPlus;
import org.kintsugi.mpi.internal.launcher.OwnPackages;
import org.kintsugi.mpi.internal.memory.Memory;
import org.kintsugi.mpi.internal.memory.Scratch;
import org.kintsugi.runtime.Flavour;

/**
 * The main class of a JVM that is started before it is needed. It loads the classes of a rank, and
 * waits until a failed rank must be replaced. Then it does what {@code java Main arguments...}
 * would have done, with the environment, the directory and the streams of the process that it
 * replaces.
 *
 * <p>{@code native/reinit/rank} has the other processes of this protocol and describes it, {@code native/reinit/warm.c} has this
 * one's C side. Until {@link #park} returns, no code of the program runs but its {@link WarmUp} methods, and nothing is printed.
 * A program that cannot be started this way fails here, and is then started by java itself, which prints the right message.
 */
final class WarmRank {
  /** Manifest attributes that java handles before it calls Main, and this class does not. */
  private static final String[] BEYOND_US =
      {"Launcher-Agent-Class", "Add-Exports", "Add-Opens", "Enable-Native-Access"};

  private WarmRank() {}

  /**
   * Runs the program, once this JVM has become a rank.
   *
   * @param arguments Main, or -jar and a file; then those of the program
   * @throws ReflectiveOperationException if the program's class does not exist
   * @throws NoSuchMethodException if it has no method to start with
   * @throws IOException if the file cannot be read
   */
  public static void main(String[] arguments) throws ReflectiveOperationException, IOException {
    boolean jar = arguments[0].equals("-jar");
    String name = jar ? mainOf(arguments[1]) : arguments[0].replace('/', '.');
    Class<?> program = Class.forName(name, false, ClassLoader.getSystemClassLoader());
    // Getting the method links the class, too.
    var main = program.getMethod("main", String[].class);
    if (!Modifier.isStatic(main.getModifiers()) || main.getReturnType() != void.class) {
      throw new NoSuchMethodException(name + " has no public static void main(String[])");
    }
    String[] rest = Arrays.copyOfRange(arguments, jar ? 2 : 1, arguments.length);
    warmUp(program);
    if (park() != 0) {
      // No stand-in is left that could report an end.
      Runtime.getRuntime().halt(1);
    }
    call(program, rest);
  }

  private static String mainOf(String file) throws IOException {
    try (JarFile jar = new JarFile(file)) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      for (String attribute : BEYOND_US) {
        if (manifest.getValue(attribute) != null) {
          throw new IOException(file + " has " + attribute);
        }
      }
      return manifest.getValue(Attributes.Name.MAIN_CLASS).trim();
    }
  }

  private static void warmUp(Class<?> program) throws ReflectiveOperationException {
    // Loads the natives, and libmpi with them, without initialising MPI.
    Kintsugi.kintsugi_parent_pid();
    MPI.MPI_COMM_WORLD();
    if (Flavour.current() == Flavour.REINIT) {
      ReinitPlusPlus.kintsugi_reinit_is_pending();
    }
    Memory.getString(Scratch.address(), 0);
    openPlugins();
    // Their static initialisers read nothing that differs from rank to rank.
    for (String packageName : OwnPackages.NAMES) {
      for (Class<?> ours : WarmClasses.initialise(WarmRank.class, packageName)) {
        callWarmUps(ours);
      }
    }
    WarmClasses.initialise(Flavour.class, Flavour.class.getPackageName());
    WarmClasses.link(program);
    callWarmUps(program);
    for (int value = 1; value <= 2; value++) {
      if (setProbe(value) != 0 || !String.valueOf(value).equals(System.getenv("KINTSUGI_PROBE"))) {
        throw new IllegalStateException("this JVM cannot be given another environment");
      }
    }
  }

  private static void callWarmUps(Class<?> one) throws ReflectiveOperationException {
    for (Method method : one.getDeclaredMethods()) {
      if (method.isAnnotationPresent(WarmUp.class)) {
        method.setAccessible(true);
        method.invoke(null);
      }
    }
  }

  private static native void openPlugins();

  /** Sets the environment variable KINTSUGI_PROBE, in C; 0 if Java should see it now. */
  private static native int setProbe(int value);

  /**
   * Sleeps until this JVM becomes a rank, with that rank's environment, directory and streams.
   *
   * @return 0, or an error number: it is not to be one
   */
  private static native int park();

  private static native void call(Class<?> program, String[] arguments);
}
