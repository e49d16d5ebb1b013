// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.bindings;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.tools.Builder;
import org.bytedeco.javacpp.tools.Logger;
import org.bytedeco.javacpp.tools.ParserException;

/** What the presets make of the headers of an installed Open MPI. */
final class GeneratedBindings {
  private static final Path NATIVE = Path.of("..", "native").toAbsolutePath().normalize();

  private static final String PRESETS = "org.kintsugi.presets.";

  /** How JavaCPP begins a class: it extends its preset, and loads its library by JavaCPP's own loader. */
  private static final Pattern BEGIN =
      Pattern.compile("public class (\\w+) extends (org\\.kintsugi\\.presets\\.\\w+) (\\{\\s*static \\{ )Loader\\.load\\(\\);");

  private GeneratedBindings() {}

  /**
   * Runs JavaCPP's parser.
   *
   * @param mpi the prefix of an Open MPI with ULFM
   * @param work an empty folder
   * @return the text of each class, by the name of its file
   */
  static TreeMap<String, String> of(Path mpi, Path work) throws IOException, InterruptedException, ClassNotFoundException {
    parse(work, "-ulfm", mpi.resolve("include") + ":" + NATIVE.resolve("include") + ":" + NATIVE.resolve("scr/include"),
        "MpiPreset", "UlfmPreset", "KintsugiPreset", "ScrPreset", "FtiPreset");
    // Its header is written by hand, so that the class is there where the fork is not.
    parse(work, "-reinit", mpi.resolve("include") + ":" + NATIVE.resolve("include") + ":" + NATIVE.resolve("reinit/include"),
        "ReinitPreset");
    TreeMap<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        texts.put(work.relativize(file).toString(), withoutPresets(Files.readString(file)));
      }
    }
    return texts;
  }

  /**
   * A class that extends its preset would need it at run time. An annotation says the same to the build, and is not looked at
   * later.
   */
  private static String withoutPresets(String text) {
    return BEGIN.matcher(text).replaceAll("@Properties(inherit = $2.class)\n"
        + "public class $1 $3org.kintsugi.bindings.internal.NativeLoader.load($1.class);");
  }

  private static void parse(Path folder, String extension, String includes, String... presets)
      throws IOException, InterruptedException, ClassNotFoundException {
    String[] names = Stream.of(presets).map(PRESETS::concat).toArray(String[]::new);
    try {
      new Builder(new Logger() {
        @Override
        public void info(String message) {}
      }).properties(Loader.loadProperties()).property("platform.extension", extension)
          .addProperty("platform.includepath", includes.split(":")).classPaths(System.getProperty("java.class.path").split(":"))
          .outputDirectory(folder.toFile()).generate(false).compile(false).classesOrPackages(names).build();
    } catch (ParserException e) {
      throw new IOException("JavaCPP does not understand the headers in " + includes, e);
    }
  }
}
