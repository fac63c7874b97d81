package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.Since;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The leader index that this index follows, and the node that pulls from it.
 *
 * <pre>
 *   active, unassigned --FollowAssigned--> active, assigned    a puller node joined
 *   active             --pause-->          paused              no puller
 *   active             --stop-->           paused, stopped     no puller; with the reason
 *   paused             --resume-->         active, unassigned
 *   paused and closed  --unfollow-->       a regular index
 * </pre>
 *
 * <p>INVARIANT: each change of the puller increases {@code assignment}, and a primary refuses
 * operations of an older assignment.
 *
 * @param nodeId the node that pulls; null if none is assigned
 * @param parameters null for the defaults
 * @param paused whether pulling is paused
 * @param replacement null for a follower that never lost its leader's history
 * @param status null for a follower that has received only operations from its leader so far
 */
public record FollowRelation(
    String remoteCluster,
    String leaderIndex,
    String leaderUuid,
    @Nullable String nodeId,
    long assignment,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FollowParameters parameters,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        boolean paused,
    @Since(2) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<FollowOrigin> origins,
    @Since(2) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Replacement replacement,
    @Since(2) @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FollowStatus status) {

  /** A follower that never lost its leader's history. */
  public FollowRelation(
      String remoteCluster,
      String leaderIndex,
      String leaderUuid,
      @Nullable String nodeId,
      long assignment,
      @Nullable FollowParameters parameters,
      boolean paused,
      @Nullable List<FollowOrigin> origins) {
    this(
        remoteCluster,
        leaderIndex,
        leaderUuid,
        nodeId,
        assignment,
        parameters,
        paused,
        origins,
        null,
        null);
  }

  public FollowRelation {
    origins = origins == null ? null : List.copyOf(origins);
    if (paused && nodeId != null) {
      throw new IllegalArgumentException(
          "a paused follower of " + leaderIndex + " is assigned to node " + nodeId);
    }
  }

  /** A relation with unknown origins. */
  public FollowRelation(
      String remoteCluster,
      String leaderIndex,
      String leaderUuid,
      @Nullable String nodeId,
      long assignment,
      @Nullable FollowParameters parameters,
      boolean paused) {
    this(remoteCluster, leaderIndex, leaderUuid, nodeId, assignment, parameters, paused, null);
  }

  /** An active relation with the default parameters and unknown origins. */
  public FollowRelation(
      String remoteCluster,
      String leaderIndex,
      String leaderUuid,
      @Nullable String nodeId,
      long assignment) {
    this(remoteCluster, leaderIndex, leaderUuid, nodeId, assignment, null, false);
  }

  /** The parameters for pulling. */
  public FollowParameters effectiveParameters() {
    return parameters == null ? FollowParameters.DEFAULTS : parameters;
  }

  /** The status; {@link FollowStatus#NEW} if none is recorded. */
  public FollowStatus currentStatus() {
    return status == null ? FollowStatus.NEW : status;
  }

  /** The reason for which this cluster paused the follower, if it did. */
  public Optional<String> stopped() {
    return Optional.ofNullable(status).map(FollowStatus::stopReason);
  }

  /** The same relation for a puller: without the part of the status that pullers do not use. */
  public FollowRelation forPullers() {
    return status == null || status.skipped().isEmpty()
        ? withStatus(null)
        : withStatus(new FollowStatus(0, List.of(), status.skipped(), null));
  }

  /** A paused follower stays unassigned. */
  FollowRelation assignedTo(@Nullable String newNodeId, long newAssignment) {
    return with(paused ? null : newNodeId, newAssignment, parameters, paused, status);
  }

  FollowRelation withParameters(@Nullable FollowParameters newParameters) {
    return with(nodeId, assignment, newParameters, paused, status);
  }

  public FollowRelation withStatus(@Nullable FollowStatus newStatus) {
    return with(nodeId, assignment, parameters, paused, newStatus);
  }

  FollowRelation withReplacement(boolean newPaused, @Nullable Replacement newReplacement) {
    return new FollowRelation(
        remoteCluster,
        leaderIndex,
        leaderUuid,
        nodeId,
        assignment,
        parameters,
        newPaused,
        origins,
        newReplacement,
        status);
  }

  /** The uuid of the follower that this index will replace, if any. */
  public Optional<String> replaces() {
    return Optional.ofNullable(replacement).map(Replacement::replaces);
  }

  /** The number of replacements of followers of this name. */
  public long rebootstraps() {
    return replacement == null ? 0 : replacement.total();
  }

  /** Set if the index replaces, or has replaced, a former leader index. */
  public Optional<Failback> failback() {
    return Optional.ofNullable(replacement).map(Replacement::failback);
  }

  /** Whether the index has a hidden name for now: it replaces another one, or was replaced. */
  public boolean beingReplaced() {
    return replaces().isPresent() || hasSuccessor();
  }

  /** Whether another index has replaced this one. */
  public boolean hasSuccessor() {
    return replacement != null && replacement.replacedBy() != null;
  }

  public FollowRelation asPaused() {
    return with(null, assignment + 1, parameters, true, status);
  }

  /** The relation after this cluster paused the follower for that reason. */
  public FollowRelation asStopped(String reason) {
    return with(null, assignment + 1, parameters, true, currentStatus().withStopReason(reason));
  }

  /** The relation after a resume: active and not assigned yet. */
  public FollowRelation resumed(@Nullable FollowParameters newParameters) {
    FollowStatus left = status == null ? null : status.withStopReason(null);
    return with(null, assignment + 1, newParameters, false, left);
  }

  private FollowRelation with(
      @Nullable String newNodeId,
      long newAssignment,
      @Nullable FollowParameters newParameters,
      boolean newPaused,
      @Nullable FollowStatus newStatus) {
    return new FollowRelation(
        remoteCluster,
        leaderIndex,
        leaderUuid,
        newNodeId,
        newAssignment,
        newParameters,
        newPaused,
        origins,
        replacement,
        newStatus);
  }
}
