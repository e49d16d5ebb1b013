// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.app;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** This host lacks what an argument names; others may have it. */
final class MissingHereException extends ParameterException {
  private static final long serialVersionUID = 1;

  MissingHereException(CommandLine program, String why) {
    super(program, why);
  }

  /** On a spare that was not needed: the job has ended well, and the next one may need it. */
  void tellOfSpare(String host) {
    System.err.println("a spare on " + host + " could not have taken a rank's place: " + getMessage());
  }
}
