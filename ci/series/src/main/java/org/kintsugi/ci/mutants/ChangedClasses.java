// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.mutants;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.kintsugi.test.TemporaryFolder;

/**
 * A folder with classes of this checkout that are compiled from a changed source. In front of a job's class path it replaces
 * them.
 *
 * <p>So an item can be left out of any program's protected data although neither the program nor Kintsugi has a setting for it.
 */
public final class ChangedClasses implements AutoCloseable {
  /** The property of a rank's JVM with the names of the items that are not protected, with commas between. */
  public static final String LEFT_OUT = "ci.left.out";

  private static final Path PROTECTION = Path.of("java-api/src/main/java/org/kintsugi/checkpoint/Protection.java");
  private static final Path ITEMS = Path.of("advice/src/main/java/org/kintsugi/advice/internal/protection/Items.java");
  private static final Path AGENT = Path.of("advice/target/classes");

  private final Path checkout;
  private final TemporaryFolder folder;

  private ChangedClasses(Path checkout) throws IOException {
    this.checkout = checkout;
    folder = TemporaryFolder.create("kintsugi-changed-");
  }

  /** No class is changed yet. @param checkout the folder of the checkout */
  public static ChangedClasses none(Path checkout) throws IOException {
    return new ChangedClasses(checkout);
  }

  /**
   * Has the checkpoints of all programs without the items of {@link #LEFT_OUT}. The agent of advice does not see the calls that
   * protect them either: to both it is as if the program did not have these calls.
   *
   * @param checkout the folder of the checkout
   */
  public static ChangedClasses thatLeaveOut(Path checkout) throws IOException {
    return none(checkout).with(PROTECTION, unlessLeftOut("data.put(name, item);"))
        .with(ITEMS, unlessLeftOut("ALL.put(name, new Item(name, place, getter, isWhole, left.contains(name)));"));
  }

  private static Map<String, String> unlessLeftOut(String statement) {
    return Map.of(statement,
        "if (!java.util.List.of(System.getProperty(\"" + LEFT_OUT + "\", \"\").split(\",\")).contains(name)) {"
            + statement + "}");
  }

  /**
   * Adds a class with changes in its source.
   *
   * @param source its path in the checkout
   * @param changes by what texts are replaced, each of which the source has once
   * @return this
   */
  public ChangedClasses with(Path source, Map<String, String> changes) throws IOException {
    String text = Files.readString(checkout.resolve(source));
    for (Map.Entry<String, String> change : changes.entrySet()) {
      if (text.split(Pattern.quote(change.getKey()), -1).length != 2) {
        throw new IllegalStateException(source + ": expected once, and did not find so: " + change.getKey());
      }
      text = text.replace(change.getKey(), change.getValue());
    }
    Path changed = Files.writeString(folder.path().resolve(source.getFileName()), text);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    boolean isCompiled = compiler.getTask(errors, null, null,
        List.of("-proc:none", "-nowarn", "-cp",
            System.getProperty("java.class.path") + File.pathSeparator + checkout.resolve(AGENT), "-d", folder.path().toString()),
        null,
        compiler.getStandardFileManager(null, null, null).getJavaFileObjects(changed)).call();
    if (!isCompiled) {
      throw new IllegalStateException(source + ", changed, cannot be compiled:\n" + errors);
    }
    return this;
  }

  /** The class path of this JVM, with the changed classes first. */
  public String classPath() {
    return folder.path() + File.pathSeparator + System.getProperty("java.class.path");
  }

  @Override
  public void close() {
    folder.close();
  }
}
