package io.varve.coordinator.rest.index;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;

/** Waits until enough copies of each shard of an index serve. */
final class ActiveShardWait {

  private ActiveShardWait() {}

  /** Refuses what is neither a number nor {@code all}. */
  static void check(String wanted) {
    if (!wanted.equals("all") && !wanted.matches("\\d{1,9}")) {
      throw new ApiException(
          ErrorBody.illegalArgument("cannot parse ActiveShardCount[" + wanted + "]"));
    }
  }

  /** False when it isn't so in time. */
  static boolean await(ClusterAccess cluster, String index, String wanted, Duration timeout)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      ClusterState state = cluster.state();
      IndexMetadata metadata = state.indices().get(index);
      if (metadata == null) {
        return false;
      }
      if (isEnough(state, metadata, wanted)) {
        return true;
      }
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      cluster.awaitVersion(state.version() + 1, Duration.ofNanos(left));
    }
  }

  private static boolean isEnough(ClusterState state, IndexMetadata index, String wanted) {
    return index.shards().stream()
        .allMatch(shard ->
            CopyAddress.started(state, shard).size()
                >= (wanted.equals("all") ? shard.copies().size() : Integer.parseInt(wanted)));
  }
}
