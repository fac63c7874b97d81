package io.varve.ccr;

import io.varve.events.Operation;
import io.varve.rpc.ReplicateWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** A follower's primary that holds what it is sent, and whose cursor is the last operation held. */
final class HoldingFollower implements ShardPuller.Follower {

  private final List<Operation> held = new ArrayList<>();
  private ReplicateWire.Cursor cursor = new ReplicateWire.Cursor(-1, 0, 0, -1, -1, 0, null);

  @Override
  public synchronized Optional<ReplicateWire.Cursor> cursor() {
    return Optional.of(cursor);
  }

  /** It gets the leader's snapshot of all before that operation, at offset seqNo + 1. */
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
