package io.varve.rpc;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.varve.events.ShardId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
   * @param fork of the first primary since its index stopped following, else null
   * @param admittedIn the term of the primary that admitted a replica of a strongly consistent
   *     index, else null
   * @param provenFrom a version of the cluster state that the node knew before the copy began to
   *     prove that it may start; null below the level that introduced it
   */
  public record CopyStarted(
      ShardId shard,
      String copyId,
      String incarnation,
      long term,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ForkPlace fork,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long admittedIn,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long provenFrom) {

    /** Without the version from which on the copy has proven that it may start. */
    public CopyStarted(
        ShardId shard,
        String copyId,
        String incarnation,
        long term,
        @Nullable ForkPlace fork,
        @Nullable Long admittedIn) {
      this(shard, copyId, incarnation, term, fork, admittedIn, null);
    }

    /** Without an admission. */
    public CopyStarted(
        ShardId shard, String copyId, String incarnation, long term, @Nullable ForkPlace fork) {
      this(shard, copyId, incarnation, term, fork, null);
    }

    /** Without a fork. */
    public CopyStarted(ShardId shard, String copyId, String incarnation, long term) {
      this(shard, copyId, incarnation, term, null, null);
    }
  }

  /**
   * {@code /nodes/disconnected}: a connection to the node was refused or broke. Answered
   * immediately with an empty body, because an event follows only if the leader confirms that the
   * process has ended.
   *
   * @param incarnation of the process whose address the sender knew; ignored if another process of
   *     the node has joined
   */
  public record NodeDisconnected(String nodeId, String incarnation) {}

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

  /**
   * {@code /leases/over-limit}: the lease retains more of the shard's log than it may.
   *
   * @param generation of the lease
   * @param limitOffset the first offset that a lease may retain
   */
  public record LeaseOverLimit(ShardId shard, String holder, long generation, long limitOffset) {}

  /**
   * {@code /followers/lost}: the leader's log does not continue what the follower holds, or a shard
   * of the follower is lost; another index copies the leader and replaces it.
   *
   * @param leaderUuid of the index that has the leader's name now
   * @param leaderSettings flat
   */
  public record LostHistory(
      String indexUuid,
      String leaderUuid,
      Map<String, String> leaderSettings,
      String leaderMapping,
      String reason) {}

  /** The answer: the cluster state version in which the request is applied. */
  public record Applied(long version) {}
}
