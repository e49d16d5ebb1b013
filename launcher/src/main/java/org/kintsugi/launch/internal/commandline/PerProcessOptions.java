// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.commandline;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.kintsugi.launch.spec.LaunchException;

/**
 * JVM options with a port or file that processes would share.
 *
 * <p>All ranks get the same options, and so does a replacement. Processes of one host would use the
 * same port, or write over each other's file.
 */
public final class PerProcessOptions {
  private static final Pattern DEBUGGER = Pattern.compile("(?:-agentlib:jdwp=|-Xrunjdwp:)(.*)");
  private static final Pattern CONSOLE = Pattern.compile("-Dcom\\.sun\\.management\\.jmxremote(?:\\.rmi)?\\.port=(\\d+)");
  private static final Pattern RECORDING = Pattern.compile("(-XX:StartFlightRecording[=:](?:.*,)?filename=)([^,]+)(.*)");

  /** Its settings may follow. */
  private static final Pattern RECORDER = Pattern.compile("-XX:StartFlightRecording(?:[=:](?!help)(.*))?");
  private static final String ENVIRONMENT = "jdk.InitialEnvironmentVariable#";

  /** What follows the selection of tags is a file, unless it is a stream; then decorators and options may follow. */
  private static final Pattern LOG =
      Pattern.compile("(-Xlog:(?:[^:\"]*):(?:file=)?)(?!stdout|stderr)(\"[^\"]+\"|[^:\"]+)((?::.*)?)");
  private static final Pattern OLD_LOG = Pattern.compile("(-Xloggc:)(.+)()");

  private PerProcessOptions() {}

  /**
   * The objection to fixed ports, which only one process of a host can have.
   *
   * @param options of the JVM
   * @return with the remedy; null: there is none
   */
  public static String objectionToPorts(Stream<String> options) {
    return options.filter(PerProcessOptions::hasFixedPort).findFirst().map(option -> option
        + ": all ranks get this option, and one "
        + "process of a host can have the port: the others would end at their start. Say port 0, for one that is free (each rank "
        + "prints its debugger's port); or leave the option out and open the port in one rank while the job runs, by its process "
        + "id: jcmd PID ManagementAgent.start jmxremote.port=PORT, or, with onjcmd=y among jdwp's options, jcmd PID "
        + "VM.start_java_debugging").orElse(null);
  }

  private static boolean hasFixedPort(String option) {
    Matcher console = CONSOLE.matcher(option);
    if (console.matches()) {
      return !console.group(1).matches("0+");
    }
    Matcher debugger = DEBUGGER.matcher(option);
    if (!debugger.matches()) {
      return false;
    }
    Map<String, String> settings = Arrays.stream(debugger.group(1).split(",")).map(setting -> setting.split("=", 2))
        .filter(pair -> pair.length == 2).collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (first, last) -> last));
    return "y".equals(settings.get("server")) && !"y".equals(settings.get("onjcmd"))
        && settings.getOrDefault("address", "0").matches("(.*:)?0*[1-9]\\d*");
  }

  /** The option with a file for each process: the JVM itself has its process id in the name. */
  public static String withOwnFile(String option) {
    Matcher recording = RECORDING.matcher(option);
    if (recording.matches() && !hasPattern(recording.group(2))) {
      // Java 17 puts no process id into a file's name, but makes names with one in a folder.
      return recording.group(1) + folderOf(recording.group(2)) + recording.group(3);
    }
    for (Pattern log : List.of(LOG, OLD_LOG)) {
      Matcher matcher = log.matcher(option);
      if (matcher.matches() && !hasPattern(matcher.group(2)) && !matcher.group(2).startsWith("/dev/")) {
        return matcher.group(1) + matcher.group(2).replaceFirst("(\\.[^./\"]*)?(\"?)$", "-%p$1$2") + matcher.group(3);
      }
    }
    return option;
  }

  /**
   * The option of a recording without the environment, which has the job's secret, and passwords: while the JVM records, every
   * user of the host can read its files.
   */
  public static String withoutEnvironment(String option) {
    Matcher recorder = RECORDER.matcher(option);
    if (!recorder.matches() || option.contains(ENVIRONMENT)) {
      return option;
    }
    String settings = Objects.toString(recorder.group(1), "");
    return "-XX:StartFlightRecording:" + settings + (settings.isEmpty() ? "" : ",") + ENVIRONMENT + "enabled=false";
  }

  /** Whether the option has the JVM record. */
  public static boolean isRecording(String option) {
    return RECORDER.matcher(option).matches();
  }

  private static boolean hasPattern(String file) {
    return file.contains("%p");
  }

  private static String folderOf(String file) {
    return file.replaceFirst("\\.jfr$", "");
  }

  /** Says which options differ from what the user has written, and makes the folders that they name. */
  public static void prepare(List<String> options, PrintStream messages) {
    for (String option : options) {
      String own = withOwnFile(option);
      Matcher recording = RECORDING.matcher(own);
      // A name without .jfr stays as it is. It names a file, unless there is a folder.
      boolean needsFolder =
          recording.matches() && !hasPattern(recording.group(2)) && !Files.isDirectory(Path.of(recording.group(2)));
      if (needsFolder || !own.equals(option)) {
        messages.println("jmpirun: " + option + ": each process writes a file of its own, by " + own);
      }
      if (needsFolder) {
        makeFolder(Path.of(recording.group(2)), option);
      }
    }
  }

  private static void makeFolder(Path folder, String option) {
    try {
      Files.createDirectories(folder);
    } catch (FileAlreadyExistsException file) {
      throw new LaunchException(
          option + ": the recordings of all processes go into a folder " + folder + ", and there is a file of "
              + "that name: name another one, or remove it",
          file);
    } catch (IOException e) {
      throw new LaunchException(option + ": the folder " + folder + " for the recordings of all processes cannot be made: " + e,
          e);
    }
  }

  /** The words with changes in the JVM's options only. */
  public static List<String> inOptions(List<String> words, int options, Function<String, String> change) {
    return Stream.concat(words.subList(0, options).stream().map(change), words.subList(options, words.size()).stream()).toList();
  }
}
