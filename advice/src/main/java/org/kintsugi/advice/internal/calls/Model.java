// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import org.kintsugi.advice.internal.code.CallSite;

/** What a method reads and writes. */
interface Model {
  /**
   * The program is about to call it.
   *
   * @param arguments with the receiver first, if there is one
   * @return what {@link #after} needs
   */
  Object before(CallSite call, Object[] arguments);

  /** It has returned. @param result null as well if the method returns none */
  void after(CallSite call, Object[] arguments, Object token, Object result);
}
