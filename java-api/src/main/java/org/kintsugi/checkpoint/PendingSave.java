// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import org.kintsugi.checkpoint.engine.CheckpointException;

/** A version on its way: where it goes, how much it is, and how long it has held up the program so far. */
final class PendingSave {
  /** The program's number for it. */
  final long asked;
  /** The engine's number for it: the same, unless that is not larger than the last one. */
  final long version;
  final long bytes;
  String level; // null: the engine could not begin it
  CheckpointException failure; // null: no failure on this rank
  long heldUpNanos;

  PendingSave(long asked, long version, long bytes) {
    this.asked = asked;
    this.version = version;
    this.bytes = bytes;
  }

  /** The first failure counts. */
  void failed(CheckpointException e) {
    failure = failure == null ? e : failure;
  }
}
