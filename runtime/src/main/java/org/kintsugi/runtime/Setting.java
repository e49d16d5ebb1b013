// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

import org.kintsugi.runtime.internal.SettingNames;

/** A setting of a job: a system property, with a default. Each layer has an enumeration of its own. */
public interface Setting {
  /**
   * The name of the system property.
   *
   * @return for instance {@code kintsugi.spares}, to be set with {@code -D}
   */
  String property();

  /**
   * The value in force if the property is not set.
   *
   * @return as text
   */
  String defaultValue();

  /**
   * The value in force: the system property, or the default.
   *
   * @return the text, without blanks around it
   * @throws IllegalArgumentException if it is empty, and has to name a folder
   */
  default String value() {
    String value = System.getProperty(property(), defaultValue()).trim();
    // In this order: where an empty value is the default, a starting rank does without the table of settings.
    if (value.isEmpty() && !defaultValue().isEmpty() && SettingNames.isFolder(property())) {
      throw new IllegalArgumentException(SettingNames.objection(property(), value));
    }
    return value;
  }

  /**
   * The value in force as true or false.
   *
   * @return true or false
   * @throws IllegalArgumentException if it is neither
   */
  default boolean booleanValue() {
    return switch (value()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("-D" + property() + "=" + value() + ": expected true or false");
    };
  }

  /**
   * The value in force as a number.
   *
   * @return zero or greater
   * @throws IllegalArgumentException if it is not a whole number that is zero or greater
   */
  default long longValue() {
    String value = value();
    try {
      long number = Long.parseLong(value);
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below, once for both
    }
    throw new IllegalArgumentException("-D" + property() + "=" + value + ": expected a whole number, zero or greater");
  }
}
