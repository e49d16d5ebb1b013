// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal;

import java.lang.invoke.MethodHandles;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/**
 * Gives Kintsugi's other packages access to what {@code org.kintsugi.mpi} does not show to programs. The public classes provide
 * one object each when they are initialised.
 */
public final class Access {
  private Access() {}

  /** Access to communicators. */
  public static CommAccess comms() {
    return OfComm.ACCESS;
  }

  /** Access to requests, statuses and probed messages. */
  public static MessageAccess messages() {
    return OfMessages.ACCESS;
  }

  /** Access to buffers and datatypes. */
  public static BufAccess bufs() {
    return OfBuf.ACCESS;
  }

  private static void initialise(Class<?> provider) {
    try {
      MethodHandles.lookup().ensureInitialized(provider);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e); // it is a public class of the same module
    }
  }

  // Constants, so that the JVM's compilers call the only implementation directly. One holder class for each: a use of buffers
  // must not initialise Comm, which loads the MPI.

  private static final class OfComm {
    static final CommAccess ACCESS;

    static {
      initialise(Comm.class);
      ACCESS = Provided.comms;
    }
  }

  private static final class OfMessages {
    static final MessageAccess ACCESS;

    static {
      initialise(Comm.class);
      ACCESS = Provided.messages;
    }
  }

  private static final class OfBuf {
    static final BufAccess ACCESS;

    static {
      initialise(Buf.class);
      ACCESS = Provided.bufs;
    }
  }

  /** Takes the objects, and initialises nothing itself: two threads may initialise classes of both packages at once. */
  public static final class Provided {
    private static volatile CommAccess comms;
    private static volatile MessageAccess messages;
    private static volatile BufAccess bufs;

    private Provided() {}

    /** Called by {@link Comm} once. */
    public static void provide(CommAccess access) {
      comms = access;
    }

    /** Called by {@link Comm} once. */
    public static void provide(MessageAccess access) {
      messages = access;
    }

    /** Called by {@link Buf} once. */
    public static void provide(BufAccess access) {
      bufs = access;
    }
  }
}
