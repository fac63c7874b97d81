package io.varve.cluster;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/**
 * How many copies of each shard a request waits for: the parameter {@code wait_for_active_shards}.
 *
 * @param copies a number, or {@link #ALL}
 */
public record ActiveShards(int copies) {

  private static final int ALL = -1;

  public static final ActiveShards NONE = new ActiveShards(0);
  public static final ActiveShards ONE = new ActiveShards(1);

  /**
   * Parses {@code all} or a number that is not negative.
   *
   * @throws ApiException 400 for anything else
   */
  public static ActiveShards parse(String text) {
    if (text.equals("all")) {
      return new ActiveShards(ALL);
    }
    try {
      int copies = Integer.parseInt(text);
      if (copies >= 0) {
        return new ActiveShards(copies);
      }
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("cannot parse ActiveShardCount[" + text + "]"));
    }
    throw new ApiException(ErrorBody.illegalArgument("shard count cannot be a negative value"));
  }

  /** The value for writes to the index that specify none. */
  public static ActiveShards of(IndexMetadata index) {
    return parse(IndexSettings.value(index.settings(), IndexSettings.WAIT_FOR_ACTIVE_SHARDS));
  }

  /** Whether each shard of the index has that many active copies. */
  public boolean enough(ClusterState state, IndexMetadata index) {
    return index.shards().stream().allMatch(shard -> enough(state, shard));
  }

  /** Whether this shard has that many active copies, or its writers are released. */
  public boolean enough(ClusterState state, ShardRouting shard) {
    return shard.released()
        || shard.writeCopies().stream().filter(state::active).count() >= wanted(shard);
  }

  public int wanted(ShardRouting shard) {
    return copies == ALL ? shard.writeCopies().size() : copies;
  }

  @Override
  public String toString() {
    return copies == ALL ? "ALL" : Integer.toString(copies);
  }
}
