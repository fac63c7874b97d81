package io.varve.ccr;

import io.varve.events.Operation;
import io.varve.rpc.ReplicateWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A fake primary of a follower that stores the operations it receives; its cursor is the last of
 * them.
 */
final class HoldingFollower implements ShardPuller.Follower {

  private final List<Operation> held = new ArrayList<>();
  private ReplicateWire.Cursor cursor = new ReplicateWire.Cursor(-1, 0, 0, -1, -1, 0, null);

  @Override
  public synchronized Optional<ReplicateWire.Cursor> cursor() {
    return Optional.of(cursor);
  }

  /**
   * Gives it the leader's snapshot of everything before that operation, which is at offset seqNo +
   * 1.
   */
  synchronized void beginAnewAt(long seqNo) {
    cursor = new ReplicateWire.Cursor(seqNo, 1, seqNo, seqNo - 1, seqNo - 1, 0, null);
  }

  @Override
  public synchronized FollowerPrimary.Outcome replicate(long to, List<Operation> operations) {
    held.addAll(operations);
    Operation last = held.getLast();
    Operation.Origin origin = Objects.requireNonNull(last.origin());
    long seqNo = last.seqNo();
    cursor =
        new ReplicateWire.Cursor(
            origin.offset(), origin.term(), seqNo + 1, seqNo, seqNo, 0, origin.digest());
    return new FollowerPrimary.Outcome.Held(
        new ReplicateWire.Answer(origin.offset(), origin.term(), seqNo, operations.size()));
  }

  synchronized List<Long> seqNos() {
    return held.stream().map(Operation::seqNo).toList();
  }

  synchronized List<String> ids() {
    return held.stream().map(Operation::id).toList();
  }
}
