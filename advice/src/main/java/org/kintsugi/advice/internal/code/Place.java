// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.code;

/**
 * A line of the program.
 *
 * @param type the class, with dots
 * @param method its method; a lambda has the name that the compiler gave it
 */
public record Place(String type, String method, String file, int line) {
  @Override
  public String toString() {
    return type + "." + method + "(" + file + (line > 0 ? ":" + line : "") + ")";
  }
}
