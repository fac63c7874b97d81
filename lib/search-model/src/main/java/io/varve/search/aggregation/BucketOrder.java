package io.varve.search.aggregation;

import java.util.List;

/**
 * The order of buckets: by each of these keys in turn, and on ties by the key of the bucket,
 * ascending. The order is total.
 */
public record BucketOrder(List<Key> keys) {

  public static final BucketOrder COUNT_DESCENDING = new BucketOrder(List.of(new Key.Count(true)));
  public static final BucketOrder KEY_ASCENDING = new BucketOrder(List.of(new Key.Own(false)));

  /** A value that buckets are compared by. */
  public sealed interface Key {
    boolean descending();

    record Count(boolean descending) implements Key {}

    record Own(boolean descending) implements Key {}

    /** A value of a sub-aggregation, such as {@code inner>stats.avg}. */
    record Path(String path, boolean descending) implements Key {}
  }

  public BucketOrder {
    keys = List.copyOf(keys);
  }

  /** Whether the bucket's own key is the only sort key. */
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
