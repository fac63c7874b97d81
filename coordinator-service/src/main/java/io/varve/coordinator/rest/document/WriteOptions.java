package io.varve.coordinator.rest.document;

import io.varve.cluster.ActiveShards;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of a write request.
 *
 * @param timeout the time for which the request waits for a primary
 * @param activeShards the number of copies of a shard that must be active before a write; null for
 *     the index's setting
 */
record WriteOptions(RefreshPolicy refresh, Duration timeout, @Nullable ActiveShards activeShards) {

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

  private static @Nullable ActiveShards activeShards(RestRequest request) {
    String value = request.param("wait_for_active_shards");
    return value == null ? null : ActiveShards.parse(value);
  }
}
