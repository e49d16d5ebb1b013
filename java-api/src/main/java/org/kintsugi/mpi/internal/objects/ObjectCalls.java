// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.mpi.internal.objects;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;
import org.kintsugi.mpi.Message;
import org.kintsugi.mpi.internal.Access;
import org.kintsugi.mpi.internal.calls.CommState;
import org.kintsugi.mpi.internal.lifetime.Rejections;

/**
 * Messages and collectives of objects, made of those of bytes.
 *
 * <p>An object has a length in bytes that the receivers do not know, and serializing it may fail. So a collective first exchanges
 * the lengths; that of a failure is negative, and its bytes are the reason in words. All processes then throw, and no process
 * waits. In a message, the first byte says which of both it is.
 */
public final class ObjectCalls {
  private static final byte OBJECT = 0;
  private static final byte FAILURE = 1;

  private final Comm comm;
  private final CommState state;

  /** Exchanges objects by a communicator's other methods. */
  public ObjectCalls(Comm comm, CommState state) {
    this.comm = comm;
    this.state = state;
  }

  /** An object in bytes, or the reason why it has none. */
  private static final class Part {
    private final byte[] bytes;
    private final Throwable failure;

    Part(byte[] bytes, Throwable failure) {
      this.bytes = bytes;
      this.failure = failure;
    }

    /** At least 0 for an object, less for a failure. */
    long code() {
      return failure == null ? bytes.length : -1L - bytes.length;
    }
  }

  public <T> T bcast(Class<T> type, T value, int root, Class<?>... others) {
    String method = "bcastObject";
    ObjectBytes form = form(method, type, others);
    boolean isRoot = state.rawRank() == root;
    Part part = isRoot ? part(method, form, type, value) : null;
    long code = comm.bcast(isRoot ? part.code() : 0L, root);
    byte[] bytes = isRoot ? part.bytes : new byte[length(code)];
    comm.bcast(Buf.wrap(bytes), root);
    if (code < 0) {
      throw refused(text(bytes), isRoot ? part.failure : null);
    }
    return isRoot ? value : read(method, form, type, bytes, root);
  }

  public <T> List<T> gather(Class<T> type, T value, int root, Class<?>... others) {
    String method = "gatherObjects";
    ObjectBytes form = form(method, type, others);
    Part part = part(method, form, type, value);
    int[] lengths = lengths(method, part);
    byte[] all = state.rawRank() == root ? new byte[Arrays.stream(lengths).sum()] : new byte[0];
    int[] places = places(lengths);
    comm.gatherV(Buf.wrap(part.bytes), Buf.wrap(all), lengths, places, root);
    return state.rawRank() == root ? readAll(method, form, type, all, lengths, places) : null;
  }

  public <T> List<T> allGather(Class<T> type, T value, Class<?>... others) {
    String method = "allGatherObjects";
    ObjectBytes form = form(method, type, others);
    Part part = part(method, form, type, value);
    int[] lengths = lengths(method, part);
    byte[] all = new byte[Arrays.stream(lengths).sum()];
    int[] places = places(lengths);
    comm.allGatherV(Buf.wrap(part.bytes), Buf.wrap(all), lengths, places);
    return readAll(method, form, type, all, lengths, places);
  }

  public <T> void send(Class<T> type, T value, int dest, int tag, Class<?>... others) {
    String method = "sendObject";
    ObjectBytes form = form(method, type, others);
    Part part = part(method, form, type, value);
    byte[] message = new byte[1 + part.bytes.length];
    message[0] = part.failure == null ? OBJECT : FAILURE;
    System.arraycopy(part.bytes, 0, message, 1, part.bytes.length);
    comm.send(Buf.wrap(message), dest, tag);
    if (part.failure != null) {
      throw refused(text(part.bytes), part.failure);
    }
  }

