// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Program;
import org.kintsugi.advice.internal.objects.Kind;
import org.kintsugi.advice.internal.protection.Items;

/** Finds the model of a call. */
public final class Calls {
  private static final Map<Integer, Model> MODELS = new ConcurrentHashMap<>();
  private static final Set<CallSite> FAILED = ConcurrentHashMap.newKeySet();
  private static final Model OPAQUE = new OpaqueModel();

  private Calls() {}

  /**
   * A call that has begun.
   *
   * @param token of its model
   */
  private record Begun(CallSite call, Model model, Object[] arguments, Object token) {}

  private static Model model(CallSite call) {
    String owner = call.owner();
    if (owner.startsWith("[") || owner.equals("java/util/Arrays") || owner.equals("java/lang/System")) {
      return new ArrayModel();
    }
    if (owner.equals("org/kintsugi/mpi/Buf") || owner.equals("org/kintsugi/mpi/BufElements")) {
      return new BufferModel();
    }
    if (owner.startsWith("org/kintsugi/mpi/")) {
      return new MessageModel();
    }
    if (owner.equals("org/kintsugi/checkpoint/DoubleRef") || owner.equals("org/kintsugi/checkpoint/LongRef")
        || owner.equals("java/lang/ThreadLocal")) {
      return new CellModel();
    }
    if (owner.startsWith("org/kintsugi/checkpoint/")) {
      return new CheckpointModel();
    }
    return owner.equals("java/nio/file/Files") || owner.equals("java/nio/channels/FileChannel") && call.name().equals("open")
        || owner.startsWith("java/io/") && call.name().equals("<init>") ? new FileModel()
            : OPAQUE;
  }

  /** The program is about to call. @return what {@link #after} needs; null: nothing */
  public static Object before(int number, Object[] arguments) {
    if (Items.saving == Thread.currentThread()) {
      for (Object argument : arguments) {
        if (argument != null && (Kind.of(argument) == Kind.ARRAY || Kind.of(argument) == Kind.OPAQUE
            || Kind.of(argument) == Kind.BUFFER || Kind.of(argument) == Kind.KINTSUGI)) {
          Items.read(argument);
        }
      }
      return null;
    }
    CallSite call = Program.call(number);
    Model model = MODELS.computeIfAbsent(number, key -> model(call));
    try {
      return new Begun(call, model, arguments, model.before(call, arguments));
    } catch (RuntimeException | LinkageError e) {
      failed(call, e);
      return null;
    }
  }

  /** The call has returned. */
  public static void after(Object begun, Object result) {
    if (begun instanceof Begun of) {
      try {
        of.model.after(of.call, of.arguments, of.token, result);
      } catch (RuntimeException | LinkageError e) {
        failed(of.call, e);
      }
    }
  }

  /** The program goes on without it. */
  private static void failed(CallSite call, Throwable why) {
    if (FAILED.add(call)) {
      Program.warn("what this call does to the data is not known: " + call.owner().replace('/', '.') + "." + call.name() + " in "
          + Program.place(call.place()) + " (" + why + ")");
    }
  }
}
