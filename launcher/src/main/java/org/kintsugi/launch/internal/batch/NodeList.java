// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Slurm's short form of many names: {@code n[1-3,7],gpu[001-012]-ib,login}. */
final class NodeList {
  private static final int MOST = 100_000;
  /** A number, or two with the numbers between. */
  private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

  private NodeList() {}

  /**
   * All names.
   *
   * @return empty if the list has another form, or more names than any cluster
   */
  static List<String> expand(String list) {
    List<String> all = new ArrayList<>();
    int depth = 0;
    int begin = 0;
    for (int i = 0; i <= list.length(); i++) {
      char one = i == list.length() ? ',' : list.charAt(i);
      depth += one == '[' ? 1 : one == ']' ? -1 : 0;
      if (one == ',' && depth == 0) {
        if (!expandOne(list.substring(begin, i), all)) {
          return List.of();
        }
        begin = i + 1;
      }
    }
    return depth == 0 ? all : List.of();
  }

  /** Resolves the first bracket, and by recursion those after it. False: another form. */
  private static boolean expandOne(String name, List<String> all) {
    int open = name.indexOf('[');
    if (open < 0) {
      all.add(name);
      return !name.isEmpty() && name.indexOf(']') < 0 && all.size() <= MOST;
    }
    int close = name.indexOf(']', open);
    if (close < 0) {
      return false;
    }
    for (String range : name.substring(open + 1, close).split(",")) {
      Matcher parts = RANGE.matcher(range);
      if (!parts.matches()) {
        return false;
      }
      String first = parts.group(1);
      int last = Integer.parseInt(parts.group(2) == null ? first : parts.group(2));
      for (int number = Integer.parseInt(first); number <= last; number++) {
        // As many digits as the first number has: n[08-10].
        String digits = String.format("%0" + first.length() + "d", number);
        if (!expandOne(name.substring(0, open) + digits + name.substring(close + 1), all)) {
          return false;
        }
      }
    }
    return true;
  }
}
