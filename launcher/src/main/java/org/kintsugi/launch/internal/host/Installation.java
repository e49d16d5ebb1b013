// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.host;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kintsugi.runtime.Flavour;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * The folder that {@code make install} has made and that this launcher runs from. dist/install.sh
 * describes its content.
 *
 * <p>The script in its {@code bin} finds the folder, which may have been moved. In a checkout there
 * is none.
 *
 * @param home the folder
 */
public record Installation(Path home) {
  /** Suffix of keys in the list of examples, for their numbers of ranks. */
  public static final String RANKS = ".ranks";

  /** That of this process; null if it runs from a checkout, or without the script. */
  public static Installation current() {
    String home = System.getProperty(PropertyNames.HOME);
    return home == null ? null : in(Path.of(home));
  }

  private static Installation in(Path home) {
    return Files.isDirectory(home.resolve("lib/launcher")) ? new Installation(home) : null;
  }

  /**
   * The class path with Kintsugi's own classes for programs: the installation's jars, or what Maven has compiled in the checkout.
   *
   * @return null if the launcher was not started by the script of an installation or a checkout
   */
  public static String ownClasses() {
    String home = System.getProperty(PropertyNames.HOME);
    return home == null ? null : ownClasses(Path.of(home));
  }

  /** The same in a folder; null if it is neither an installation nor a checkout that was compiled. */
  static String ownClasses(Path home) {
    Installation installation = in(home);
    if (installation != null) {
      return installation.libraries();
    }
    if (!Files.isDirectory(home.resolve("java-api/target/classes"))) {
      return null;
    }
    return Stream.of("java-api/target/classes", "bindings/target/classes", "runtime/target/classes", "ci/target/lib/*")
        .map(entry -> home + File.separator + entry).collect(Collectors.joining(File.pathSeparator));
  }

  /** The agent of {@code jmpirun --advise}; null: it is not built, or is not beside the launcher. */
  public static Path adviceAgent() {
    String home = System.getProperty(PropertyNames.HOME);
    try {
      // launcher/target/classes in a checkout, lib/launcher/NAME.jar in an installation.
      Path own = Path.of(Installation.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path folder = home == null ? own.resolve("../../..").normalize() : Path.of(home);
      Path agent = folder.resolve(in(folder) == null ? "advice/target/agent" : "lib/advice").resolve("kintsugi-advice-agent.jar");
      return Files.exists(agent) ? agent.toAbsolutePath() : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /** The path of a page of the manual in the installation, or in the checkout. */
  public static String page(String name) {
    Installation installation = current();
    String pages = "docs/" + name;
    return installation == null ? pages : installation.home.resolve("share/kintsugi").resolve(pages).toString();
  }

  /** The names of the examples that shells complete; none in a checkout, where make runs them. */
  public static final class ExampleNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      Installation installation = current();
      try {
        return installation == null ? Collections.emptyIterator()
            : names(installation.examples()).iterator();
      } catch (IOException e) {
        return Collections.emptyIterator();
      }
    }
  }

  /** The version of this launcher; null in a checkout, where it runs from classes. */
  public static String version() {
    return Installation.class.getPackage().getImplementationVersion();
  }

  /** The folder of the native libraries for a flavour, whether there are any or not. */
  public Path natives(Flavour flavour) {
    return home.resolve("lib").resolve("natives").resolve(flavour.toString());
  }

  /** The class path with which programs are compiled and run. */
  public String libraries() {
    return home.resolve("lib") + "/*";
  }

  /** The sources that {@code kintsugi build} compiles. */
  public Path nativeSources() {
    return home.resolve("share/kintsugi/native");
  }

  /** The names in a list of examples. */
  public static SortedSet<String> names(Properties examples) {
    SortedSet<String> names = new TreeSet<>(examples.stringPropertyNames());
    names.removeIf(name -> name.endsWith(RANKS));
    return names;
  }

  /** The main classes of the examples by their names, and numbers of ranks. */
  public Properties examples() throws IOException {
    Properties mains = new Properties();
    try (Reader list = Files.newBufferedReader(home.resolve("share/kintsugi/examples.properties"))) {
      mains.load(list);
    }
    return mains;
  }
}
