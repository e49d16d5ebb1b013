// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.ci.persist;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.kintsugi.mpi.Comm;
import org.kintsugi.persist.Entry;
import org.kintsugi.persist.MessageStore;
import org.kintsugi.persist.StoreContext;

/** A custom store that keeps messages on the heap while the process lives. */
public class HeapMessageStore implements MessageStore {
  private record Kept(Entry entry, byte[] bytes) {}

  private static final Map<String, NavigableMap<Long, Kept>> LOGS = new ConcurrentHashMap<>();

  private StoreContext context;

  private NavigableMap<Long, Kept> log(int source) {
    return LOGS.computeIfAbsent(context.key() + "/" + context.communicator() + "/" + source, name -> new TreeMap<>());
  }

  @Override
  public void open(StoreContext newContext) {
    context = newContext;
  }

  @Override
  public void append(Entry entry, ByteBuffer payload) {
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    log(context.rank()).put(entry.number(), new Kept(entry, bytes));
  }

  @Override
  public void drop(Entry entry) {
    log(context.rank()).remove(entry.number());
  }

  @Override
  public void cut(long number) {
    log(context.rank()).tailMap(number, false).clear();
  }

  @Override
  public List<Entry> entries(int source, long after) {
    return new ArrayList<>(log(source).tailMap(after, false).values().stream().map(Kept::entry).toList());
  }

  @Override
  public boolean read(int source, Entry entry, ByteBuffer target) {
    Kept kept = log(source).get(entry.number());
    if (kept == null) {
      return false;
    }
    target.duplicate().put(kept.bytes);
    return true;
  }

  @Override
  public void settle(Comm wire) {
    // Nothing outlives more than it does.
  }

  @Override
  public void clear() {
    log(context.rank()).clear();
  }

  @Override
  public void close() {
    // The heap is the process's.
  }
}
