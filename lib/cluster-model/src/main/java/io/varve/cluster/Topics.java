package io.varve.cluster;

import io.varve.log.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The names and the configuration of a cluster's topics.
 *
 * <p>Fenced topics are never compacted: a rejected record may be the newest of its key. In a
 * compacted topic each key has one writer.
 *
 * <p>An acked record is on two Kafka replicas, where there are two, and a replica without it is
 * never elected leader. Each topic sets this explicitly, independent of the broker's defaults.
 */
public record Topics(String clusterName, int replicationFactor) {

  public static final int PROGRESS_PARTITIONS = 12;
  public static final int NODES_PARTITIONS = 3;

  private static final int AUDIT_DAYS = 90;

  /**
   * A broker deletes whole segments only, and never the active one: this bounds the disk space of
   * deleted records per partition.
   */
  private static final String SEGMENT_BYTES = Integer.toString(128 << 20);

  /** For topics with little data; the active segment is not compacted. */
  private static final String SMALL_SEGMENT_BYTES = Integer.toString(16 << 20);

  private static final Map<String, String> FENCED =
      Map.of(
          "cleanup.policy",
          "delete",
          "retention.ms",
          "-1",
          "retention.bytes",
          "-1",
          "segment.bytes",
          SEGMENT_BYTES);

  private static final Map<String, String> COMPACTED =
      Map.of("cleanup.policy", "compact", "segment.bytes", SMALL_SEGMENT_BYTES);

  public String clusterLog() {
    return name("cluster");
  }

  public String operations(String indexUuid) {
    return name("ops." + indexUuid);
  }

  public String manifests(String indexUuid) {
    return name("manifests." + indexUuid);
  }

  /**
   * The operations that a former leader index accepted after its fork. It outlives the index:
   * operators delete it.
   */
  public String quarantine(String indexUuid) {
    return name("quarantine." + indexUuid);
  }

  /** The existing topics that belong to deleted indices. */
  public List<String> left(Set<String> present, Collection<String> deletedIndices) {
    return deletedIndices.stream()
        .flatMap(uuid -> Stream.of(operations(uuid), manifests(uuid)))
        .filter(present::contains)
        .sorted()
        .toList();
  }

  public String progress() {
    return name("progress");
  }

  public String nodes() {
    return name("nodes");
  }

  /** Users, roles and API keys; other clusters do not read it. */
  public String security() {
    return name("security");
  }

  public TopicSpec securitySpec() {
    return spec(security(), 1, FENCED);
  }

  /** Logins, refusals and changes, for auditors; no process reads it. */
  public String audit() {
    return name("audit");
  }

  /** Operators may change how long the broker keeps it. */
  public TopicSpec auditSpec() {
    return spec(
        audit(),
        1,
        Map.of(
            "cleanup.policy",
            "delete",
            "retention.ms",
            Long.toString(TimeUnit.DAYS.toMillis(AUDIT_DAYS)),
            "segment.bytes",
            SMALL_SEGMENT_BYTES));
  }

  public TopicSpec clusterLogSpec() {
    return spec(clusterLog(), 1, FENCED);
  }

  public TopicSpec operationsSpec(String indexUuid, int shards) {
    return spec(operations(indexUuid), shards, FENCED);
  }

  public TopicSpec manifestsSpec(String indexUuid, int shards) {
    return spec(manifests(indexUuid), shards, COMPACTED);
  }

  public TopicSpec quarantineSpec(String indexUuid, int shards) {
    return spec(quarantine(indexUuid), shards, FENCED);
  }

  public TopicSpec progressSpec() {
    return spec(progress(), PROGRESS_PARTITIONS, COMPACTED);
  }

  public TopicSpec nodesSpec() {
    return spec(
        nodes(),
        NODES_PARTITIONS,
        Map.of(
            "cleanup.policy",
            "delete",
            "retention.ms",
            "600000",
            "segment.bytes",
            SMALL_SEGMENT_BYTES,
            // A heartbeat is replaced within seconds: no broker needs to sync each to its disk.
            "flush.messages",
            Long.toString(Long.MAX_VALUE)));
  }

  private TopicSpec spec(String name, int partitions, Map<String, String> own) {
    Map<String, String> settings = new HashMap<>(own);
    settings.put("unclean.leader.election.enable", "false");
    if (replicationFactor > 0) {
      settings.put("min.insync.replicas", Integer.toString(Math.min(2, replicationFactor)));
    }
    return new TopicSpec(name, partitions, replicationFactor, settings);
  }

  /**
   * The partition of a key in {@link #progress} and {@link #nodes}. Readers follow all partitions.
   */
  public static int partitionOf(String key, int partitions) {
    return Math.floorMod(Arrays.hashCode(key.getBytes(StandardCharsets.UTF_8)), partitions);
  }

  private String name(String rest) {
    return "varve." + clusterName + "." + rest;
  }
}
