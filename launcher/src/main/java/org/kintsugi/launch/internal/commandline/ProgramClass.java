// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;

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
    String file = API.replace('.', '/') + ".class";
    for (Path entry : arguments.classPath()) {
      if (Files.isRegularFile(entry)) {
        try (JarFile jar = new JarFile(entry.toFile())) {
          if (jar.getEntry(file) != null) {
            ZipEntry ofMaven = jar.getEntry(MAVEN_FILE);
            Properties properties = new Properties();
            if (ofMaven != null) {
              properties.load(jar.getInputStream(ofMaven));
            }
            return properties.getProperty("version");
          }
        } catch (IOException | IllegalArgumentException notAJar) {
          continue;
        }
      } else if (Files.isRegularFile(entry.resolve(file))) {
        return null;
      }
    }
    return null;
  }

  /** The Java that the class was compiled for; 0: the class was not found. */
  private int needs(String name) throws IOException {
    String file = name.replace('.', '/') + ".class";
    for (Path entry : arguments.classPath()) {
      if (Files.isDirectory(entry)) {
        if (Files.isRegularFile(entry.resolve(file))) {
          try (InputStream bytes = Files.newInputStream(entry.resolve(file))) {
            return javaOf(bytes);
          }
        }
      } else {
        try (JarFile jar = new JarFile(entry.toFile())) {
          ZipEntry found = jar.getEntry(file);
          if (found != null) {
            return javaOf(jar.getInputStream(found));
          }
        } catch (ZipException notAJar) {
          // The JVM passes it over, too.
        }
      }
    }
    return 0;
  }

  private static int javaOf(InputStream bytes) throws IOException {
    DataInputStream numbers = new DataInputStream(bytes);
    if (numbers.readInt() != MAGIC) {
      throw new IOException("no class file");
    }
    numbers.readUnsignedShort();
    return numbers.readUnsignedShort() - BEFORE_JAVA_1;
  }

  private String lookedAt() {
    List<Path> there = arguments.classPath();
    List<String> missing = Stream.of(arguments.givenClassPath().split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty() && !entry.endsWith("*") && !Files.exists(Path.of(entry))).toList();
    return "looked at " + (there.isEmpty() ? "nothing" : there.stream().map(Path::toString).collect(Collectors.joining(", ")))
        + (missing.isEmpty() ? "" : "; not there, or not for this user to read: " + String.join(", ", missing));
  }

  /** A class of the same name in another package. Users may have left out the package. */
  private String elsewhere(String name) {
    String file = name.replaceFirst(".*[./]", "") + ".class";
    for (Path entry : arguments.classPath()) {
      if (Files.isDirectory(entry)) {
        try (Stream<Path> files = Files.walk(entry, 12)) {
          String found = files.filter(path -> path.endsWith(file)).map(path -> named(entry.relativize(path).toString()))
              .findFirst().orElse(null);
          if (found != null) {
            return "; there is " + found;
          }
        } catch (IOException | UncheckedIOException unreadable) {
          continue;
        }
      } else {
        try (JarFile jar = new JarFile(entry.toFile())) {
          String found =
              jar.stream().map(ZipEntry::getName).filter(path -> path.endsWith("/" + file) && !path.startsWith("META-INF"))
                  .map(ProgramClass::named).findFirst().orElse(null);
          if (found != null) {
            return "; there is " + found;
          }
        } catch (IOException notAJar) {
          continue;
        }
      }
    }
    return "";
  }

  private static String named(String file) {
    return file.substring(0, file.length() - ".class".length()).replace('/', '.');
  }
}
