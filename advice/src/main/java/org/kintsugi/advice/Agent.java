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
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.shadow.Live;

/** Begins in each process of {@code jmpirun --advise}, before the program's main class is loaded. */
public final class Agent {
  private static final String REWRITE = "org.kintsugi.advice.internal.rewrite.";
  /** The process is to find what it reads again after a failure. */
  private static final String AGAIN = "again";
  private static final String ASM = "org.objectweb.asm.";

  private Agent() {}

  /**
   * Called by the JVM.
   *
   * @param words with colons between: the folder with the agent and ASM, the folder for the findings, the last iteration, names
   *     of items that count as not protected, with commas between, the word again or nothing, and a regular expression for names
   *     of classes, or nothing
   */
  public static void premain(String words, Instrumentation instrumentation) throws Exception {
    String[] parts = words.split(":", 6);
    Pattern classes = parts[5].isEmpty() ? null : Pattern.compile(parts[5]);
    Items.leaveOut(Set.of(parts[3].split(",")));
    Report.begin(Path.of(parts[1]), Long.parseLong(parts[2]));
    if (parts[4].equals(AGAIN)) {
      Live.begin();
    }
    openTheJdk(instrumentation);
    openKintsugi(instrumentation);
    Predicate<String> isOfProgram = name -> !Kind.isLibrary(name) && (classes == null || classes.matcher(name).find());
    Class<?> rewriter = rewriteLoader(Path.of(parts[0])).loadClass(REWRITE + "Rewriter");
    instrumentation.addTransformer((ClassFileTransformer) rewriter.getConstructor(Predicate.class).newInstance(isOfProgram));
  }

  /** What is in collections and generators is read from their fields. */
  private static void openTheJdk(Instrumentation instrumentation) {
    Module base = Object.class.getModule();
    Map<String, Set<Module>> opened = new HashMap<>();
    base.getPackages().forEach(name -> opened.put(name, Set.of(Agent.class.getModule())));
    instrumentation.redefineModule(base, Set.of(), Map.of(), opened, Set.of(), Map.of());
  }

  /** Where Kintsugi is a module of the program, the agent needs what it does not export. */
  private static void openKintsugi(Instrumentation instrumentation) {
    for (String name : List.of("org.kintsugi", "org.kintsugi.runtime")) {
      ModuleLayer.boot().findModule(name).ifPresent(module -> {
        Map<String, Set<Module>> exported = new HashMap<>();
        module.getPackages().forEach(one -> exported.put(one, Set.of(Agent.class.getModule())));
        instrumentation.redefineModule(module, Set.of(), exported, Map.of(), Set.of(), Map.of());
      });
    }
  }

  /** Loads ASM, and the classes that use it, apart from the program, which may have another ASM. */
  private static ClassLoader rewriteLoader(Path libraries) throws Exception {
    List<URL> urls = new ArrayList<>();
    try (Stream<Path> jars = Files.list(libraries)) {
      for (Path jar : jars.filter(file -> file.toString().endsWith(".jar")).sorted().toList()) {
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
