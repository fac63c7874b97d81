package io.varve.testkit.sim;

import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.Map;

/** The global checkpoint, as one leader computes it, only rises. */
final class GlobalCheckpointNeverGoesBack implements Invariant {

  private record Place(ShardId shard, long leaderTerm) {}

  private final Map<Place, Long> highest = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    if (observation
        instanceof Observation.CheckpointComputed(ShardId shard, long leaderTerm, long seqNo)) {
      Long before = highest.put(new Place(shard, leaderTerm), seqNo);
      require(
          before == null || seqNo >= before, "of %s went back from %d to %d", shard, before, seqNo);
    }
  }
}
