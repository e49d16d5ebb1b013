// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.spec;

import org.kintsugi.runtime.SetupException;

/** A job cannot be started as it was asked for; the message names the argument, its value and what to do. */
public class LaunchException extends SetupException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message for the user: the argument, its value, and what to do
   */
  public LaunchException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message for the user: the argument, its value, and what to do
   * @param cause the exception that has led to it
   */
  public LaunchException(String message, Throwable cause) {
    super(message, cause);
  }
}
