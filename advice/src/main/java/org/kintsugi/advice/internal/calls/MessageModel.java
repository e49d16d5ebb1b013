// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.advice.internal.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.kintsugi.advice.internal.code.CallSite;
import org.kintsugi.advice.internal.code.Loop;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.PersistentRequest;

/**
 * The operations of communicators on buffers.
 *
 * <p>What a nonblocking operation receives counts as written when it is called: no program may read it before the
 * operation has ended.
 */
final class MessageModel implements Model {
  /** The started form of each persistent operation. */
  private static final Map<PersistentRequest, Access> PERSISTENT = new WeakHashMap<>();

  /** What an operation reads and writes; parts of buffers are buffers. */
  private record Access(List<Buf> read, List<Buf> written) {
    Access() {
      this(new ArrayList<>(), new ArrayList<>());
    }
  }

  @Override
  public Object before(CallSite call, Object[] arguments) {
    if (arguments.length > 0 && arguments[0] instanceof PersistentRequest request && call.name().equals("start")) {
      started(request, call);
    } else if (call.name().equals("startAll") && arguments[0] instanceof PersistentRequest[] requests) {
      for (PersistentRequest request : requests) {
        started(request, call);
      }
    }
    if (Loop.now == 0 && !call.name().endsWith("Init") || arguments.length == 0) {
      return null;
    }
    Access access = access(call, arguments);
    if (access == null || call.name().endsWith("Init")) {
      return access;
    }
    access.read.forEach(buf -> Ranges.read(buf, call.place()));
    List<Object> copies = new ArrayList<>();
    access.written.forEach(buf -> copies.add(Ranges.copy(buf)));
    return new Object[] {access, copies};
  }

  private static void started(PersistentRequest request, CallSite call) {
    Access access;
    synchronized (PERSISTENT) {
      access = PERSISTENT.get(request);
    }
    if (access != null) {
      access.read.forEach(buf -> Ranges.read(buf, call.place()));
      access.written.forEach(buf -> Ranges.changed(buf, Ranges.copy(buf), call.place()));
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public void after(CallSite call, Object[] arguments, Object token, Object result) {
    if (token instanceof Access access && result instanceof PersistentRequest request) {
      synchronized (PERSISTENT) {
        PERSISTENT.put(request, access);
      }
    } else if (token instanceof Object[] both) {
      List<Buf> written = ((Access) both[0]).written;
      List<Object> copies = (List<Object>) both[1];
      for (int i = 0; i < written.size(); i++) {
        if (call.name().matches("i[A-Z].*")) {
          Ranges.changed(written.get(i), copies.get(i), call.place());
        } else {
          Ranges.written(written.get(i), copies.get(i), call.place());
        }
      }
    }
  }

  /** What the operation is, whatever its form: blocking, nonblocking, persistent. */
  private static String operation(String name) {
    String plain = name.matches("i[A-Z].*") ? Character.toLowerCase(name.charAt(1)) + name.substring(2) : name;
    return plain.endsWith("Init") ? plain.substring(0, plain.length() - 4) : plain;
  }

  private static Access access(CallSite call, Object[] arguments) {
    List<Buf> bufs = new ArrayList<>();
    List<int[]> numbers = new ArrayList<>();
    Integer last = null;
    for (Object argument : arguments) {
      if (argument instanceof Buf buf) {
        bufs.add(buf);
      } else if (argument instanceof int[] ints) {
        numbers.add(ints);
      } else if (argument instanceof Integer number) {
        last = number;
      }
    }
    if (bufs.isEmpty()) {
      return null;
    }
    Access access = new Access();
    Buf first = bufs.get(0);
    Buf second = bufs.size() > 1 ? bufs.get(1) : null;
    String operation = operation(call.name());
    if (!(arguments[0] instanceof Comm comm)) {
      if (operation.equals("recv")) { // of a probed message
        access.written.add(first);
      }
      return access;
    }
    boolean isRoot = last != null && last == comm.rank();
    switch (operation) {
      case "send", "sSend", "bSend", "rSend" -> access.read.add(first);
      case "recv" -> access.written.add(first);
      case "bcast" -> (isRoot ? access.read : access.written).add(first);
      case "reduce", "gather", "gatherV" -> {
        access.read.add(first);
        if (isRoot) {
          addReceived(access, second == null ? first : second, numbers);
        }
      }
      case "scatter", "scatterV" -> {
        if (isRoot) {
          access.read.add(first);
        }
        if (second != null || !isRoot) {
          access.written.add(second == null ? first : second);
        }
      }
      case "allGather", "allGatherV" -> {
        access.read.add(second == null ? ownPart(first, comm, numbers) : first);
        addReceived(access, second == null ? first : second, numbers);
      }
      default -> { // in place: what is there is read, and replaced
        access.read.add(first);
        addReceived(access, second == null ? first : second, numbers);
      }
    }
    return access;
  }

  private static Buf ownPart(Buf buf, Comm comm, List<int[]> numbers) {
    return numbers.size() < 2 ? buf.slice(buf.count() / comm.size() * comm.rank(), buf.count() / comm.size())
        : buf.slice(numbers.get(1)[comm.rank()], numbers.get(0)[comm.rank()]);
  }

  /** Where each rank has a part of its own, memory between the parts stays as it is. */
  private static void addReceived(Access access, Buf buf, List<int[]> numbers) {
    if (numbers.size() < 2) {
      access.written.add(buf);
      return;
    }
    int[] counts = numbers.get(numbers.size() - 2);
    int[] displacements = numbers.get(numbers.size() - 1);
    for (int i = 0; i < counts.length && i < displacements.length; i++) {
      if (counts[i] > 0) {
        access.written.add(buf.slice(displacements[i], counts[i]));
      }
    }
  }
}
