package io.varve.rpc;

import io.varve.events.ShardId;

/**
 * Requests of nodes to the leading coordinator: JSON bodies of {@code POST /_internal/cluster/...}.
 * Each is answered once the resulting event is accepted in the cluster log, with that event's
 * version; a coordinator that does not lead answers 421 with the leader's URL in {@code
 * leader_url}.
 */
public final class ClusterCalls {

  private ClusterCalls() {}

  /**
   * {@code /terms}: the primary's gate is closed or its process is new; reassign it under a higher
   * term.
   */
  public record NewTerm(
      ShardId shard, String copyId, String nodeId, long lastTerm, String reason) {}

  /**
   * {@code /copies/started}: the copy serves.
   *
   * @param incarnation of the reporting process; reports of a process that no longer runs are
   *     ignored
   */
  public record CopyStarted(ShardId shard, String copyId, String incarnation, long term) {}

  /**
   * {@code /copies/failed}: the copy can't continue; unassign it and build another.
   *
   * @param incarnation of the reporting process; reports of a process that no longer runs are
   *     ignored
   */
  public record CopyFailed(ShardId shard, String copyId, String incarnation, String reason) {}

  /**
   * {@code /mappings}: new fields of a document. {@code properties} is the JSON of a mapping with
   * only the new fields.
   */
  public record NewFields(String indexUuid, long knownMappingVersion, String properties) {}

  /** The answer: the cluster state version in which the request is applied. */
  public record Applied(long version) {}
}
