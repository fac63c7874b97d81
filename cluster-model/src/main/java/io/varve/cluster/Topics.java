package io.varve.cluster;

import io.varve.log.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names of a cluster's topics and how each is made.
 *
 * <p>Fenced topics are never compacted: a rejected record may be the newest of its key. In a
 * compacted topic each key has one writer.
 *
 * <p>What is acked is on two replicas, where there are two, and no replica that lacks it comes to
 * lead: each topic asks for this by itself, whatever its broker's defaults are.
 */
public record Topics(String clusterName, int replicationFactor) {

  public static final int PROGRESS_PARTITIONS = 12;
  public static final int NODES_PARTITIONS = 3;

  private static final Map<String, String> FENCED =
      Map.of("cleanup.policy", "delete", "retention.ms", "-1", "retention.bytes", "-1");

  /** A broker frees whole files, and the newest only when it is full. */
  private static final String CLUSTER_LOG_FILE_BYTES = Integer.toString(128 << 20);

  public String clusterLog() {
    return name("cluster");
  }

  public String operations(String indexUuid) {
    return name("ops." + indexUuid);
  }

  public String manifests(String indexUuid) {
    return name("manifests." + indexUuid);
  }

  /** Of those that are there, the topics of indices that were deleted. */
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

  public TopicSpec clusterLogSpec() {
    Map<String, String> settings = new HashMap<>(FENCED);
    settings.put("segment.bytes", CLUSTER_LOG_FILE_BYTES);
    return spec(clusterLog(), 1, settings);
  }

  public TopicSpec operationsSpec(String indexUuid, int shards) {
    return spec(operations(indexUuid), shards, FENCED);
  }

  public TopicSpec manifestsSpec(String indexUuid, int shards) {
    return spec(manifests(indexUuid), shards, Map.of("cleanup.policy", "compact"));
  }

  public TopicSpec progressSpec() {
    return spec(progress(), PROGRESS_PARTITIONS, Map.of("cleanup.policy", "compact"));
  }

  public TopicSpec nodesSpec() {
    return spec(
        nodes(), NODES_PARTITIONS, Map.of("cleanup.policy", "delete", "retention.ms", "600000"));
  }

  private TopicSpec spec(String name, int partitions, Map<String, String> own) {
    Map<String, String> settings = new HashMap<>(own);
    settings.put("unclean.leader.election.enable", "false");
    if (replicationFactor > 0) {
      settings.put("min.insync.replicas", Integer.toString(Math.min(2, replicationFactor)));
    }
    return new TopicSpec(name, partitions, replicationFactor, settings);
  }

  /** The partition of a key in {@link #progress} and {@link #nodes}. Readers follow them all. */
  public static int partitionOf(String key, int partitions) {
    return Math.floorMod(Arrays.hashCode(key.getBytes(StandardCharsets.UTF_8)), partitions);
  }

  private String name(String rest) {
    return "varve." + clusterName + "." + rest;
  }
}
