package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.ShardId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an index.
 *
 * @param settings flat, each under its full name {@code index.…}, values as strings; those set by
 *     clients or fixed at creation
 * @param mapping the mapping's JSON: {@code {"properties":{…},…}}, {@code {}} when empty
 * @param mappingVersion from 1, rises with each change of the mapping
 * @param follow the index of another cluster that this one follows, if any
 * @param shards by number
 * @param access aliases, and whether the index is open
 */
public record IndexMetadata(
    String name,
    String uuid,
    long createdMillis,
    Map<String, String> settings,
    long settingsVersion,
    String mapping,
    long mappingVersion,
    @Nullable Follow follow,
    List<ShardRouting> shards,
    Access access) {

  public static final String SEGMENT = "SEGMENT";
  public static final String DOCUMENT = "DOCUMENT";

  /**
   * The leader index that this index follows, and the node that pulls from it.
   *
   * <pre>
   *   active, unassigned --FollowAssigned--> active, assigned    a puller node joined
   *   active             --pause-->          paused              no puller
   *   paused             --resume-->         active, unassigned
   *   paused and closed  --unfollow-->       a regular index
   * </pre>
   *
   * <p>INVARIANT: each change increases {@code assignment}, and a primary refuses operations of an
   * older assignment.
   *
   * @param nodeId the node that pulls; null if none is assigned
   * @param parameters null for the defaults
   * @param paused whether no node is to pull
   */
  public record Follow(
      String remoteCluster,
      String leaderIndex,
      String leaderUuid,
      @Nullable String nodeId,
      long assignment,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable FollowParameters parameters,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
          boolean paused) {

    public Follow {
      if (paused && nodeId != null) {
        throw new IllegalArgumentException(
            "a paused follower of " + leaderIndex + " is assigned to node " + nodeId);
      }
    }

    /** Active, with the default parameters. */
    public Follow(
        String remoteCluster,
        String leaderIndex,
        String leaderUuid,
        @Nullable String nodeId,
        long assignment) {
      this(remoteCluster, leaderIndex, leaderUuid, nodeId, assignment, null, false);
    }

    /** The parameters under which it pulls. */
    public FollowParameters effectiveParameters() {
      return parameters == null ? FollowParameters.DEFAULTS : parameters;
    }

    /** A paused follower stays unassigned. */
    Follow assignedTo(@Nullable String newNodeId, long newAssignment) {
      return new Follow(
          remoteCluster,
          leaderIndex,
          leaderUuid,
          paused ? null : newNodeId,
          newAssignment,
          parameters,
          paused);
    }

    public Follow asPaused() {
      return new Follow(
          remoteCluster, leaderIndex, leaderUuid, null, assignment + 1, parameters, true);
    }

    /** Active again, and not assigned yet. */
    public Follow resumed(@Nullable FollowParameters newParameters) {
      return new Follow(
          remoteCluster, leaderIndex, leaderUuid, null, assignment + 1, newParameters, false);
    }
  }

  /**
   * How an index is reached.
   *
   * @param aliases by name
   * @param aliasesVersion from 1, rises with each change of the aliases
   * @param closed whether the index is closed: it is neither read nor written
   */
  public record Access(Map<String, AliasMetadata> aliases, long aliasesVersion, boolean closed) {

    /** Open and without aliases. */
    public static final Access OPEN = new Access(Map.of(), 1, false);

    public Access {
      aliases = Collections.unmodifiableSortedMap(new TreeMap<>(aliases));
    }

    public static Access of(Map<String, AliasMetadata> aliases) {
      return new Access(aliases, 1, false);
    }
  }

  /** Open and without aliases. */
  public IndexMetadata(
      String name,
      String uuid,
      long createdMillis,
      Map<String, String> settings,
      long settingsVersion,
      String mapping,
      long mappingVersion,
      @Nullable Follow follow,
      List<ShardRouting> shards) {
    this(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        follow,
        shards,
        Access.OPEN);
  }

  public IndexMetadata {
    settings = Map.copyOf(settings);
    shards = List.copyOf(shards);
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("index " + name + " has no shards");
    }
  }

  public ShardRouting shard(int number) {
    return shards.get(number);
  }

  public int numberOfShards() {
    return shards.size();
  }

  public int numberOfReplicas() {
    return Integer.parseInt(settings.getOrDefault("index.number_of_replicas", "1"));
  }

  /** The number of search-only copies per shard. */
  public int numberOfSearchReplicas() {
    return IndexSettings.searchReplicas(settings);
  }

  /** Whether it is in search-only mode: blocked, so that its writers can be released. */
  public boolean searchOnly() {
    return IndexBlocks.isSet(settings, IndexBlocks.SEARCH_ONLY);
  }

  /** Whether its writers are released: each shard has search-only copies only. */
  public boolean released() {
    return shards.stream().allMatch(ShardRouting::released);
  }

  /** {@link #SEGMENT} or {@link #DOCUMENT}. */
  public String replicationType() {
    return settings.getOrDefault("index.replication.type", SEGMENT);
  }

  public IndexMetadata withShard(ShardId shard, UnaryOperator<ShardRouting> change) {
    return withShards(s -> s.shard().equals(shard) ? change.apply(s) : s);
  }

  public IndexMetadata withShards(UnaryOperator<ShardRouting> change) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        follow,
        shards.stream().map(change).toList(),
        access);
  }

  public IndexMetadata withMapping(String newMapping, long version) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        newMapping,
        version,
        follow,
        shards,
        access);
  }

  /** This index with changed settings; a {@code null} value removes a setting. */
  public IndexMetadata withSettings(Map<String, @Nullable String> changes, long version) {
    Map<String, String> merged = new TreeMap<>(settings);
    changes.forEach((key, value) -> {
      if (value == null) {
        merged.remove(key);
      } else {
        merged.put(key, value);
      }
    });
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        merged,
        version,
        mapping,
        mappingVersion,
        follow,
        shards,
        access);
  }

  public IndexMetadata withFollow(@Nullable Follow newFollow) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        newFollow,
        shards,
        access);
  }

  public IndexMetadata withRouting(List<ShardRouting> newShards) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        follow,
        newShards,
        access);
  }

  public Map<String, AliasMetadata> aliases() {
    return access.aliases();
  }

  public boolean closed() {
    return access.closed();
  }

  public boolean hidden() {
    return IndexSettings.hidden(settings);
  }

  /** This index with changed aliases; {@code null} removes an alias. */
  public IndexMetadata withAliases(Map<String, @Nullable AliasMetadata> changes) {
    Map<String, AliasMetadata> aliases = new TreeMap<>(access.aliases());
    changes.forEach((name, alias) -> {
      if (alias == null) {
        aliases.remove(name);
      } else {
        aliases.put(name, alias);
      }
    });
    return withAccess(new Access(aliases, access.aliasesVersion() + 1, access.closed()));
  }

  IndexMetadata asClosed() {
    return withAccess(new Access(access.aliases(), access.aliasesVersion(), true))
        .withShards(ShardRouting::atRest);
  }

  /** INVARIANT: a term is assigned once, so each assigned primary gets a new one. */
  IndexMetadata asOpened() {
    return withAccess(new Access(access.aliases(), access.aliasesVersion(), false))
        .withShards(shard -> {
          boolean placed = shard.primary().nodeId() != null;
          return shard
              .withTerm(placed ? shard.primaryTerm() + 1 : shard.primaryTerm())
              .withCopies(
                  copy -> copy.nodeId() == null ? copy : copy.in(CopyRouting.State.INITIALIZING));
        });
  }

  private IndexMetadata withAccess(Access newAccess) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        follow,
        shards,
        newAccess);
  }
}
