package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A history in which a follower's shard loses its content, or seems to.
 *
 * <pre>
 *   ALONE             the only copy loses its disk
 *   BEFORE_THE_START  the primary loses its disk before it is started; replicas wait for it
 *   HELD_ELSEWHERE    the primary loses its disk while the other copies, which have the content,
 *                     are away
 * </pre>
 */
final class LostShardHistory {

  /** What happens. */
  enum Loss {
    ALONE,
    BEFORE_THE_START,
    HELD_ELSEWHERE
  }

  private static final long SECOND = 1_000_000;

  final InterruptedHistory history;
  final World world;
  final Loss loss;

  LostShardHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    this.loss = Loss.values()[(int) (seed % Loss.values().length)];
    this.history =
        new InterruptedHistory(
            seed,
            drawn -> drawn.followedWithoutAStore(loss == Loss.ALONE ? 1 : 2),
            mutations,
            invariants);
    this.world = history.world;
  }

  private Optional<ShardRouting> routing() {
    return world.newestState().shard(World.FOLLOWER);
  }

  private Optional<SimNode> primaryNode() {
    return routing().map(ShardRouting::primary).map(CopyRouting::nodeId).map(world::node);
  }

  /** No coordinator hears that its copies are started. */
  private void connect(SimNode node, boolean connected) {
    for (SimCoordinator coordinator : world.coordinators()) {
      if (connected) {
        world.network().heal(node.nodeId(), coordinator.process().name());
      } else {
        world.network().cut(node.nodeId(), coordinator.process().name());
      }
    }
  }

  private boolean neverStarted() {
    return world
        .indices()
        .newest()
        .shard(World.FOLLOWER)
        .filter(ShardRouting::neverStarted)
        .isPresent();
  }

  /** Whether its log lacks the operations that it copied. */
  private boolean isTruncated() {
    return world.logs().partition(World.ops(World.FOLLOWER)).startOffset() > 0;
  }

  private boolean allAreStarted() {
    return history.follows()
        && routing().orElseThrow().copies().stream().allMatch(CopyRouting::started);
  }

  void run() {
    history.await("it begins", () -> history.says("begins with") || history.follows());
    switch (loss) {
      case ALONE -> {
        history.pass(1 + world.random().nextInt((int) SECOND));
        loseThePrimarysDisk();
      }
      case BEFORE_THE_START -> {
        Optional<SimNode> primary = primaryNode();
        primary.ifPresent(node -> connect(node, false));
        for (int i = 0; i < 1_000 && neverStarted() && !isTruncated(); i++) {
          history.pass(SECOND / 1_000);
        }
        history.pass(SECOND / 100);
        if (neverStarted()) {
          loseThePrimarysDisk();
        }
        primary.ifPresent(node -> connect(node, true));
      }
      case HELD_ELSEWHERE -> {
        history.await("all copies are started", this::allAreStarted);
        history.pass(1 + world.random().nextInt((int) SECOND));
        holdersLeave();
        loseThePrimarysDisk();
      }
    }
    history.pass(SECOND);
    history.comeTogether();
  }

  private void holdersLeave() {
    Optional<SimNode> primary = primaryNode();
    routing().stream()
        .flatMap(shard -> shard.copies().stream())
        .map(CopyRouting::nodeId)
        .filter(Objects::nonNull)
        .map(world::node)
        .filter(node -> primary.filter(node::equals).isEmpty())
        .forEach(node -> {
          node.kill();
          world.queue().after(SECOND + world.random().nextInt((int) SECOND), () -> start(node));
        });
  }

  private void loseThePrimarysDisk() {
    primaryNode()
        .ifPresent(node -> {
          world.note("lose the disk of " + node.process());
          node.kill();
          node.loseDisk();
          world.queue().after(1 + world.random().nextInt((int) SECOND / 3), () -> start(node));
        });
  }

  private static void start(SimNode node) {
    if (!node.process().isUp()) {
      node.start();
    }
  }
}
