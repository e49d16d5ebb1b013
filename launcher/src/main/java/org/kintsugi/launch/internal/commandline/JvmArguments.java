// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.File;
import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.PropertyNames;

/**
 * The JVM arguments of a rank, read as the java command reads them: the options in front of the program, those in argument files
 * and those in environment variables.
 */
public final class JvmArguments {
  /** A variable that the command java reads, as if its words preceded its own arguments. */
  private static final String OF_COMMAND = "JDK_JAVA_OPTIONS";

  /** Variables that the JVM itself reads, without argument files or class path. */
  private static final List<String> OF_JVM = List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS");

  private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
  private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");
  private static final String MODULE = "--module=";
  private static final Set<String> PROGRAM = Set.of("-jar", "-m", "--module");
  private static final Set<String> WITH_VALUE = Set.of("-cp", "-classpath", "--class-path", "-p", "--module-path", "-jar", "-m",
      "--module", "--upgrade-module-path", "--add-modules", "--enable-native-access",
      "--limit-modules", "--add-exports", "--add-opens", "--add-reads", "--patch-module", "-d", "--describe-module", "--source");

  /** Newer Javas use this class of a jar instead of Unsafe. In folders they ignore it. */
  private static final String FOREIGN_MEMORY = "META-INF/versions/22/org/kintsugi/mpi/internal/memory/RawMemory.class";

  /** The modules that load libraries, or look at memory outside of Java. */
  private static final List<String> WITH_NATIVES = List.of("org.kintsugi", "org.kintsugi.bindings", "org.bytedeco.javacpp");

  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");
  private static final Pattern COMPILERS = Pattern.compile("-XX:(Compile|Tier|[+-]TieredCompilation).*|-X(int|comp|mixed)");
  private static final Pattern INSTEAD =
      Pattern.compile("--?(version|help|list-modules)|-[?hX]|--help-extra|--(describe|validate)-.*");
  private static final String LIBRARIES = "-D" + PropertyNames.LIBRARY_PATH + "=";

  /** The words that are not read yet; in the end, the program's own words. */
  private final Deque<String> left = new ArrayDeque<>();

  /** The number of next words that come from an argument file: an @ in them names no file. */
  private int fromFile;

  private final List<String> options = new ArrayList<>();
  private final Map<String, String> environment;
  private String classPath;
  private List<ClassPathEntry> entries; // null: not looked for yet
  private String modulePath = "";
  private String jar;
  private String module; // null: no module is the program
  private final List<String> words;
  private String main; // null: a jar or a module has it

  /**
   * The arguments of ranks that are started with these words after {@code java}, in this
   * environment.
   */
  public JvmArguments(List<String> words, Map<String, String> environment) {
    this.environment = environment;
    this.words = List.copyOf(words);
    left.addAll(split(environment.getOrDefault(OF_COMMAND, "")));
    left.addAll(words);
    read();
  }

  private void read() {
    String option = next();
    for (; option.startsWith("-"); option = next()) {
      options.add(option);
      if (option.startsWith(MODULE)) {
        module = option.substring(MODULE.length());
        return;
      }
      boolean isLong = option.matches("--(class|module)-path=.*");
      String name = isLong ? option.substring(0, option.indexOf('=')) : option;
      boolean isValueNext = !isLong && WITH_VALUE.contains(name);
      String value = isLong ? option.substring(name.length() + 1) : isValueNext ? next() : "";
      if (CLASS_PATH.contains(name)) {
        classPath = value;
      } else if (MODULE_PATH.contains(name)) {
        modulePath = value;
      } else if (PROGRAM.contains(name)) {
        jar = name.equals("-jar") ? value : null;
        module = jar == null ? value : null;
        return;
      }
    }
    main = option;
  }

  /** The next word, from a file where {@code @file} names one; empty if there is none. */
  private String next() {
    while (!left.isEmpty()) {
      String word = left.remove();
      boolean isOfFile = fromFile > 0;
      fromFile = isOfFile ? fromFile - 1 : 0;
      if (isOfFile || !word.startsWith("@") || word.startsWith("@@") || options.contains("--disable-@files")) {
        return word;
      }
      List<String> words = wordsOf(word);
      fromFile = words.size();
      for (int i = fromFile - 1; i >= 0; i--) {
        left.addFirst(words.get(i));
      }
    }
    return "";
  }

