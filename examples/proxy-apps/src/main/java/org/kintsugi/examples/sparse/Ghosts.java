// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.examples.sparse;

/** The ghosts of vectors with one layout: owned values first, then those of the neighbours. Every call is collective. */
public interface Ghosts {
  /** A layout without ghosts: one rank alone. */
  Ghosts NONE = new Ghosts() {
    @Override
    public void fill(double[] vector) {
      // Nothing to fill.
    }

    @Override
    public void addBack(double[] vector) {
      // Nothing to give back.
    }
  };

  /** Fills the ghosts with their owners' values. */
  void fill(double[] vector);

  /** The transpose of {@link #fill}: owners add to their values what other ranks have in the ghosts of them. */
  void addBack(double[] vector);
}
