// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.kintsugi.mpi.internal.memory.Errors;

/**
 * Calls of MPI on virtual threads, which Java has since version 21. A virtual thread that blocks
 * inside MPI keeps its carrier, and a rank that is bound to a core has only one: no other thread
 * could run and send the message that it waits for. So on a virtual thread, waits for messages
 * poll, and let other threads run in between. If MPI has no way to poll, a platform thread makes
 * the call. A platform thread also calls collectives, whose nonblocking form would not match the
 * blocking one of another process.
 */
public final class VirtualThreads {
  /**
   * The class of all virtual threads; null before Java 21. Java 17 does not have the method
   * Thread.isVirtual.
   */
  private static final Class<?> KIND = kind();

  private VirtualThreads() {}

  private static Class<?> kind() {
    try {
      return Class.forName("java.lang.BaseVirtualThread", false, null);
    } catch (ClassNotFoundException before21) {
      return null;
    }
  }

  /** Whether virtual threads may call MPI in this process. */
  public static boolean mayCall() {
    return KIND != null && (!CallingThread.isOne() || CallingThread.isOneOf(KIND));
  }

  /** Whether this code runs on a virtual thread. */
  public static boolean isCurrent() {
    return KIND != null && KIND.isInstance(Thread.currentThread());
  }

  /**
   * Whether a platform thread must make a blocking call. Not possible if only one thread may call
   * MPI.
   */
  public static boolean needsPlatformThread() {
    return isCurrent() && !CallingThread.isOne();
  }

  /** Lets a platform thread make the call, and returns its result. An interrupt does not end it. */
  public static <T> T onPlatformThread(Supplier<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread = new Thread(() -> {
      try {
        result.complete(call.get());
      } catch (Throwable thrown) {
        result.completeExceptionally(thrown);
      }
    }, "kintsugi-for-" + Thread.currentThread());
    thread.setDaemon(true);
    thread.start();
    try {
      return result.join();
    } catch (CompletionException thrown) {
      Errors.rethrow(thrown.getCause());
      throw thrown;
    }
  }

  /**
   * Waits on a virtual thread until a test says that it is over, or throws. An interrupt does not end the wait; the thread is
   * interrupted afterwards. Other threads may test for this one.
   *
   * @return true
   */
  public static boolean await(BooleanSupplier look) {
    if (!look.getAsBoolean()) {
      VirtualThreadPoller.await(look);
    }
    return true;
  }

  /**
   * As {@link #await}, for a test with a result.
   *
   * @param look returns null while there is no result
   * @return the result
   */
  public static <T> T awaitFound(Supplier<T> look) {
    Finding<T> finding = new Finding<>(look);
    await(finding);
    return finding.found;
  }

  private static final class Finding<T> implements BooleanSupplier {
    private final Supplier<T> look;
    private T found;

    Finding(Supplier<T> look) {
      this.look = look;
    }

    @Override
    public boolean getAsBoolean() {
      found = look.get();
      return found != null;
    }
  }
}