  private static List<String> wordsOf(String file) {
    try {
      return split(Files.readString(Path.of(file.substring(1)), StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      throw new LaunchException("the argument file " + file + " cannot be read: " + e, e);
    }
  }

  /** Words between blanks, quotes taken off, comments left out. */
  private static List<String> split(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < text.length(); i++) {
      char next = text.charAt(i);
      if (quote == 0 && Character.isWhitespace(next)) {
        if (word != null) {
          words.add(word.toString());
        }
        word = null;
      } else if (quote == 0 && next == '#' && word == null) {
        while (i + 1 < text.length() && text.charAt(i + 1) != '\n') {
          i++;
        }
      } else {
        word = word == null ? new StringBuilder() : word;
        if (next == quote) {
          quote = 0;
        } else if (quote == 0 && (next == '"' || next == '\'')) {
          quote = next;
        } else {
          word.append(quote != 0 && next == '\\' && i + 1 < text.length() ? text.charAt(++i) : next);
        }
      }
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  /** Whether the user has chosen a garbage collector: a JVM with options for two does not start. */
  public boolean nameCollector() {
    return all().anyMatch(COLLECTOR.asMatchPredicate());
  }

  /** Whether options control the JVM's compilers. */
  public boolean nameCompilers() {
    return all().anyMatch(COMPILERS.asMatchPredicate());
  }

  /** The {@link #options}, and those that the JVM itself reads. */
  public Stream<String> all() {
    Stream<String> others = OF_JVM.stream().flatMap(name -> split(environment.getOrDefault(name, "")).stream());
    return Stream.concat(options.stream(), others);
  }

  /** Whether {@link #withClassPath} can give the program another class path. */
  public boolean takesClassPath() {
    int at = mainClassAt();
    return main != null && modulePath.isEmpty() && at >= 0 && words.get(at).equals(main);
  }

  /**
   * The index of the main class, unless an argument file has it. The words after it are the
   * program's.
   */
  private int mainClassAt() {
    return words.size() - left.size() - 1;
  }

  /** How many of the last words are the program's own, which java hands over as they are. */
  public int programWords() {
    return Math.max(0, left.size() - fromFile);
  }

  /** The words with another class path, by one more option in front of the main class: the command java takes the last one. */
  public List<String> withClassPath(UnaryOperator<String> change) {
    List<String> changed = new ArrayList<>(words);
    changed.addAll(mainClassAt(), List.of("-cp", change.apply(givenClassPath())));
    return changed;
  }

  /** Whether a program is named. (Some options have java print something in its place.) */
  public boolean namesProgram() {
    return main == null || !main.isEmpty() || options.stream().anyMatch(INSTEAD.asMatchPredicate());
  }

  /** The jar that is the program, as it was named; null: it is none. */
  String jar() {
    return jar;
  }

  /** The program's class as it was named; null: a jar or a module has it. */
  public String mainClass() {
    return modulePath.isEmpty() ? main : null;
  }

  /** The class path as it was given. */
  String givenClassPath() {
    return classPath == null ? environment.getOrDefault("CLASSPATH", "") : classPath;
  }

  /** The options in front of the program, without values that are separate words. */
  public List<String> options() {
    return options;
  }

  /** The folder of natives that the user has named, or null. */
  public Path libraries() {
    return options.stream().filter(option -> option.startsWith(LIBRARIES)).reduce((first, last) -> last)
        .map(option -> Path.of(option.substring(LIBRARIES.length()))).orElse(null);
  }

  /** Whether Kintsugi comes from a jar that has a form of its own for newer Javas, without {@code sun.misc.Unsafe}. */
  public boolean usesForeignMemory() {
    return classPath().stream().anyMatch(entry -> entry.hasForNewerJavas(FOREIGN_MEMORY));
  }

  /**
   * For {@code --enable-native-access}: classes without a module, and those modules of Kintsugi that the JVM will have. It warns
   * of others.
   *
   * @param java that of the ranks: an image of jlink's has modules of its own
   */
  public List<String> modulesWithNatives(Path java) {
    List<String> names = new ArrayList<>(List.of("ALL-UNNAMED"));
    Set<String> there = new HashSet<>(JavaVersion.modules(java));
    if (module != null && !modulePath.isEmpty()) {
      Path[] path = Stream.of(modulePath.split(File.pathSeparator)).filter(entry -> !entry.isEmpty()).map(Path::of)
          .toArray(Path[]::new);
      try {
        ModuleFinder.of(path).findAll().forEach(found -> there.add(found.descriptor().name()));
      } catch (FindException notToBeRead) {
        return names; // the JVM says it
      }
    }
    WITH_NATIVES.stream().filter(there::contains).forEach(names::add);
    return names;
  }

  /** Folders and jars that classes are loaded from. They are looked for once, at the first call. */
  public List<ClassPathEntry> classPath() {
    if (entries == null) {
      entries = lookForEntries();
    }
    return entries;
  }

  private List<ClassPathEntry> lookForEntries() {
    ClassPath path = new ClassPath();
    if (jar != null) {
      path.addJar(Path.of(jar));
    } else {
      path.add(givenClassPath());
    }
    path.addModules(modulePath);
    return path.entries();
  }
}
