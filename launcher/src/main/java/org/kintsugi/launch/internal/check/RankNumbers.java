// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.check;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;

/** The numbers of ranks as text. */
public final class RankNumbers {
  private RankNumbers() {}

  /** "rank 1", or "ranks 0,2-3". */
  public static String ranks(Collection<Integer> ranks) {
    return (ranks.size() == 1 ? "rank " : "ranks ") + ranges(ranks);
  }

  /** The numbers in a set, those that follow one another as a range: "0-2,5". */
  public static String ranges(Collection<Integer> numbers) {
    StringJoiner text = new StringJoiner(",");
    List<Integer> all = new ArrayList<>(new TreeSet<>(numbers));
    int i = 0;
    while (i < all.size()) {
      int last = i;
      while (last + 1 < all.size() && all.get(last + 1) == all.get(last) + 1) {
        last++;
      }
      text.add(last == i ? String.valueOf(all.get(i)) : all.get(i) + "-" + all.get(last));
      i = last + 1;
    }
    return text.toString();
  }
}
