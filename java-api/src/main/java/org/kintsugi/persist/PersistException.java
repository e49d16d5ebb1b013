// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

/** A message cannot be stored or received again; the message names rank, signature, and the file or database. */
public class PersistException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message what is wrong, where, and what to do
   */
  public PersistException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message what is wrong, where, and what to do
   * @param cause what the file system or the database said
   */
  public PersistException(String message, Throwable cause) {
    super(message, cause);
  }
}
