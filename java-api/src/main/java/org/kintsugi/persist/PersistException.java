// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

/** A message cannot be stored or received again; the message names rank, signature, and the file or database. */
public class PersistException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception.
   *
   * @param message the error, its place, and what to do
   */
  public PersistException(String message) {
    super(message);
  }

  /**
   * Makes an exception.
   *
   * @param message the error, its place, and what to do
   * @param cause the exception of the file system or the database
   */
  public PersistException(String message, Throwable cause) {
    super(message, cause);
  }
}
