package io.varve.testkit.sim;

import io.varve.events.ShardId;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/** A copy takes consecutive seq_nos, and no two writes are acked with the same one. */
final class SeqNoIsDensePerShard implements Invariant {

  private final IdentityHashMap<SimCopy, Long> lastTaken = new IdentityHashMap<>();

  private record Numbered(ShardId shard, long seqNo) {}

  private final Map<Numbered, Write> acked = new HashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    switch (observation) {
      case Observation.Taken taken -> {
        long seqNo = taken.operation().seqNo();
        Long last = lastTaken.put(taken.copy(), seqNo);
        require(
            last == null || seqNo == last + 1,
            "%s took seq_no %d after %d",
            taken.copy(),
            seqNo,
            last);
      }
      case Observation.Answered answered -> {
        Write write = answered.write();
        if (write.answer == Write.Answer.ACKED) {
          Write other = acked.putIfAbsent(new Numbered(write.shard(), write.seqNo), write);
          require(other == null, "%s and %s", write, other);
        }
      }
      default -> {}
    }
  }
}
