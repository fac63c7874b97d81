package io.varve.control.command;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AutoFollowPattern;
import io.varve.cluster.FollowOrigin;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.Fork;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.Revival;
import io.varve.cluster.Templates;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.LeaseRenewal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to change the cluster's metadata. The leader decides it on the state that includes
 * everything before it, and logs the resulting events. It is sent as JSON from the coordinator that
 * received the request to the leading one. Indices are identified by name or by uuid.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "command")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ClusterCommand.CreateIndex.class, name = "create_index"),
  @JsonSubTypes.Type(value = ClusterCommand.RollOver.class, name = "roll_over"),
  @JsonSubTypes.Type(value = ClusterCommand.RestoreIndex.class, name = "restore_index"),
  @JsonSubTypes.Type(value = ClusterCommand.DeleteIndices.class, name = "delete_indices"),
  @JsonSubTypes.Type(value = ClusterCommand.UpdateAliases.class, name = "update_aliases"),
  @JsonSubTypes.Type(value = ClusterCommand.CloseIndices.class, name = "close_indices"),
  @JsonSubTypes.Type(value = ClusterCommand.OpenIndices.class, name = "open_indices"),
  @JsonSubTypes.Type(value = ClusterCommand.BlockWriters.class, name = "block_writers"),
  @JsonSubTypes.Type(value = ClusterCommand.ReleaseWriters.class, name = "release_writers"),
  @JsonSubTypes.Type(value = ClusterCommand.RecallWriters.class, name = "recall_writers"),
  @JsonSubTypes.Type(value = ClusterCommand.PauseFollow.class, name = "pause_follow"),
  @JsonSubTypes.Type(value = ClusterCommand.ResumeFollow.class, name = "resume_follow"),
  @JsonSubTypes.Type(value = ClusterCommand.Unfollow.class, name = "unfollow"),
  @JsonSubTypes.Type(value = ClusterCommand.Promote.class, name = "promote"),
  @JsonSubTypes.Type(value = ClusterCommand.UpdateFollower.class, name = "update_follower"),
  @JsonSubTypes.Type(value = ClusterCommand.PutAutoFollow.class, name = "put_auto_follow"),
  @JsonSubTypes.Type(value = ClusterCommand.DeleteAutoFollow.class, name = "delete_auto_follow"),
  @JsonSubTypes.Type(
      value = ClusterCommand.ActivateAutoFollow.class,
      name = "activate_auto_follow"),
  @JsonSubTypes.Type(value = ClusterCommand.HandleAutoFollow.class, name = "handle_auto_follow"),
  @JsonSubTypes.Type(value = ClusterCommand.RenewLease.class, name = "renew_lease"),
  @JsonSubTypes.Type(value = ClusterCommand.EndLeases.class, name = "end_leases"),
  @JsonSubTypes.Type(value = ClusterCommand.LeaseOverLimit.class, name = "lease_over_limit"),
  @JsonSubTypes.Type(value = ClusterCommand.ReplaceFollower.class, name = "replace_follower"),
  @JsonSubTypes.Type(value = ClusterCommand.StopFollower.class, name = "stop_follower"),
  @JsonSubTypes.Type(value = ClusterCommand.ReopenCopy.class, name = "reopen_copy"),
  @JsonSubTypes.Type(value = ClusterCommand.SkipOperation.class, name = "skip_operation"),
  @JsonSubTypes.Type(value = ClusterCommand.ReviveShard.class, name = "revive_shard"),
  @JsonSubTypes.Type(value = ClusterCommand.EndReplacement.class, name = "end_replacement"),
  @JsonSubTypes.Type(value = ClusterCommand.FailBack.class, name = "fail_back"),
  @JsonSubTypes.Type(value = ClusterCommand.PutLegacyTemplate.class, name = "put_legacy_template"),
  @JsonSubTypes.Type(value = ClusterCommand.PutIndexTemplate.class, name = "put_index_template"),
  @JsonSubTypes.Type(
      value = ClusterCommand.PutComponentTemplate.class,
      name = "put_component_template"),
  @JsonSubTypes.Type(value = ClusterCommand.DeleteTemplate.class, name = "delete_template"),
  @JsonSubTypes.Type(value = ClusterCommand.PutMapping.class, name = "put_mapping"),
  @JsonSubTypes.Type(value = ClusterCommand.NewFields.class, name = "new_fields"),
  @JsonSubTypes.Type(
      value = ClusterCommand.UpdateIndexSettings.class,
      name = "update_index_settings"),
  @JsonSubTypes.Type(
      value = ClusterCommand.UpdateClusterSettings.class,
      name = "update_cluster_settings"),
  @JsonSubTypes.Type(value = ClusterCommand.Reroute.class, name = "reroute"),
  @JsonSubTypes.Type(value = ClusterCommand.NewTerm.class, name = "new_term"),
  @JsonSubTypes.Type(value = ClusterCommand.CopyStarted.class, name = "copy_started"),
  @JsonSubTypes.Type(value = ClusterCommand.CopyFailed.class, name = "copy_failed"),
  @JsonSubTypes.Type(value = ClusterCommand.RaiseFeatureLevel.class, name = "raise_feature_level"),
})
public sealed interface ClusterCommand {

