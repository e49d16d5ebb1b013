// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.calls;

/** The library has done something else than the definition says. */
final class WrongException extends RuntimeException {
  private static final long serialVersionUID = 1;

  WrongException(String message) {
    super(message);
  }

  WrongException(String message, Throwable cause) {
    super(message, cause);
  }
}
