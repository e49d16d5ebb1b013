// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.kintsugi.launch.spec.LaunchException;
import org.kintsugi.runtime.internal.RawWords;

/**
 * The words that start a rank, in the form for mpirun.
 *
 * <p>mpirun looks for its own words among all words, including the program's arguments: at ":" it
 * begins the next program, "--mca" sets a parameter in every position, and the fork has more such
 * words. So if a word may be one of mpirun's, a shell starts the rank, and gets each word in
 * quotes: mpirun sees {@code ':'} with its quotes, and the rank's own command line has what the
 * user typed.
 */
public final class RankWords {
  /** No version of mpirun looks for words like these, none of which is an option. */
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=,./^][\\w@%+=:,./^-]*");

  /** An option of the JVM that a shell takes as it is. */
  private static final Pattern OPTION = Pattern.compile("-[\\w@%+=:,./^-]+");

  /** Each word as the shell reads it, one after the other. */
  private static final String SCRIPT = "eval \"exec $*\"";

  /** The same for the fork. Its signal would kill the shell ({@link ReinitFlags#starter}). */
  private static final String SCRIPT_OF_FORK = "trap '' USR1; " + SCRIPT;

  /**
   * The longest command line of a rank, in bytes with the blanks between its words. Open MPI puts
   * it into one environment variable of the rank (OMPI_ARGV), and Linux takes 128 KiB for one:
   * mpirun would die without a message.
   */
  private static final int LONGEST_LINE = (1 << 17) - 100;

  private static final Pattern IN_PRINTF = Pattern.compile("[A-Za-z0-9./_=-]");
  private static final Charset OF_SYSTEM = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
  private static final int BYTE = 0xff;

  private RankWords() {}

  /**
   * The words of this process's own command line where the JVM could not decode them.
   *
   * @param args the last words of the command line, as the JVM has decoded them
   * @return with the bytes that were typed ({@link RawWords})
   */
  public static String[] typed(String... args) {
    try {
      List<String> all = RawWords.ofThisProcess();
      List<String> typed = all.subList(all.size() - args.length, all.size());
      String[] words = args.clone();
      for (int i = 0; i < words.length; i++) {
        if (!isInSystemsEncoding(words[i]) || !RawWords.decode(words[i].getBytes(OF_SYSTEM)).equals(typed.get(i))) {
          words[i] = typed.get(i);
        }
      }
      return words;
    } catch (IOException | IllegalArgumentException | IndexOutOfBoundsException notToBeSeen) {
      return args;
    }
  }

  /**
   * The words for mpirun.
   *
   * @param words of a rank, its program first
   * @param programWords the number of words at the end that are the Java program's own
   * @param isFork whether a signal may come before the rank has begun
   * @throws LaunchException if they are too long
   */
  public static List<String> forMpirun(List<String> words, int programWords, boolean isFork) {
    List<String> line = line(words, programWords, isFork);
    long bytes = 0;
    int longest = 0;
    for (int i = 0; i < line.size(); i++) {
      bytes += bytes(line.get(i)) + 1;
      longest = bytes(line.get(i)) > bytes(line.get(longest)) ? i : longest;
    }
    if (bytes > LONGEST_LINE) {
      int typed = bytes(words.get(words.size() - (line.size() - longest)));
      throw new LaunchException("the command line of a rank has " + bytes + " bytes, and may have " + LONGEST_LINE
          + ". Its longest argument has " + typed + " bytes" + (bytes(line.get(longest)) == typed ? ""
              : " (" + bytes(line.get(longest)) + " in quotes, which mpirun needs: each ' takes 4)")
          + ": pass long data in a file");
    }
    return line;
  }

  private static int bytes(String word) {
    return word.getBytes(StandardCharsets.UTF_8).length;
  }

  private static List<String> line(List<String> words, int programWords, boolean isFork) {
    int first = words.size() - programWords;
    if (isAllForJava(words.subList(0, first)) && words.subList(first, words.size()).stream().allMatch(RankWords::isPlain)) {
      return words;
    }
    List<String> line = new ArrayList<>(List.of("sh", "-c", isFork ? SCRIPT_OF_FORK : SCRIPT, "sh"));
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      line.add(i < first && OPTION.matcher(word).matches() ? word : inShell(word));
    }
    return line;
  }

  /**
   * Whether mpirun passes these words on as they are. A program's path and a JVM's options are no
   * options of mpirun.
   */
  private static boolean isAllForJava(List<String> words) {
    return words.stream().noneMatch(word -> word.isEmpty() || word.equals(":")) && words.stream()
        .allMatch(RankWords::isInSystemsEncoding);
  }

  private static boolean isPlain(String word) {
    return PLAIN.matcher(word).matches();
  }

  /** Whether this JVM can start a process with this word. */
  private static boolean isInSystemsEncoding(String word) {
    return OF_SYSTEM.newEncoder().canEncode(word);
  }

  /** A word as a shell reads it; in quotes where mpirun must not know it. */
  static String inShell(String word) {
    if (isInSystemsEncoding(word)) {
      return isPlain(word) ? word : "'" + word.replace("'", "'\\''") + "'";
    }
    // The shell takes line ends off the end of what printf prints.
    String text = word.replaceFirst("\\n+\\z", "");
    StringBuilder format = new StringBuilder();
    for (byte one : RawWords.encode(text)) {
      String letter = String.valueOf((char) (one & BYTE));
      format.append(IN_PRINTF.matcher(letter).matches() ? letter : String.format("\\%03o", one & BYTE));
    }
    // -- for a word that begins with a dash
    return "\"$(printf -- '" + format + "')\"" + (text.equals(word) ? "" : "'" + word.substring(text.length()) + "'");
  }

  /** A word for a message, with a question mark for each undecodable byte. */
  public static String printable(String word) {
    return word.replaceAll("[\\x{dc80}-\\x{dcff}]", "?");
  }

  /** A word for a shell. */
  public static String quoted(String argument) {
    return argument.matches("[\\w@%+=:,./^-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
  }

  /** A line for a shell. */
  public static String line(List<String> words, Map<String, String> environment) {
    String variables = environment.entrySet().stream().map(entry -> entry.getKey() + "=" + quoted(entry.getValue()) + " ")
        .collect(Collectors.joining());
    return variables + words.stream().map(RankWords::quoted).collect(Collectors.joining(" "));
  }
}
