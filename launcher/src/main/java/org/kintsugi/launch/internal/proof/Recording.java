// Copyright 2026 The Kintsugi authors. SPDX-License-Identifier: Apache-2.0
package org.kintsugi.launch.internal.proof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the processes of one job wrote down: {@code org.kintsugi.checkpoint.internal.proof.ProofRecord} has the lines. */
final class Recording {
  private static final int ITEM_PARTS = 7;

  /**
   * A protected item at a save.
   *
   * @param run the ordinal of the program's run
   */
  record Place(long run, long version, int rank, String item) implements Comparable<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingLong(Place::run).thenComparingLong(Place::version).thenComparingInt(Place::rank)
            .thenComparing(Place::item);

    @Override
    public int compareTo(Place other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return "\"" + item + "\" of rank " + rank + " in version " + version + (run == 1 ? "" : " of run " + run);
    }
  }

  /** An item's bytes: how many, and their checksum. The values of a place are those of all saves of that version. */
  record Content(long bytes, String checksum) {}

  private final Map<Place, Set<Content>> items = new TreeMap<>();
  private final TreeSet<Long> iterations = new TreeSet<>();
  private final TreeSet<Integer> ranks = new TreeSet<>();
  private Long firstAfterSave;

  /** Reads all files in the folder. */
  static Recording in(Path folder) throws IOException {
    Recording recording = new Recording();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        recording.read(Files.readString(file, StandardCharsets.UTF_8));
      }
    }
    return recording;
  }

  /** A killed process may have left a part of a line at the end. */
  private void read(String text) {
    boolean hasSaved = false;
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      String[] parts = line.split(" ", ITEM_PARTS);
      if (parts[0].equals("iteration")) {
        long iteration = Long.parseLong(parts[2]);
        ranks.add(Integer.valueOf(parts[1]));
        iterations.add(iteration);
        if (hasSaved && (firstAfterSave == null || iteration < firstAfterSave)) {
          firstAfterSave = iteration;
        }
        hasSaved = false;
      } else if (parts.length == ITEM_PARTS) {
        hasSaved = true;
        items.computeIfAbsent(
            new Place(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Integer.parseInt(parts[3]), parts[ITEM_PARTS - 1]),
            place -> new LinkedHashSet<>()).add(new Content(Long.parseLong(parts[4]), parts[5]));
      }
    }
  }

  Set<Integer> ranks() {
    return ranks;
  }

  TreeSet<Long> iterations() {
    return iterations;
  }

  /** The smallest iteration that a rank began just after a save; null: there is none. */
  Long firstAfterSave() {
    return firstAfterSave;
  }

  /** All protected items that were saved, by name. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    items.keySet().forEach(place -> names.add(place.item()));
    return names;
  }

  /** The number of items in all versions. */
  int size() {
    return items.size();
  }

  long versions() {
    return items.keySet().stream().map(place -> place.run() + " " + place.version()).distinct().count();
  }

  /** The places that both jobs have saved. Saves that depend on the time come in other iterations of each job. */
  List<Place> common(Recording other) {
    return items.keySet().stream().filter(other.items::containsKey).toList();
  }

  /**
   * Where another job's items have another content. A version that is saved twice, as iterations are made again, must be the same
   * each time.
   *
   * @return in the order of versions
   */
  List<Place> differences(Recording other) {
    return common(other).stream().filter(place -> !items.get(place).equals(other.items.get(place))).toList();
  }
}
