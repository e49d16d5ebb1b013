// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.util.function.Supplier;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.advice.internal.findings.Repetition;
import org.kintsugi.advice.internal.protection.Items;

/** The methods of a checkpoint: what they read and write of the program's data is none of the loop's. */
final class CheckpointModel implements Model {
  @Override
  public Object before(CallSite call, Object[] arguments) {
    switch (call.name()) {
      case "protect" -> {
        if (arguments[2] instanceof Supplier<?> getter) {
          Items.protect((String) arguments[1], call.place(), getter, false);
        } else if (arguments[2] != null) {
          Items.protect((String) arguments[1], call.place(), arguments[2]);
        }
      }
      case "protectObject" -> Items.protect((String) arguments[1], call.place(), (Supplier<?>) arguments[3], true);
      case "protectFields" -> Items.protectFields((String) arguments[1], call.place(), arguments[2]);
      case "save", "saveAsync" -> {
        Repetition.saves(Loop.number());
        Items.saves();
      }
      case "restore" -> Items.restores();
      default -> {
        // neither data nor a save
      }
    }
    return null;
  }

  @Override
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    if (call.name().equals("restore")) {
      Items.restored();
    } else if (call.name().endsWith("Ref")) {
      Items.protect((String) arguments[1], call.place(), result);
    } else if (call.name().startsWith("save")) {
      Items.ends();
    }
  }
}