  /**
   * The feature level that the cluster must have, so that every possible leader knows the command.
   */
  default int requiredFeatureLevel() {
    return CommandLevels.required(this);
  }

  /**
   * @param settings flat, with or without {@code index.}; a {@code null} value requests the default
   * @param mapping the mapping's JSON, {@code {}} for none
   * @param aliases override those of templates
   * @param follow the index of another cluster to follow; its node and assignment are ignored
   * @param providedName the date math expression that the name was resolved from, null if there was
   *     none
   */
  record CreateIndex(
      String name,
      Map<String, @Nullable String> settings,
      String mapping,
      Map<String, AliasMetadata> aliases,
      @Nullable Follow follow,
      @Nullable String providedName)
      implements ClusterCommand {

    /** Creates an index without aliases. */
    public CreateIndex(
        String name,
        Map<String, @Nullable String> settings,
        String mapping,
        @Nullable Follow follow) {
      this(name, settings, mapping, Map.of(), follow, null);
    }

    public static CreateIndex of(
        String name, Map<String, @Nullable String> settings, String mapping) {
      return new CreateIndex(name, settings, mapping, null);
    }
  }

  /**
   * Creates an index from segments in the segment store, of an index that the cluster does not
   * have.
   *
   * @param index the stored metadata; its uuid and copies are not reused
   * @param shards the newest stored manifest of each shard, by number
   */
  record RestoreIndex(IndexMetadata index, List<StoredManifest> shards) implements ClusterCommand {}

  /** Creates an index and moves the alias from {@code from} to it. */
  record RollOver(String alias, String from, CreateIndex to) implements ClusterCommand {}

  /**
   * The leader index of a new index.
   *
   * @param parameters null for the defaults
   * @param origins the leader index, then those that it follows; null if they are not known. They
   *     are not kept below {@link Feature#AUTO_FOLLOW}
   */
  record Follow(
      String remoteCluster,
      String leaderIndex,
      String leaderUuid,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FollowParameters parameters,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<FollowOrigin> origins) {

    /** The leader index, with the default parameters. */
    public Follow(String remoteCluster, String leaderIndex, String leaderUuid) {
      this(remoteCluster, leaderIndex, leaderUuid, null);
    }

    /** Of unknown origins. */
    public Follow(
        String remoteCluster,
        String leaderIndex,
        String leaderUuid,
        @Nullable FollowParameters parameters) {
      this(remoteCluster, leaderIndex, leaderUuid, parameters, null);
    }
  }

  /** Pauses following: the follower index does not pull until it is resumed. */
  record PauseFollow(String index) implements ClusterCommand {}

  /**
   * Resumes following: the paused follower index pulls again.
   *
   * @param parameters replace the former ones; null for the defaults
   */
  record ResumeFollow(String index, @Nullable FollowParameters parameters)
      implements ClusterCommand {}

