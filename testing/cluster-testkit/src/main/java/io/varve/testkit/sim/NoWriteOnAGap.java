package io.varve.testkit.sim;

import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A primary acks no write that was appended to a log that had lost its tail, because that log lacks
 * the operations before the write.
 */
final class NoWriteOnAGap implements Invariant {

  private record Place(long term, long seqNo) {}

  private final Map<ShardId, Set<Place>> onAGap = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.LandedOnAGap(var shard, long term, long seqNo) ->
          onAGap.computeIfAbsent(shard, _ -> new HashSet<>()).add(new Place(term, seqNo));
      case Observation.Acked(var primary, var item, var done) ->
          require(
              !onAGap
                  .getOrDefault(primary.shard(), Set.of())
                  .contains(new Place(done.primaryTerm(), done.seqNo())),
              "%s acks %s as seq_no %d, which follows a gap in the log",
              primary,
              item.id(),
              done.seqNo());
      default -> {}
    }
  }
}
