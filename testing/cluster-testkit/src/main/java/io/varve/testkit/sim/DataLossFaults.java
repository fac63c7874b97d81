package io.varve.testkit.sim;

import io.varve.control.command.ClusterCommand;
import io.varve.events.Manifest;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Faults that lose data: a node's disk, the end of a log, objects of the segment store, a whole
 * index. Each leaves at least one copy of every acked write.
 *
 * <pre>
 *   disk      once per history, unless the node is the only holder of truncated operations
 *   log       at least one published record at its end, while all nodes are down or, if the index
 *             is strongly consistent, while they run; restored later
 *   store     unavailable for some time, or without some of its objects until they are restored;
 *             then a replica without its disk and its primary depends on the store
 *   index     deleted and created again under its name, once per history
 * </pre>
 */
final class DataLossFaults {

  private record LostTail(SimulatedPartition log, long beginning, List<StoredRecord> records) {}

  private final World world;
  private final Random random;
  private boolean diskLost;
  private boolean indexDeleted;
  private @Nullable LostTail lostTail;

  DataLossFaults(World world) {
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
    long start = world.logs().partition(World.ops(shard)).startOffset();
    boolean replaceable =
        world.newestState().shard(shard).stream()
            .flatMap(routing -> routing.writeCopies().stream())
            .filter(copy -> copy.nodeId() != null && !copy.isOn(nodeId))
            .filter(copy -> isPresent(world.node(String.valueOf(copy.nodeId()))))
            .map(copy -> world.node(String.valueOf(copy.nodeId())).disks().get(copy.copyId()))
            .anyMatch(
                disk -> disk != null && disk.commit != null && disk.committedOffset() >= start);
    return start > 0 && !isStored(shard, start) && !replaceable;
  }

  private boolean isStored(ShardId shard, long start) {
    Manifest newest = world.indices().hasStore(shard) ? world.store().newest(shard) : null;
    return newest != null && newest.nextOffset() >= start;
  }

  /** The cluster reallocates the copies of a node that is absent for long. */
  private boolean isPresent(SimNode node) {
    return node.process().isUp()
        && world.network().connected(node.nodeId(), Network.LOG)
        && world.network().connected(node.nodeId(), Network.CLUSTER_TOPICS);
  }

  /** All nodes lose power, and the log returns without its end. */
  void logGoesBack(ShardId shard, long micros) {
    SimulatedPartition log = world.logs().partition(World.ops(shard));
    long start = log.startOffset();
    long published = world.logs().publishedOffset(shard);
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

  /**
   * The log loses its end while the nodes run, as in an election of a replica that lags; the former
   * leader of the partition returns later with its log.
   *
   * <p>This fault is not injected if the log would lose the fence of a primary that a former
   * primary has not read. An ack means that the log accepted the write, and without the fence, the
   * log accepts the writes of the former primary. Both ends of the log would then have acked
   * writes, and restoring one end would discard those of the other.
   */
  void tailIsLost(ShardId shard, long micros) {
    SimulatedPartition log = world.logs().partition(World.ops(shard));
    long start = log.startOffset();
    long published = world.logs().publishedOffset(shard);
    if (lostTail != null || published <= start) {
      return;
    }
    long end = start + random.nextInt((int) (published - start));
    if (isWrittenByAFormerPrimary(shard, newestFence(log, end))) {
      return;
    }
    world.note(shard + " loses its tail: it ends at " + end + " instead of " + log.endOffset());
    lostTail = new LostTail(log, start, log.cutEndUnderWriters(end));
    world.queue().after(100_000 + micros, this::findTail);
  }

  /** The highest term whose fence is in the records from that offset on; 0 for none. */
  private static long newestFence(SimulatedPartition log, long fromOffset) {
    long newest = 0;
    for (long offset = fromOffset; offset < log.endOffset(); offset++) {
      RecordHeader header = RecordHeader.read(log.record(offset).record().header());
      if (header.kind() == RecordHeader.Kind.FENCE) {
        newest = Math.max(newest, header.term());
      }
    }
    return newest;
  }

  private boolean isWrittenByAFormerPrimary(ShardId shard, long term) {
    return nodes().stream()
        .flatMap(node -> node.openCopies().stream())
        .anyMatch(copy ->
            copy instanceof PrimaryActor primary
                && primary.shard().equals(shard)
                && primary.term() < term);
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

  /** A replica also loses its disk and is cut from its primary, so that it depends on the store. */
  void loseObjects(long micros) {
    int lost = world.store().lose(random::nextBoolean);
    if (lost == 0) {
      return;
    }
    world.note("the store loses " + lost + " objects for " + micros / 1000 + " ms");
    world.queue().after(micros, world.store()::findObjects);
    world
        .newestState()
        .shard(world.leaderShard())
        .ifPresent(routing ->
            routing.copies().stream()
                .filter(copy -> !copy.primary())
                .findFirst()
                .ifPresent(
                    replica -> isolate(routing.primary().nodeId(), replica.nodeId(), micros)));
  }

  private void isolate(@Nullable String primary, @Nullable String replica, long micros) {
    if (primary != null && replica != null) {
      world.note("cut " + replica + " from its primary " + primary);
      world.network().cut(primary, replica);
      world.queue().after(micros, () -> world.network().heal(primary, replica));
      loseDisk(world.node(replica), random.nextInt(100_000));
    }
  }

  /** Deletes an index, but not one that is followed, because that would end the follower. */
  void deleteIndex() {
    SimCoordinator leader = world.leader();
    if (indexDeleted || leader == null || world.shape().follower()) {
      return;
    }
    indexDeleted = true;
    leader.execute(new ClusterCommand.DeleteIndices(List.of(world.leaderShard().indexUuid())));
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
