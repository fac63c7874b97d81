package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
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
 * @param leases of the indices in other clusters that follow this one, by holder
 * @param fork the fork from the index that this one followed; null if it never followed one, or
 *     still does
 */
public record IndexMetadata(
    String name,
    String uuid,
    long createdMillis,
    Map<String, String> settings,
    long settingsVersion,
    String mapping,
    long mappingVersion,
    @Nullable FollowRelation follow,
    List<ShardRouting> shards,
    Access access,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY)
        Map<String, RetentionLease> leases,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Fork fork) {

  public static final String SEGMENT = "SEGMENT";
  public static final String DOCUMENT = "DOCUMENT";

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
      @Nullable FollowRelation follow,
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

  /** Without leases and fork. */
  public IndexMetadata(
      String name,
      String uuid,
      long createdMillis,
      Map<String, String> settings,
      long settingsVersion,
      String mapping,
      long mappingVersion,
      @Nullable FollowRelation follow,
      List<ShardRouting> shards,
      Access access) {
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
        access,
        Map.of(),
        null);
  }

  public IndexMetadata {
    settings = SharedMap.of(settings);
    shards = List.copyOf(shards);
    leases = Collections.unmodifiableSortedMap(new TreeMap<>(leases));
    if (shards.isEmpty()) {
      throw new IllegalArgumentException("index " + name + " has no shards");
    }
  }

  /**
   * Rises with each change of the mapping or of the settings. Two states of the cluster log with
   * the same version of an index have the same mapping and settings of it.
   */
  public long metadataVersion() {
    return mappingVersion + settingsVersion;
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
    return with(follow, shards.stream().map(change).toList(), access);
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
        access,
        leases,
        fork);
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
        access,
        leases,
        fork);
  }

  public IndexMetadata withFollow(@Nullable FollowRelation newFollow) {
    return with(newFollow, shards, access);
  }

  public IndexMetadata withRouting(List<ShardRouting> newShards) {
    return with(follow, newShards, access);
  }

  IndexMetadata withFork(@Nullable Fork newFork) {
    return with(leases, newFork);
  }

  IndexMetadata forked(int shard, ForkPlace place) {
    return fork == null ? this : withFork(fork.with(shard, place));
  }

  /**
   * Whether the next primary of that shard to start is the first one since the index stopped
   * following.
   */
  public boolean awaitsFork(int shard) {
    return fork != null && !fork.shards().containsKey(shard);
  }

  /** This index with changed leases; {@code null} removes a lease. */
  IndexMetadata withLeases(Map<String, @Nullable RetentionLease> changes) {
    Map<String, RetentionLease> changed = new TreeMap<>(leases);
    changes.forEach((holder, lease) -> {
      if (lease == null) {
        changed.remove(holder);
      } else {
        changed.put(holder, lease);
      }
    });
    return with(changed, fork);
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

  /**
   * This index after the process of a node was replaced: started copies there are not open. The
   * same instance if there are none; a closed copy does not open again.
   */
  IndexMetadata restartedOn(String nodeId) {
    boolean changes =
        !closed()
            && shards.stream()
                .flatMap(shard -> shard.everywhere().stream())
                .anyMatch(copy -> copy.isOn(nodeId) && copy.started());
    return changes
        ? withShards(shard ->
            shard.withEverywhere(copy ->
                copy.isOn(nodeId) && copy.started()
                    ? copy.in(CopyRouting.State.INITIALIZING)
                    : copy))
        : this;
  }

  private IndexMetadata withAccess(Access newAccess) {
    return with(follow, shards, newAccess);
  }

  private IndexMetadata with(
      @Nullable FollowRelation newFollow, List<ShardRouting> newShards, Access newAccess) {
    return new IndexMetadata(
        name,
        uuid,
        createdMillis,
        settings,
        settingsVersion,
        mapping,
        mappingVersion,
        newFollow,
        newShards,
        newAccess,
        leases,
        fork);
  }

  private IndexMetadata with(Map<String, RetentionLease> newLeases, @Nullable Fork newFork) {
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
        access,
        newLeases,
        newFork);
  }
}
