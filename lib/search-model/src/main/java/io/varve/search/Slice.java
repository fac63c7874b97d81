package io.varve.search;

import org.jspecify.annotations.Nullable;

/**
 * One of {@code max} disjoint slices of a search.
 *
 * <p>Whole shards are assigned to slices round-robin. A shard is divided only if there are more
 * slices than shards.
 *
 * @param field whose value determines the slice, or null for the id
 */
public record Slice(@Nullable String field, int id, int max) {

  /** The part of one shard that a slice searches. */
  public sealed interface Share {

    record Nothing() implements Share {}

    record Everything() implements Share {}

    /** The {@code id}th of {@code max} parts of the shard. */
    record Part(@Nullable String field, int id, int max) implements Share {}
  }

  public Slice {
    if (max < 2 || id < 0 || id >= max) {
      throw new IllegalArgumentException("slice " + id + " of " + max);
    }
  }

  /**
   * @param ordinal which of the index's {@code shards} searched shards this is
   */
  public Share of(int ordinal, int shards) {
    if (shards > max) {
      return ordinal % max == id ? new Share.Everything() : new Share.Nothing();
    }
    if (id % shards != ordinal) {
      return new Share.Nothing();
    }
    int parts = max / shards + (max % shards > ordinal ? 1 : 0);
    return parts == 1 ? new Share.Everything() : new Share.Part(field, id / shards, parts);
  }
}
