package io.varve.coordinator.console;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as this coordinator knows it at one moment. It is sent to the console as JSON with
 * names in snake_case, and is not an API.
 *
 * @param leader the node id of the leading coordinator
 * @param omittedShards shards that are left out, so that the size of a picture is bounded
 */
record ClusterPicture(
    String cluster,
    long version,
    String status,
    String leader,
    long leaderTerm,
    List<Node> nodes,
    List<Index> indices,
    int omittedShards) {

  /**
   * A member of the cluster, or a node that sends heartbeats.
   *
   * @param load null if no heartbeat arrived within the node timeout
   * @param rank null if this coordinator has no answers of the node yet
   */
  record Node(
      String id,
      String name,
      List<String> roles,
      String url,
      boolean member,
      @Nullable Load load,
      @Nullable Rank rank) {}

  /**
   * @param stale whether the next heartbeat is overdue
   */
  record Load(
      boolean stale,
      double cpuFraction,
      long heapUsedBytes,
      long heapMaxBytes,
      long diskTotalBytes,
      long diskFreeBytes) {}

  /** A node's rank in the selection of copies; lower is better. */
  record Rank(
      double rank,
      double serviceMillis,
      double responseMillis,
      long queue,
      String circuitBreaker,
      boolean suspended) {}

  record Index(
      String name,
      String replicationType,
      String status,
      boolean closed,
      @Nullable Leader follows,
      List<Shard> shards) {}

  /** The leader index of a follower. */
  record Leader(String remoteCluster, String index, boolean paused) {}

  record Shard(int number, long term, List<Copy> copies) {}

  /**
   * @param role {@code primary}, {@code replica}, {@code search} or {@code target} of a relocation
   * @param node null if the copy is unassigned
   * @param progress null if the copy is unassigned or has reported none
   */
  record Copy(
      String id,
      String role,
      String state,
      @Nullable String node,
      String reason,
      @Nullable Progress progress) {}

  /**
   * @param stale whether the next report is overdue
   * @param operationsBehind operations that the primary shows and this copy does not
   */
  record Progress(
      boolean stale,
      String state,
      long visibleSeqNo,
      long operationsBehind,
      long bytesBehind,
      long millisBehind,
      @Nullable String failure) {}
}
