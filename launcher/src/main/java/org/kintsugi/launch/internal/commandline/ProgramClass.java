// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks before the start whether ranks will find the program.
 *
 * <p>Otherwise every JVM of the job prints an error of its own, and the job ends as if all
 * processes had failed. There is no message where a JVM may find the program in another way than on
 * its class path.
 *
 * @param arguments what ranks are started with
 */
public record ProgramClass(JvmArguments arguments) {
  private static final String API = "org.kintsugi.mpi.Mpi";
  private static final String MAVEN_FILE = "META-INF/maven/org.kintsugi/kintsugi/pom.properties";

  /** The objection to a program for which {@link #hasApi} is false, and the remedy. */
  public static final String NO_API =
      "Kintsugi's own classes are not on the class path. With -cp CLASSPATH Main, jmpirun adds them; a jar "
          + "that is started by -jar, or a module, has to bring them along";

  /** A class file of Java 1 has 45, and each Java since one more. */
  private static final int BEFORE_JAVA_1 = 44;

  /** The start of a class file, up to its version. */
  private static final int VERSION_BYTES = 8;

  private static final String SUFFIX = ".class";
  private static final int MAGIC = 0xCAFEBABE;

  /** Options by which a program finds classes in other ways. */
  private static final Pattern OTHER_WAYS =
      Pattern.compile("-javaagent:.*|-agent(lib|path):.*|-Xbootclasspath.*|--patch-module.*|-Djava\\.system\\.class\\.loader=.*");

  /** The reason why ranks would fail; null if none is seen. */
  public String objection(int feature, Path java) {
    if (!arguments.namesProgram()) {
      return "no program after " + String.join(" ", arguments.options()) + ": the class comes last, as in -cp CLASSPATH Main";
    }
    String name = arguments.mainClass();
    if (arguments.jar() != null) {
      String objection = objectionToJar(Path.of(arguments.jar()));
      if (objection != null) {
        return "-jar " + arguments.jar() + ": " + objection;
      }
    }
    if (name == null || name.isEmpty() || name.endsWith(".java") || arguments.all().anyMatch(OTHER_WAYS.asMatchPredicate())) {
      return null;
    }
    try {
      int needed = needs(name.replace('/', '.'));
      if (needed == 0) {
        return "class " + name + " is not on the class path: " + lookedAt() + elsewhere(name)
            + ". Its name has its package in front, and -cp the folder or jar that it was compiled into";
      }
      return needed <= feature ? null : "class " + name + " was compiled for Java " + needed + ", and the ranks' " + java
          + " is of Java " + feature + ": compile it with --release " + feature
          + ", or set JAVA_HOME to the folder of a newer Java";
    } catch (IOException unreadable) {
      return null; // the JVM says it
    }
  }

  private static String objectionToJar(Path file) {
    if (!Files.isReadable(file)) {
      return "no such file that this user may read; it is looked for in the current folder";
    }
    if (Files.isDirectory(file)) {
      return "a folder, and no jar: classes in a folder are started by -cp FOLDER Main";
    }
    try (JarFile jar = new JarFile(file.toFile())) {
      Manifest manifest = jar.getManifest();
      return manifest != null && manifest.getMainAttributes().containsKey(Attributes.Name.MAIN_CLASS) ? null
          : "its manifest names no Main-Class: name the class yourself, as in -cp FILE Main";
    } catch (IOException notAJar) {
      return "no jar file, or only a part of one (" + notAJar.getMessage() + "): build or copy it anew";
    }
  }

  /** Whether the ranks' JVM finds Kintsugi's API. */
  public boolean hasApi() {
    try {
      return needs(API) != 0;
    } catch (IOException unreadable) {
      return true;
    }
  }

  /**
   * The version of Kintsugi that the program loads; null: not known, or not there.
   *
   * <p>It is read from Maven's own file in the jar, which a jar of everything keeps as well. The
   * manifest of such a jar has the program's version.
   */
  public String versionOfApi() {
    for (ClassPathEntry entry : arguments.classPath()) {
      if (entry.has(file(API))) {
        return entry.isFolder() ? null : version(entry);
      }
    }
    return null;
  }

  private static String version(ClassPathEntry jar) {
    try {
      byte[] ofMaven = jar.read(MAVEN_FILE, Integer.MAX_VALUE);
      Properties properties = new Properties();
      if (ofMaven != null) {
        properties.load(new ByteArrayInputStream(ofMaven));
      }
      return properties.getProperty("version");
    } catch (IOException | IllegalArgumentException damaged) {
      return null;
    }
  }

  /** The Java that the class was compiled for; 0: the class was not found. */
  private int needs(String name) throws IOException {
    for (ClassPathEntry entry : arguments.classPath()) {
      byte[] start = entry.read(file(name), VERSION_BYTES);
      if (start != null) {
        return javaOf(start);
      }
    }
    return 0;
  }

  private static String file(String name) {
    return name.replace('.', '/') + SUFFIX;
  }

  private static int javaOf(byte... start) throws IOException {
    DataInputStream numbers = new DataInputStream(new ByteArrayInputStream(start));
    if (numbers.readInt() != MAGIC) {
      throw new IOException("no class file");
    }
    numbers.readUnsignedShort();
    return numbers.readUnsignedShort() - BEFORE_JAVA_1;
  }

  private String lookedAt() {
    List<ClassPathEntry> there = arguments.classPath();
    List<String> missing = Stream.of(arguments.givenClassPath().split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty() && !entry.endsWith("*") && !Files.exists(Path.of(entry))).toList();
    return "looked at "
        + (there.isEmpty() ? "nothing" : there.stream().map(ClassPathEntry::toString).collect(Collectors.joining(", ")))
        + (missing.isEmpty() ? "" : "; not there, or not for this user to read: " + String.join(", ", missing));
  }

  /** A class of the same name in another package. Users may have left out the package. */
  private String elsewhere(String name) {
    String file = name.replaceFirst(".*[./]", "") + SUFFIX;
    for (ClassPathEntry entry : arguments.classPath()) {
      String found = entry
          .find(path -> (path.endsWith("/" + file) || entry.isFolder() && path.equals(file)) && !path.startsWith("META-INF"));
      if (found != null) {
        return "; there is " + found.substring(0, found.length() - SUFFIX.length()).replace('/', '.');
      }
    }
    return "";
  }
}
