package io.varve.cluster;

import org.jspecify.annotations.Nullable;

/**
 * What an alias says of one of its indices.
 *
 * @param filter a query's JSON; searches through the alias find nothing else
 * @param indexRouting the routing of writes and reads by id
 * @param searchRouting routings between commas, to whose shards searches go
 * @param writeIndex whether writes through the alias go to this index; null when nothing was said
 * @param hidden whether wildcards leave the alias out; null when nothing was said
 */
public record AliasMetadata(
    @Nullable String filter,
    @Nullable String indexRouting,
    @Nullable String searchRouting,
    @Nullable Boolean writeIndex,
    @Nullable Boolean hidden) {

  /** Another name and nothing more. */
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
