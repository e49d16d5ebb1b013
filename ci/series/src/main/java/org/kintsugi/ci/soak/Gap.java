// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The time from one death to the next, in milliseconds: any from the shortest to the longest. */
record Gap(long shortest, long longest) {
  /** As on command lines. */
  static final class Converter implements ITypeConverter<Gap> {
    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");

    @Override
    public Gap convert(String value) {
      Matcher range = RANGE.matcher(value);
      if (range.matches()) {
        Gap gap = new Gap(Long.parseLong(range.group(1)), Long.parseLong(range.group(2)));
        if (gap.shortest <= gap.longest) {
          return gap;
        }
      }
      throw new TypeConversionException(
          "'" + value + "' is not SHORTEST-LONGEST, two whole numbers of milliseconds, the smaller "
              + "one first");
    }
  }
}
