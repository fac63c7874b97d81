package io.varve.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The properties of an alias for one of its indices.
 *
 * @param filter a query's JSON; it restricts searches through the alias
 * @param indexRouting the routing of writes and of reads by id
 * @param searchRouting comma-separated routings; searches go to their shards
 * @param writeIndex whether writes through the alias go to this index; null if not specified
 * @param hidden whether wildcards skip the alias; null if not specified
 */
public record AliasMetadata(
    @Nullable String filter,
    @Nullable String indexRouting,
    @Nullable String searchRouting,
    @Nullable Boolean writeIndex,
    @Nullable Boolean hidden) {

  /** An alias without filter, routing or flags. */
  public static final AliasMetadata PLAIN = new AliasMetadata(null, null, null, null, null);

  public boolean writesHere() {
    return Boolean.TRUE.equals(writeIndex);
  }

  public boolean leftOut() {
    return Boolean.TRUE.equals(hidden);
  }

  public AliasMetadata withWriteIndex(@Nullable Boolean newWriteIndex) {
    return new AliasMetadata(filter, indexRouting, searchRouting, newWriteIndex, hidden);
  }
}
