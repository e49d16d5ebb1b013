// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice;

import advised.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.findings.Report;
import org.kintsugi.advice.internal.objects.Opaque;
import org.kintsugi.advice.internal.protection.Items;
import org.kintsugi.advice.internal.rewrite.Rewriter;
import org.kintsugi.advice.internal.shadow.Cells;
import org.kintsugi.advice.internal.shadow.Shadows;
import org.kintsugi.reinit.Run;
import org.kintsugi.runtime.internal.advice.Finding;

/** Runs a program in this JVM, with its classes instrumented. */
final class Instrumented extends ClassLoader {
  private static final String PROGRAMS = "advised.Programs";

  private final Rewriter rewriter = new Rewriter(name -> true);

  private Instrumented() {
    super(Instrumented.class.getClassLoader());
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROGRAMS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) {
    String path = name.replace('.', '/');
    try (InputStream file = getResourceAsStream(path + ".class")) {
      byte[] changed = rewriter.rewrite(this, path, file.readAllBytes());
      return defineClass(name, changed, 0, changed.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The findings about a program of {@link advised.Programs}, by name. */
  static Map<String, Finding> findings(String program) throws ReflectiveOperationException {
    Loop.reset();
    Program.reset();
    Shadows.reset();
    Cells.reset();
    Opaque.reset();
    Items.reset();
    Report.reset();
    Run run =
        (Run) Proxy.newProxyInstance(Run.class.getClassLoader(), new Class<?>[] {Run.class}, (proxy, method, arguments) -> null);
    Class<?> type = new Instrumented().loadClass(PROGRAMS + "$" + program);
    ((Body) type.getConstructor().newInstance()).run(run);
    Map<String, Finding> findings = new LinkedHashMap<>();
    Report.findings().forEach(finding -> findings.put(finding.name(), finding));
    return findings;
  }
}