  /** The paused and closed follower index becomes a regular one. */
  record Unfollow(String index) implements ClusterCommand {}

  /** The follower index becomes a regular, open one in one step, whether it is paused or not. */
  record Promote(String index) implements ClusterCommand {}

  /**
   * Updates the metadata of a follower index from its leader index. Ignored if the index is paused
   * or no longer follows that leader index.
   *
   * @param settings the replicated settings of the leader index
   * @param aliases all aliases of the leader index, without the write flag
   * @param leaderMappingVersion the version of the mapping in the leader's cluster
   */
  record UpdateFollower(
      String indexUuid,
      String leaderUuid,
      String mapping,
      Map<String, String> settings,
      Map<String, AliasMetadata> aliases,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
          long leaderMappingVersion)
      implements ClusterCommand {}

  /**
   * Pauses a follower index that this release can't continue to follow. Ignored if the index is
   * paused or no longer follows that leader index.
   */
  record StopFollower(String indexUuid, String leaderUuid, String reason)
      implements ClusterCommand {}

  /** Reopens the next copy of a follower index one of whose static settings has changed. */
  record ReopenCopy(String indexUuid) implements ClusterCommand {}

  /** Skips the operation at that offset of the leader's log, which the follower refuses. */
  record SkipOperation(String index, int shard, long leaderOffset, long seqNo)
      implements ClusterCommand {}

  /**
   * Lets the copy on that node continue the log of its shard, which lost records. Refused if the
   * primary's term is no longer {@code lastTerm}, or the primary has started.
   *
   * @param revival under the term after {@code lastTerm}
   */
  record ReviveShard(ShardId shard, long lastTerm, String nodeId, Revival revival)
      implements ClusterCommand {}

  /** Creates the successor of a follower that lost its leader's history. */
  record ReplaceFollower(ClusterCalls.LostHistory news) implements ClusterCommand {}

  /**
   * Replaces a follower by its successor once all primaries of the successor are started, and
   * deletes the successor if that follower no longer exists; deletes a follower that was replaced.
   */
  record EndReplacement(String indexUuid) implements ClusterCommand {}

  /**
   * Makes an index of this cluster, whose follower in another cluster was promoted, follow the
   * promoted index.
   *
   * @param index the former leader index, which must be closed
   * @param follow the promoted index
   * @param fork the promoted index's record of the position at which it stopped following {@code
   *     index}
   */
  record FailBack(
      String index,
      Follow follow,
      Map<String, String> leaderSettings,
      String leaderMapping,
      Fork fork)
      implements ClusterCommand {}

  /**
   * Puts an auto-follow pattern, which is active. An existing pattern of that name for the same
   * cluster keeps its record of handled indices.
   *
   * @param existingIndices whether indices are followed that an earlier pattern of that name has
   *     handled, except those that are followed now
   */
  record PutAutoFollow(
      String name,
      AutoFollowPattern pattern,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
          boolean existingIndices)
      implements ClusterCommand {

    /** Does not follow the indices that an earlier pattern of that name has handled. */
    public PutAutoFollow(String name, AutoFollowPattern pattern) {
      this(name, pattern, false);
    }
  }

  /** Deletes an auto-follow pattern; the indices that it follows remain followers. */
  record DeleteAutoFollow(String name) implements ClusterCommand {}

  /** Resumes or pauses an auto-follow pattern. */
  record ActivateAutoFollow(String name, boolean active) implements ClusterCommand {}

  /** See {@link io.varve.cluster.ClusterEvent.AutoFollowHandled}; a missing pattern is no error. */
  record HandleAutoFollow(String name, List<String> added, List<String> removed)
      implements ClusterCommand {}

  /** Adds or renews the lease of a follower in another cluster. */
  record RenewLease(@JsonProperty("wish") LeaseRenewal renewal) implements ClusterCommand {}

  /** Ends the leases of these holders on the index; a lease that has already ended stays ended. */
  record EndLeases(String indexUuid, List<String> holders) implements ClusterCommand {}

