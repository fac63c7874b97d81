package io.varve.testkit.sim;

import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The faults in which data are lost: a node's disk, the end of a log, objects of the segment store,
 * a whole index. Each leaves enough that what was acked is still somewhere.
 *
 * <pre>
 *   disk      once in a history, and not while it alone holds what a log no longer has
 *   log       at least one published record at its end, while all nodes are down; found again later
 *   store     unavailable for a while, or without some of its objects until they are found again
 *   index     deleted and created again under its name, once in a history
 * </pre>
 */
final class Disasters {

  private record LostTail(SimulatedPartition log, long beginning, List<StoredRecord> records) {}

  private final World world;
  private final Random random;
  private boolean diskLost;
  private boolean indexDeleted;
  private @Nullable LostTail lostTail;

  Disasters(World world) {
    this.world = world;
    this.random = world.random();
  }

  void loseDisk(SimNode node, long micros) {
    boolean needed =
        diskLost || world.shards().stream().anyMatch(shard -> isNeeded(shard, node.nodeId()));
    if (needed) {
      return;
    }
    diskLost = true;
    world.note("lose the disk of " + node.process());
    node.kill();
    node.loseDisk();
    restart(node, micros);
  }

  private void restart(SimNode node, long micros) {
    world
        .queue()
        .after(
            micros,
            () -> {
              if (!node.process().isUp()) {
                node.start();
              }
            });
  }

  private boolean isNeeded(ShardId shard, String nodeId) {
    long start = world.partition(World.ops(shard)).startOffset();
    boolean replaceable =
        world.newestState().shard(shard).stream()
            .flatMap(routing -> routing.writeCopies().stream())
            .filter(copy -> copy.nodeId() != null && !copy.isOn(nodeId))
            .map(copy -> world.node(String.valueOf(copy.nodeId())).disks().get(copy.copyId()))
            .anyMatch(
                disk -> disk != null && disk.commit != null && disk.committedOffset() >= start);
    return start > 0 && !world.shape().remoteStore() && !replaceable;
  }

  /** All nodes lose power, and the log comes back without its end. */
  void logGoesBack(ShardId shard, long micros) {
    SimulatedPartition log = world.partition(World.ops(shard));
    long start = log.startOffset();
    long published = world.publishedOffset(shard);
    if (lostTail != null || published <= start) {
      return;
    }
    nodes().forEach(SimNode::kill);
    long end = start + random.nextInt((int) (published - start));
    world.note(shard + " goes back from " + log.endOffset() + " to " + end);
    lostTail = new LostTail(log, start, log.cutEnd(end));
    nodes().forEach(node -> restart(node, random.nextInt(300_000)));
    world.queue().after(400_000 + micros, this::findTail);
  }

  private void findTail() {
    LostTail found = lostTail;
    if (found != null) {
      world.note(found.log().topic() + " has its end again");
      found.log().restore(found.beginning(), found.records());
      lostTail = null;
    }
  }

  void storeUnavailable(long micros) {
    world.note("the store is unavailable for " + micros / 1000 + " ms");
    world.store().unavailableFor(micros);
  }

  void loseObjects(long micros) {
    int lost = world.store().lose(random::nextBoolean);
    if (lost > 0) {
      world.note("the store loses " + lost + " objects for " + micros / 1000 + " ms");
      world.queue().after(micros, world.store()::findObjects);
    }
  }

  /** Not one that is followed: that is the end of the follower. */
  void deleteIndex() {
    SimCoordinator leader = world.leader();
    if (indexDeleted || leader == null || world.shape().follower()) {
      return;
    }
    indexDeleted = true;
    leader.delete(world.leaderShard().indexUuid());
  }

  void healAll() {
    findTail();
    world.store().heal();
  }

  private List<SimNode> nodes() {
    List<SimNode> all = new ArrayList<>();
    world.nodes().forEach(all::add);
    return all;
  }
}
