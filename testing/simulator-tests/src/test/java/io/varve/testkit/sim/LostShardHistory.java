package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
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
 *                     are away for a moment
 *   AWAY_TOO_LONG     the same, and their nodes are away for longer than they are awaited
 *   EVERY_DISK        all copies lose their disks after they were started
 *   HELD_BEHIND       the primary loses its disk while the only replica, which holds less than the
 *                     newest manifest, can't reach it; there is no segment store
 * </pre>
 */
final class LostShardHistory {

  /** What happens. */
  enum Loss {
    ALONE,
    BEFORE_THE_START,
    HELD_ELSEWHERE,
    AWAY_TOO_LONG,
    EVERY_DISK,
    HELD_BEHIND
  }

  private static final long SECOND = 1_000_000;

  final InterruptedHistory history;
  final World world;
  final Loss loss;

  /** Whether a replica without the newest manifest could continue when the primary was lost. */
  boolean heldBehind;

  LostShardHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    this.loss = Loss.values()[(int) (seed % Loss.values().length)];
    this.history =
        new InterruptedHistory(
            seed,
            drawn ->
                drawn.followedAs(loss == Loss.ALONE ? 1 : 2, type(seed), loss != Loss.HELD_BEHIND),
            mutations,
            invariants);
    this.world = history.world;
  }

  private static String type(long seed) {
    return seed / Loss.values().length % 2 == 0 ? IndexMetadata.SEGMENT : IndexMetadata.DOCUMENT;
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
        holdersLeave(0);
        loseThePrimarysDisk();
      }
      case AWAY_TOO_LONG -> {
        history.await("all copies are started", this::allAreStarted);
        history.pass(1 + world.random().nextInt((int) SECOND));
        holdersLeave(3 * SECOND);
        loseThePrimarysDisk();
        history.pass(3 * SECOND);
      }
      case EVERY_DISK -> {
        history.await("all copies are started", this::allAreStarted);
        history.pass(1 + world.random().nextInt((int) SECOND));
        holders().forEach(this::loseDisk);
      }
      case HELD_BEHIND -> {
        history.await("all copies are started", this::allAreStarted);
        history.pass(1 + world.random().nextInt((int) SECOND));
        leaveTheReplicaBehind();
      }
    }
    history.pass(SECOND);
    history.comeTogether();
  }

  /** The nodes of all copies. */
  private List<SimNode> holders() {
    return routing().stream()
        .flatMap(shard -> shard.copies().stream())
        .map(CopyRouting::nodeId)
        .filter(Objects::nonNull)
        .map(world::node)
        .toList();
  }

  /**
   * @param micros after which they return; at most half a second is added
   */
  private void holdersLeave(long micros) {
    Optional<SimNode> primary = primaryNode();
    holders().stream()
        .filter(node -> primary.filter(node::equals).isEmpty())
        .forEach(node -> {
          node.kill();
          long back = micros + 1 + world.random().nextInt((int) SECOND / 2);
          world.queue().after(back, () -> start(node));
        });
  }

  private void leaveTheReplicaBehind() {
    SimNode primary = primaryNode().orElseThrow();
    SimNode replica =
        holders().stream().filter(node -> !node.equals(primary)).findFirst().orElse(primary);
    replica.kill();
    world.network().cut(replica.nodeId(), primary.nodeId());
    world.clients().plan(world.queue().nowMicros(), SECOND);
    history.pass(SECOND / 4);
    start(replica);
    history.pass(1 + world.random().nextInt((int) SECOND));
    heldBehind = isBehind(replica);
    loseThePrimarysDisk();
    history.pass(1 + world.random().nextInt((int) SECOND / 10));
    world.network().heal(replica.nodeId(), primary.nodeId());
  }

  private boolean isBehind(SimNode replica) {
    long start = world.logs().partition(World.ops(World.FOLLOWER)).startOffset();
    long held = replica.folder(World.FOLLOWER).map(SimDisk::committedOffset).orElse(0L);
    return start > 0 && held >= start && held < world.logs().publishedOffset(World.FOLLOWER);
  }

  private void loseThePrimarysDisk() {
    primaryNode().ifPresent(this::loseDisk);
  }

  private void loseDisk(SimNode node) {
    world.note("lose the disk of " + node.process());
    node.kill();
    node.loseDisk();
    world.queue().after(1 + world.random().nextInt((int) SECOND / 3), () -> start(node));
  }

  private static void start(SimNode node) {
    if (!node.process().isUp()) {
      node.start();
    }
  }
}