  /** See {@link ClusterCalls.LeaseOverLimit}. */
  record LeaseOverLimit(ClusterCalls.LeaseOverLimit news) implements ClusterCommand {}

  /** Deletes all of the indices, or none if one is missing or blocked. */
  record DeleteIndices(List<String> names) implements ClusterCommand {}

  /** Applies all changes, or none if one is refused. */
  record UpdateAliases(List<AliasChange> changes) implements ClusterCommand {}

  /** Closes the indices; those that are closed already do not change. */
  record CloseIndices(List<String> names) implements ClusterCommand {}

  /** Opens the indices; those that are open already do not change. */
  record OpenIndices(List<String> names) implements ClusterCommand {}

  /** Blocks writes to the index: the first step to search-only mode. */
  record BlockWriters(String index) implements ClusterCommand {}

  /**
   * Releases the writers of the index: the second step to search-only mode.
   *
   * @param settingsVersion of the index when the search-only copies had received all data; if its
   *     settings have changed since, the writers are not released
   */
  record ReleaseWriters(String index, long settingsVersion) implements ClusterCommand {}

  /**
   * Ends search-only mode.
   *
   * @param unreleasedVersion the index's settings version after the first step, to undo only that
   *     step; 0 to end the mode in any case
   */
  record RecallWriters(String index, long unreleasedVersion) implements ClusterCommand {}

  /** Stores the template; with {@code create} it is refused if one with that name exists. */
  record PutLegacyTemplate(String name, Templates.Legacy template, boolean create)
      implements ClusterCommand {}

  /** Stores the template; with {@code create} it is refused if one with that name exists. */
  record PutIndexTemplate(String name, Templates.Composable template, boolean create)
      implements ClusterCommand {}

  /** Stores the template; with {@code create} it is refused if one with that name exists. */
  record PutComponentTemplate(String name, Templates.Component template, boolean create)
      implements ClusterCommand {}

  /** Deletes templates; {@code name} may be a pattern. */
  record DeleteTemplate(TemplateKind kind, String name) implements ClusterCommand {}

  /** The kinds of templates. */
  enum TemplateKind {
    LEGACY,
    COMPOSABLE,
    COMPONENT
  }

  /** Merges {@code mapping} into the mapping of each of the indices. */
  record PutMapping(List<String> indices, String mapping) implements ClusterCommand {}

  /** Adds the new fields of a document to the mapping. */
  record NewFields(@JsonProperty("wish") ClusterCalls.NewFields call) implements ClusterCommand {}

  /**
   * @param changes flat, with or without {@code index.}; a {@code null} value restores the default
   * @param preserveExisting whether settings that an index has keep their values
   */
  record UpdateIndexSettings(
      List<String> indices, Map<String, @Nullable String> changes, boolean preserveExisting)
      implements ClusterCommand {}

  /**
   * Changes cluster settings, which are flat. A {@code null} value removes a setting, and its name
   * may then end in {@code *}.
   */
  record UpdateClusterSettings(
      Map<String, @Nullable String> persistentChanges,
      Map<String, @Nullable String> transientChanges)
      implements ClusterCommand {}

  /**
   * Executes reroute commands, all of them or none.
   *
   * @param retryFailed whether places where copies failed are retried at once
   */
  record Reroute(List<RerouteCommand> steps, boolean retryFailed) implements ClusterCommand {}

  /** See {@link ClusterCalls.NewTerm}. */
  record NewTerm(@JsonProperty("wish") ClusterCalls.NewTerm call) implements ClusterCommand {}

  /** See {@link ClusterCalls.CopyStarted}. */
  record CopyStarted(ClusterCalls.CopyStarted news) implements ClusterCommand {}

  /** See {@link ClusterCalls.CopyFailed}. */
  record CopyFailed(ClusterCalls.CopyFailed news) implements ClusterCommand {}

  /**
   * Raises the cluster's feature level.
   *
   * @param featureLevel null for the highest that all members support
   */
  record RaiseFeatureLevel(@Nullable Integer featureLevel) implements ClusterCommand {}
}
