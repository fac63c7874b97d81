package io.varve.rpc;

import io.varve.events.ShardId;

/**
 * What nodes ask of the leading coordinator, as JSON bodies of {@code POST /_internal/cluster/...}.
 * Each is answered when the event that it leads to is accepted in the cluster log, with that
 * event's version; a coordinator that does not lead answers 421 with the leader's url in {@code
 * leader_url}.
 */
public final class ClusterCalls {

  private ClusterCalls() {}

  /**
   * {@code /terms}: the primary's gate is closed or its process is new; assign it again, under a
   * higher term.
   */
  public record NewTerm(
      ShardId shard, String copyId, String nodeId, long lastTerm, String reason) {}

  /**
   * {@code /copies/started}: the copy serves.
   *
   * @param incarnation of the node's process that says so; of one that is gone it is no news
   */
  public record CopyStarted(ShardId shard, String copyId, String incarnation, long term) {}

  /**
   * {@code /copies/failed}: the copy can't go on; unassign it and build another.
   *
   * @param incarnation of the node's process that says so; of one that is gone it is no news
   */
  public record CopyFailed(ShardId shard, String copyId, String incarnation, String reason) {}

  /**
   * {@code /mappings}: fields that a document brought. {@code properties} is the JSON of a mapping
   * with the new fields alone.
   */
  public record NewFields(String indexUuid, long knownMappingVersion, String properties) {}

  /** The answer: the cluster state's version in which the wish holds. */
  public record Applied(long version) {}
}
