package io.varve.events;

import java.util.Comparator;

/**
 * Identifies a point in time of a shard, in its manifest and in requests for its files. A higher
 * term is later; within a term, a higher generation.
 */
public record SnapshotId(long term, long generation) implements Comparable<SnapshotId> {

  private static final Comparator<SnapshotId> ORDER =
      Comparator.comparingLong(SnapshotId::term).thenComparingLong(SnapshotId::generation);

  public static SnapshotId of(Manifest manifest) {
    return new SnapshotId(manifest.term(), manifest.generation());
  }

  /**
   * Parses the form of {@link #toString}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static SnapshotId parse(String text) {
    String[] parts = text.split("\\.", -1);
    try {
      if (parts.length == 2) {
        return new SnapshotId(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a snapshot: [" + text + "]", e);
    }
    throw new IllegalArgumentException("not a snapshot: [" + text + "]");
  }

  @Override
  public int compareTo(SnapshotId other) {
    return ORDER.compare(this, other);
  }

  /** The form used in URLs: {@code term.generation}. */
  @Override
  public String toString() {
    return term + "." + generation;
  }
}
