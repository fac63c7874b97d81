package io.varve.events;

import java.util.Objects;

/**
 * Identifies a shard of an index: the unit of history, and the partition number in the index's
 * topics.
 */
public record ShardId(String indexUuid, int number) implements Comparable<ShardId> {

  public ShardId {
    Objects.requireNonNull(indexUuid, "indexUuid");
    if (indexUuid.isEmpty()) {
      throw new IllegalArgumentException("indexUuid must not be empty");
    }
    if (number < 0) {
      throw new IllegalArgumentException("shard number must be >= 0, was " + number);
    }
  }

  @Override
  public int compareTo(ShardId other) {
    int byIndex = indexUuid.compareTo(other.indexUuid);
    return byIndex != 0 ? byIndex : Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "[" + indexUuid + "][" + number + "]";
  }
}
