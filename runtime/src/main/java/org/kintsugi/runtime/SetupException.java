// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.runtime;

/** Something that a job needs is missing or wrong; the message names it, where it was looked for, and what to do. */
public class SetupException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message for the user: what cannot be used, and what to do
   */
  public SetupException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message for the user: what cannot be used, and what to do
   * @param cause what was thrown
   */
  public SetupException(String message, Throwable cause) {
    super(message, cause);
  }
}
