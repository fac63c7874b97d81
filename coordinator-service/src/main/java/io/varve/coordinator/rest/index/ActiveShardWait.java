package io.varve.coordinator.rest.index;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits until enough copies of each shard of an index serve. */
public final class ActiveShardWait {

  private ActiveShardWait() {}

  /** Null when the request does not say: then the index's setting applies. */
  static @Nullable ActiveShards asked(RestRequest request) {
    String wanted = request.param("wait_for_active_shards");
    return wanted == null ? null : ActiveShards.parse(wanted);
  }

  /** False after the timeout. */
  public static boolean await(
      ClusterAccess cluster, String index, @Nullable ActiveShards asked, Duration timeout)
      throws InterruptedException {
    return cluster
        .await(state -> enough(state, index, asked), cluster.deadline(timeout))
        .orElse(false);
  }

  /** Empty while there may be enough later. */
  private static Optional<Boolean> enough(
      ClusterState state, String index, @Nullable ActiveShards asked) {
    IndexMetadata metadata = state.indices().get(index);
    if (metadata == null) {
      return Optional.of(false);
    }
    ActiveShards wanted = asked == null ? ActiveShards.of(metadata) : asked;
    return wanted.enough(state, metadata) ? Optional.of(true) : Optional.empty();
  }
}
