// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.persist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kintsugi.mpi.internal.files.LockOwner;
import org.kintsugi.persist.Entry.Kind;

/** A log that the disk has refused to write is not relied on until it is written anew. */
class FailedForceTest {
  private static final int BYTES = 1000;
  private static final int STORED = 3;

  @TempDir
  private Path folder;
  private Path file;
  private FileLog log;
  private final AtomicInteger refusals = new AtomicInteger(1);

  @BeforeEach
  void begin() throws IOException, ReflectiveOperationException {
    file = folder.resolve("rank-0.log");
    log = FileLog.own(file, "key 0@0");
    for (long number = 1; number <= STORED; number++) {
      log.append(new Entry(number, Kind.MESSAGE, 1, 7, number, BYTES), payload(number));
    }
    Field channel = FileLog.class.getDeclaredField("channel");
    channel.setAccessible(true);
    channel.set(log, new Refusing((FileChannel) channel.get(log), refusals));
  }

  private static ByteBuffer payload(long number) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
    while (bytes.hasRemaining()) {
      bytes.put((byte) number);
    }
    return bytes.flip();
  }

  private Object inode() throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  private void assertHas(int entries) throws IOException {
    try (FileLog reader = FileLog.other(file)) {
      assertThat(reader.entries(0)).hasSize(entries);
      for (Entry one : reader.entries(0)) {
        ByteBuffer back = ByteBuffer.allocateDirect(BYTES);
        assertThat(reader.read(one, back)).isTrue();
        assertThat(back).isEqualTo(payload(one.number()));
      }
    }
  }

  @Test
  void theNextForceWritesTheLogAnew() throws IOException {
    Object refused = inode();
    assertThatThrownBy(log::force).isInstanceOf(IOException.class);
    log.force();
    assertThat(inode()).as("another file").isNotEqualTo(refused);
    assertHas(STORED);
    Object anew = inode();
    log.append(new Entry(STORED + 1, Kind.MESSAGE, 1, 7, STORED + 1, BYTES), payload(STORED + 1));
    log.force();
    assertThat(inode()).isEqualTo(anew);
    assertHas(STORED + 1);
  }

  @Test
  void theNextForceFailsWhileWritingAnewFails() throws IOException {
    assertThatThrownBy(log::force).isInstanceOf(IOException.class);
    Path inTheWay = folder.resolve("rank-0.log.new-" + LockOwner.now().epoch() + "-" + ProcessHandle.current().pid());
    Files.createDirectories(inTheWay.resolve("full"));
    assertThatThrownBy(log::force).isInstanceOf(IOException.class);
    assertThatThrownBy(log::force).as("although nothing was written since").isInstanceOf(IOException.class);
    Files.delete(inTheWay.resolve("full"));
    log.force();
    assertHas(STORED);
  }

  @Test
  void anEntryThatIsGoneFromMemoryTooIsNotWrittenAnew() throws IOException {
    assertThatThrownBy(log::force).isInstanceOf(IOException.class);
    try (FileChannel disk = FileChannel.open(file, StandardOpenOption.WRITE)) {
      disk.write(ByteBuffer.allocate(BYTES / 2), disk.size() - BYTES / 2 - Long.BYTES);
    }
    assertThatThrownBy(log::force).isInstanceOf(PersistException.class).hasMessageContaining("entry " + STORED);
  }

  @Test
  void anEntryThatIsGoneAfterACutIsNotWrittenAnew() throws IOException {
    Object refused = inode();
    assertThatThrownBy(() -> log.cut(2)).isInstanceOf(IOException.class);
    log.append(new Entry(STORED, Kind.MESSAGE, 1, 7, STORED, BYTES), payload(STORED));
    log.force();
    assertThat(inode()).isNotEqualTo(refused);
    assertHas(STORED);
  }

  /** A channel that fails the first n times that its file is forced to the disk. */
  private static final class Refusing extends FileChannel {
    private final FileChannel channel;
    private final AtomicInteger refusals;

    Refusing(FileChannel channel, AtomicInteger refusals) {
      this.channel = channel;
      this.refusals = refusals;
    }

    @Override
    public void force(boolean withMetadata) throws IOException {
      if (refusals.getAndDecrement() > 0) {
        throw new IOException("Input/output error");
      }
      channel.force(withMetadata);
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
      return channel.read(to);
    }

    @Override
    public long read(ByteBuffer[] to, int offset, int length) throws IOException {
      return channel.read(to, offset, length);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      return channel.write(from);
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
      return channel.write(from, offset, length);
    }

    @Override
    public long position() throws IOException {
      return channel.position();
    }

    @Override
    public FileChannel position(long to) throws IOException {
      channel.position(to);
      return this;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
      channel.truncate(size);
      return this;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel to) throws IOException {
      return channel.transferTo(position, count, to);
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long position, long count) throws IOException {
      return channel.transferFrom(from, position, count);
    }

    @Override
    public int read(ByteBuffer to, long position) throws IOException {
      return channel.read(to, position);
    }

    @Override
    public int write(ByteBuffer from, long position) throws IOException {
      return channel.write(from, position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
      return channel.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
      return channel.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      return channel.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
      channel.close();
    }
  }
}
