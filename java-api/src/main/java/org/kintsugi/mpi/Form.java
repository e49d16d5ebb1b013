// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi;

/** How a collective is executed. */
enum Form {
  /**
   * MPI's function returns when it is done. There is no request. On a virtual thread, too, where a platform thread makes the
   * call: a nonblocking collective would not match the blocking one of another process.
   */
  BLOCKING,
  /** It is under way when MPI's function returns. */
  NONBLOCKING,
  /** It is set up only, to be started many times. */
  PERSISTENT
}
