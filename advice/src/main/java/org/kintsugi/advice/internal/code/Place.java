// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the program.
 *
 * @param type the class, with dots
 * @param method its method; that of a lambda is the method around it
 */
public record Place(String type, String method, String file, int line) {
  private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.+)\\$\\d+");

  /** The name of a method as the source has it: compilers give lambdas names with that of the method around them. */
  public static String readable(String method) {
    Matcher lambda = LAMBDA.matcher(method);
    return lambda.matches() ? lambda.group(1) : method;
  }

  @Override
  public String toString() {
    return type + "." + method + "(" + file + (line > 0 ? ":" + line : "") + ")";
  }
}
