package io.varve.search.aggregation;

import java.util.List;

/**
 * The order of buckets: by each key in turn; in the end by the buckets' own keys, ascending, so
 * that no two are equal.
 */
public record BucketOrder(List<Key> keys) {

  public static final BucketOrder COUNT_DESCENDING = new BucketOrder(List.of(new Key.Count(true)));
  public static final BucketOrder KEY_ASCENDING = new BucketOrder(List.of(new Key.Own(false)));

  /** What buckets are compared by. */
  public sealed interface Key {
    boolean descending();

    record Count(boolean descending) implements Key {}

    record Own(boolean descending) implements Key {}

    /** A figure of an aggregation within the bucket, such as {@code inner>stats.avg}. */
    record Path(String path, boolean descending) implements Key {}
  }

  public BucketOrder {
    keys = List.copyOf(keys);
  }

  /** Whether the bucket's own key decides alone. */
  public boolean isByKey() {
    return !keys.isEmpty() && keys.getFirst() instanceof Key.Own;
  }

  public boolean isByCountDescending() {
    return !keys.isEmpty() && keys.getFirst() instanceof Key.Count(boolean down) && down;
  }

  public boolean usesPaths() {
    return keys.stream().anyMatch(key -> key instanceof Key.Path);
  }
}
