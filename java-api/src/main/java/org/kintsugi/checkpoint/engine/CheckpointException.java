// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint.engine;

/** A checkpoint cannot be written or is not what the program expects; the message names rank, version and file. */
public class CheckpointException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message names rank, version and file, and what to do
   */
  public CheckpointException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message names rank, version and file, and what to do
   * @param cause what went wrong below
   */
  public CheckpointException(String message, Throwable cause) {
    super(message, cause);
  }
}