  public <T> T recv(Class<T> type, int source, int tag, Class<?>... others) {
    String method = "recvObject";
    ObjectBytes form = form(method, type, others);
    Message message = comm.mProbe(source, tag);
    byte[] bytes = new byte[Math.toIntExact(message.status().bytes())];
    int from = message.status().source();
    message.recv(Buf.wrap(bytes));
    if (bytes.length == 0) { // from PROC_NULL
      return null;
    }
    byte[] content = Arrays.copyOfRange(bytes, 1, bytes.length);
    if (bytes[0] == FAILURE) {
      throw refused(text(content), null);
    }
    return read(method, form, type, content, from);
  }

  private ObjectBytes form(String method, Class<?> type, Class<?>... others) {
    Objects.requireNonNull(type, "type is null");
    Access.comms().requireObjects(comm, method);
    return new ObjectBytes(type, type, others);
  }

  private Part part(String method, ObjectBytes form, Class<?> type, Object value) {
    try {
      return new Part(form.write(type.cast(value)).bytes(), null);
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // Methods of the program are called there. Whatever they throw, the others wait for this process's part.
      String why = e instanceof ObjectBytes.NotNamedException refused ? refused.reason(method) : e.toString();
      String reason = method + ": rank " + state.rawRank() + "'s object of " + type.getName() + " cannot be sent: " + why;
      return new Part(reason.getBytes(StandardCharsets.UTF_8), e);
    }
  }

  private static int length(long code) {
    return Math.toIntExact(code < 0 ? -1 - code : code);
  }

  /** The lengths of all processes' parts. Throws on all processes if one has no object, or if they are too long together. */
  private int[] lengths(String method, Part part) {
    long[] codes = new long[state.rawSize()];
    comm.allGather(Buf.copyOf(part.code()), Buf.wrap(codes));
    long sum = 0;
    for (int rank = 0; rank < codes.length; rank++) {
      if (codes[rank] < 0) {
        byte[] reason = rank == state.rawRank() ? part.bytes : new byte[length(codes[rank])];
        comm.bcast(Buf.wrap(reason), rank);
        throw refused(text(reason), rank == state.rawRank() ? part.failure : null);
      }
      sum += codes[rank];
    }
    if (sum > ObjectBytes.MOST_BYTES) {
      throw Rejections.argument(method + ": the objects of all ranks take " + sum + " bytes together, and at most "
          + ObjectBytes.MOST_BYTES + " can be collected: send them one by one, or their arrays as Bufs");
    }
    int[] lengths = new int[codes.length];
    for (int rank = 0; rank < codes.length; rank++) {
      lengths[rank] = (int) codes[rank];
    }
    return lengths;
  }

  private static int[] places(int... lengths) {
    int[] places = new int[lengths.length];
    for (int rank = 1; rank < lengths.length; rank++) {
      places[rank] = places[rank - 1] + lengths[rank - 1];
    }
    return places;
  }

  private <T> List<T> readAll(String method, ObjectBytes form, Class<T> type, byte[] all, int[] lengths, int[] places) {
    List<T> objects = new ArrayList<>();
    for (int rank = 0; rank < lengths.length; rank++) {
      objects.add(read(method, form, type, Arrays.copyOfRange(all, places[rank], places[rank] + lengths[rank]), rank));
    }
    return Collections.unmodifiableList(objects);
  }

  private <T> T read(String method, ObjectBytes form, Class<T> type, byte[] bytes, int from) {
    try {
      return type.cast(form.read(bytes));
    } catch (IOException | ClassNotFoundException | ClassCastException e) {
      String why = e instanceof ObjectBytes.NotNamedException refused ? refused.reason(method) : e.toString();
      throw refused(method + ": the object of rank " + from + " cannot be read as " + type.getName() + ": " + why, e);
    }
  }

  private static String text(byte... bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static IllegalArgumentException refused(String text, Throwable cause) {
    IllegalArgumentException refused = Rejections.argument(text);
    if (cause != null) {
      refused.initCause(cause);
    }
    return refused;
  }
}
