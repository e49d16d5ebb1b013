// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.soak;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of things of which there has to be one. */
final class AtLeastOne implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String value) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // As for a number that is too small.
    }
    throw new TypeConversionException("'" + value + "' is not a whole number of at least 1");
  }
}
