package io.varve.coordinator.rest.document;

import io.varve.coordinator.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;

/**
 * How a write is done.
 *
 * @param timeout how long it waits for a primary
 * @param activeShards how many copies of a shard must serve before it is written; {@link #ALL}
 */
record WriteOptions(RefreshPolicy refresh, Duration timeout, int activeShards) {

  static final int ALL = -1;

  static WriteOptions of(RestRequest request) {
    RefreshPolicy refresh = RefreshPolicy.of(request);
    Duration timeout = request.time("timeout", Duration.ofMinutes(1));
    String pipeline = request.param("pipeline");
    if (pipeline != null && !pipeline.equals("_none")) {
      throw new ApiException(
          ErrorBody.illegalArgument("pipeline with id [" + pipeline + "] does not exist"));
    }
    return new WriteOptions(refresh, timeout, activeShards(request));
  }

  private static int activeShards(RestRequest request) {
    String value = request.param("wait_for_active_shards", "1");
    if (value.equals("all")) {
      return ALL;
    }
    try {
      int count = Integer.parseInt(value);
      if (count >= 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      throw new ApiException(
          ErrorBody.illegalArgument("cannot parse ActiveShardCount[" + value + "]"));
    }
    throw new ApiException(ErrorBody.illegalArgument("shard count cannot be a negative value"));
  }
}
