// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.advice.internal.findings.Report;
import org.kintsugi.advice.internal.objects.Kind;

/** Begins in each process of {@code jmpirun --advise}, before the program's main class is loaded. */
public final class Agent {
  private static final String REWRITE = "org.kintsugi.advice.internal.rewrite.";
  private static final String ASM = "org.objectweb.asm.";

  private Agent() {}

  /**
   * Called by the JVM.
   *
   * @param words the folder for the findings, the last iteration and a regular expression for names of classes, or nothing;
   *     with colons between
   */
  public static void premain(String words, Instrumentation instrumentation) throws Exception {
    String[] parts = words.split(":", 3);
    Pattern classes = parts[2].isEmpty() ? null : Pattern.compile(parts[2]);
    Report.begin(Path.of(parts[0]), Long.parseLong(parts[1]));
    openTheJdk(instrumentation);
    Predicate<String> isOfProgram = name -> !Kind.isLibrary(name) && (classes == null || classes.matcher(name).find());
    Class<?> rewriter = rewriteLoader().loadClass(REWRITE + "Rewriter");
    instrumentation.addTransformer((ClassFileTransformer) rewriter.getConstructor(Predicate.class).newInstance(isOfProgram));
  }

  /** What is in collections and generators is read from their fields. */
  private static void openTheJdk(Instrumentation instrumentation) {
    Module base = Object.class.getModule();
    Map<String, Set<Module>> opened = new HashMap<>();
    base.getPackages().forEach(name -> opened.put(name, Set.of(Agent.class.getModule())));
    instrumentation.redefineModule(base, Set.of(), Map.of(), opened, Set.of(), Map.of());
  }

  /** Loads ASM, and the classes that use it, apart from the program, which may have another ASM. */
  private static ClassLoader rewriteLoader() throws Exception {
    Path own = Path.of(Agent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<URL> urls = new ArrayList<>(List.of(own.toUri().toURL()));
    try (Stream<Path> beside = Files.list(own.getParent())) {
      for (Path jar : beside.filter(file -> file.getFileName().toString().startsWith("asm")).sorted().toList()) {
        urls.add(jar.toUri().toURL());
      }
    }
    return new URLClassLoader("kintsugi-advice", urls.toArray(new URL[0]), Agent.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(REWRITE) && !name.startsWith(ASM)) {
          return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
          Class<?> known = findLoadedClass(name);
          return known == null ? findClass(name) : known;
        }
      }
    };
  }
}
