// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.checkpoint;

import java.util.List;
import java.util.function.Predicate;
import org.kintsugi.checkpoint.engine.CheckpointException;
import org.kintsugi.checkpoint.engine.Engine;
import org.kintsugi.checkpoint.engine.Image;
import org.kintsugi.checkpoint.engine.Version;
import org.kintsugi.mpi.Buf;
import org.kintsugi.mpi.Comm;

/** An engine that keeps nothing, for those that only some methods matter of. */
public class KeepsNothing implements Engine {
  private final String name;

  /**
   * One of this name.
   *
   * @param name what {@link #name} says
   */
  public KeepsNothing(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void bind(Comm world) {}

  @Override
  public String begin(Version version, Image image, boolean aside) {
    return name();
  }

  @Override
  public void end() {}

  @Override
  public void commit(Version version) {}

  @Override
  public List<Version> versions(Predicate<Version> wanted) {
    return List.of();
  }

  @Override
  public Buf fetch(Version version) {
    throw new CheckpointException("nothing is kept");
  }

  @Override
  public void resume(Version version) {}

  @Override
  public void drop(long number) {}

  @Override
  public void close() {}
}
