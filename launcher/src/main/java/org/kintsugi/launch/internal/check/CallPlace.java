// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import org.kintsugi.runtime.internal.protocol.CollectiveCall;

/** The text for calls and their ranks in messages. */
final class CallPlace {
  private CallPlace() {}

  /** Function, method, arguments and line. */
  static String of(CollectiveCall call) {
    return text(call, call.call());
  }

  /** The same where communicators are several. */
  static String withCommunicator(CollectiveCall call) {
    return text(call, call.call() + " on " + call.name());
  }

  private static String text(CollectiveCall call, String method) {
    return call.function() + (method.isEmpty() ? "" : " (" + method.strip() + ")")
        + (call.root().isEmpty() ? "" : ", root " + call.rootText()) + (call.op().isEmpty() ? "" : ", " + call.op())
        + (call.data().isEmpty() ? "" : ", " + call.data()) + (call.line().isEmpty() ? "" : ", " + call.line());
  }
}
