// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A known issue, from its file in {@code docs/issues}.
 *
 * <p>The file is YAML of the simplest form: {@code key: value} on one line, or {@code key: >} and indented lines.
 *
 * @param name of the file, without its ending
 * @param who is concerned
 * @param area the table of the page that has it
 * @param symptom what a user sees
 * @param remedy what a user can do; may be empty if a patch of Kintsugi is the remedy
 * @param patches of Open MPI that fix it: the beginnings of their paths below {@code native/openmpi/patches}
 * @param upstream issues of Open MPI
 * @param tests the classes that show it
 * @param since the first version that is known to have it; empty: this project's first one
 */
public record Issue(String name, List<String> who, String area, String symptom, String remedy, List<String> patches,
    List<String> upstream, List<String> tests, String since) {
  /** Everybody, users of an Open MPI without Kintsugi's patches, and users of the Reinit++ fork. */
  public static final Set<String> WHO = Set.of("every", "stock", "fork");

  /** Five lines of a hundred columns, less the ends of words. */
  private static final int MOST_CHARACTERS = 480;
  /** Words for the inside of Open MPI, of which a user sees nothing. */
  private static final Pattern INSIDES =
      Pattern.compile("(?i)\\b(fragments?|endpoints?|btl|pml|modex|sentinels?|libnbc|pmix|prrte|prted|progress engine)\\b");
  private static final Set<String> KEYS = Set.of("who", "area", "symptom", "do", "patch", "upstream", "test", "since");

  /**
   * Reads all issues of a folder.
   *
   * @param folder with the files
   * @return in the order of their names
   * @throws IllegalArgumentException if a file has another form, an unknown or a missing key, too long a text, or a symptom that
   *     names an inside of Open MPI
   */
  public static List<Issue> readAll(Path folder) throws IOException {
    List<Issue> issues = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList()) {
        issues.add(of(file.getFileName().toString().replace(".yaml", ""), Files.readAllLines(file)));
      }
    }
    return issues;
  }

  static Issue of(String name, List<String> lines) {
    Map<String, String> values = values(name, lines);
    Issue issue = new Issue(name, list(values.get("who")), values.getOrDefault("area", ""), values.getOrDefault("symptom", ""),
        values.getOrDefault("do", ""), list(values.get("patch")), list(values.get("upstream")), list(values.get("test")),
        values.getOrDefault("since", ""));
    check(name, !issue.who.isEmpty() && WHO.containsAll(issue.who), "who: expected one or several of " + WHO);
    check(name, IssuePages.AREAS.containsKey(issue.area), "area: expected one of " + IssuePages.AREAS.keySet());
    check(name, !issue.symptom.isEmpty(), "symptom: what does a user see?");
    check(name, !issue.patches.isEmpty() || !issue.isOnlyFor("stock"),
        "patch: which one fixes it, if it is an issue of a stock Open MPI?");
    check(name, !issue.remedy.isEmpty() || issue.isOnlyFor("stock"),
        "do: what can a user do? If nothing needs to be done: nothing: the result is right");
    Matcher inside = INSIDES.matcher(issue.symptom);
    if (inside.find()) {
      check(name, false, "symptom: what does a user see? \"" + inside.group() + "\" is an inside of Open MPI");
    }
    int length = issue.symptom.length() + issue.remedy.length();
    check(name, length <= MOST_CHARACTERS,
        "symptom and do have " + length + " characters; " + MOST_CHARACTERS + " are the most, which is five lines");
    return issue;
  }

  private static Map<String, String> values(String name, List<String> lines) {
    Map<String, String> values = new LinkedHashMap<>();
    String key = "";
    for (String line : lines) {
      if (line.startsWith("  ") && !key.isEmpty()) {
        values.merge(key, line.strip(), (before, more) -> (before + " " + more).strip());
        continue;
      }
      int colon = line.indexOf(": ");
      check(name, colon > 0 && KEYS.contains(line.substring(0, colon)),
          "expected KEY: VALUE, with a key of " + KEYS + ": " + line);
      key = line.substring(0, colon);
      String value = line.substring(colon + 2);
      check(name, values.put(key, value.equals(">") ? "" : value) == null, key + " is there twice");
    }
    return values;
  }

  private static List<String> list(String value) {
    return value == null ? List.of() : Arrays.asList(value.split(", "));
  }

  private static void check(String name, boolean isRight, String what) {
    if (!isRight) {
      throw new IllegalArgumentException("docs/issues/" + name + ".yaml: " + what);
    }
  }

  private boolean isOnlyFor(String user) {
    return who.equals(List.of(user));
  }
}
