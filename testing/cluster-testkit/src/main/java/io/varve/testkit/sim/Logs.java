package io.varve.testkit.sim;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of a world, and their reference content: what readers must accept of each log of
 * operations, and how far the manifests of each shard reach.
 */
final class Logs {

  /**
   * Number of heartbeats kept per partition; no process is cut from the log for a longer time than
   * these cover.
   */
  private static final int HEARTBEATS_KEPT = 10_000;

  private final World world;
  private final Map<String, SimulatedPartition> partitions = new TreeMap<>();
  private final Map<ShardId, AcceptedLog> acceptedLogs = new HashMap<>();
  private final Map<ShardId, Long> publishedOffsets = new HashMap<>();
  private final IdentityHashMap<RawRecord, Manifest> manifests = new IdentityHashMap<>();

  Logs(World world) {
    this.world = world;
  }

  SimulatedPartition partition(String topic) {
    return partition(topic, 0);
  }

  SimulatedPartition partition(String topic, int number) {
    return partitions.computeIfAbsent(
        topic + "/" + number,
        _ -> new SimulatedPartition(topic, number, world.queue(), this::landed));
  }

  Iterable<SimulatedPartition> partitions() {
    return partitions.values();
  }

  private void landed(SimulatedPartition partition, StoredRecord stored, String writer) {
    if (partition.topic().equals(SimHeartbeats.TOPICS.nodes())) {
      partition.deleteBefore(stored.offset() - HEARTBEATS_KEPT);
      return;
    }
    if (partition.topic().equals(World.CLUSTER)) {
      world.indices().clusterLogLanded(stored);
    }
    ShardId written = shardOf(partition, "ops.");
    if (written != null) {
      operationLanded(written, partition, stored, writer);
    }
    ShardId published = shardOf(partition, "manifests.");
    if (published != null) {
      publishedOffsets.merge(published, manifest(stored).nextOffset(), Math::max);
    }
  }

  private void operationLanded(
      ShardId shard, SimulatedPartition partition, StoredRecord stored, String writer) {
    RecordHeader header = RecordHeader.read(stored.record().header());
    if (header.kind() == RecordHeader.Kind.REVIVAL) {
      partition.revived();
      acceptedLog(shard).revived(stored);
      world.observe(new Observation.Revived(shard, header.seqNo()));
    } else if (partition.lacksTail()) {
      world.observe(new Observation.LandedOnAGap(shard, header.term(), header.seqNo()));
    } else {
      acceptedLog(shard).landed(stored, writer);
      world.observe(new Observation.Landed(shard, stored.offset()));
    }
  }

  private static @Nullable ShardId shardOf(SimulatedPartition partition, String prefix) {
    return partition.topic().startsWith(prefix)
        ? new ShardId(partition.topic().substring(prefix.length()), 0)
        : null;
  }

  /**
   * A primary of a following index truncates its log before that position, because it began with
   * operations of another index, which are not in its own log.
   */
  void beginsWith(ShardId base, ShardId follower, AppliedPosition position) {
    acceptedLog(follower)
        .begins(
            List.copyOf(acceptedLog(base).accepted().subList(0, (int) position.nextSeqNo())),
            position.nextOffset());
  }

  /** The highest next offset of the manifests of a shard. */
  long publishedOffset(ShardId shard) {
    return publishedOffsets.getOrDefault(shard, 0L);
  }

  Manifest manifest(StoredRecord stored) {
    return manifests.computeIfAbsent(
        stored.record(),
        record -> Json.read(Objects.requireNonNull(record.value(), "a manifest"), Manifest.class));
  }

  AcceptedLog acceptedLog(ShardId shard) {
    return acceptedLogs.computeIfAbsent(shard, _ -> new AcceptedLog());
  }
}
