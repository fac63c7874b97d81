package io.varve.coordinator.rest.index;

import io.varve.cluster.ActiveShards;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rest.RestRequest;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Waits until enough copies of each shard of an index are active. */
public final class ActiveShardWait {

  private ActiveShardWait() {}

  /**
   * Returns the value in the request; null if there is none, so that the index's setting applies.
   */
  static @Nullable ActiveShards asked(RestRequest request) {
    String wanted = request.param("wait_for_active_shards");
    return wanted == null ? null : ActiveShards.parse(wanted);
  }

  /** Waits; returns false after the timeout or if the index does not exist. */
  public static boolean await(
      ClusterAccess cluster, String index, @Nullable ActiveShards asked, Duration timeout)
      throws InterruptedException {
    return cluster
        .await(state -> enough(state, index, asked), cluster.deadline(timeout))
        .orElse(false);
  }

  /** Whether enough copies are active; empty while this may still change. */
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
