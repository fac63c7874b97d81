package io.varve.host;

import io.varve.engine.HeldView;
import io.varve.events.ShardId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replica at a place becomes the primary. Until that primary is started, searches read what the
 * replica showed.
 *
 * <p>INVARIANT: that view contains every write that a client knows to be visible. A request that
 * waits for visibility waits for all copies that the cluster state calls started, so only such a
 * replica keeps its view. While it takes over, no such request returns, because each of them needs
 * a started primary.
 */
final class TakeOver {

  private static final Logger LOG = LoggerFactory.getLogger(TakeOver.class);

  private final NodeContext node;
  private final ShardId shard;
  private final Goal.Copy assignment;
  private final @Nullable ShardCopy replica;

  /**
   * @param present the copy at the place, if there is one
   */
  TakeOver(NodeContext node, ShardId shard, Goal.Copy assignment, @Nullable ShardCopy present) {
    this.node = node;
    this.shard = shard;
    this.assignment = assignment;
    this.replica = assignment.primary() && present != null && !present.primary() ? present : null;
  }

  /** The replica first copies the segments that it lacks. */
  void prepare() {
    if (replica == null) {
      return;
    }
    try {
      new HandOver(node, shard).prepare(replica);
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted before it took over: the goal has changed", shard);
    }
  }

  /**
   * The view that searches read while the replica takes over; empty if there is none.
   *
   * @param reported whether the replica was seen as started in the cluster state
   */
  Optional<HeldView> view(boolean reported) {
    boolean searched =
        replica != null
            && reported
            && replica.copyId().equals(assignment.copyId())
            && replica.serves();
    return searched ? replica.searched().map(HeldView::of) : Optional.empty();
  }
}
