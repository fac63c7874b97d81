package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Setting;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ApiException;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the updates that make the metadata of follower indices equal to that of their leader
 * indices.
 *
 * <pre>
 *   settings   the replicated ones; if a static one changes, all copies of an open index are
 *              reopened in the same step, primaries with the next term, replicas with a new
 *              copy id
 *   mapping    the leader's is merged into the follower's: both only grow, so an outdated leader
 *              state takes no field away
 *   aliases    the leader's, without the write flag; a name that is an index here is left out
 * </pre>
 *
 * <p>Pure functions of two states. {@link #updates} compares the two, so it may be repeated at any
 * time, and returns nothing for a follower that is equal to its leader. A follower that is paused,
 * or whose leader index was deleted, is not changed.
 */
public final class FollowerMetadata {

  private FollowerMetadata() {}

  /**
   * The updates that followers need.
   *
   * @param own the state of the followers' cluster
   * @param remoteCluster the alias of the leaders' cluster
   * @param leaders the state of that cluster
   */
  public static List<ClusterCommand.UpdateFollower> updates(
      ClusterState own, String remoteCluster, ClusterState leaders) {
    List<ClusterCommand.UpdateFollower> updates = new ArrayList<>();
    for (IndexMetadata follower : own.indices().values()) {
      FollowRelation follow = follower.follow();
      if (follow != null && follow.remoteCluster().equals(remoteCluster)) {
        leaders
            .index(follow.leaderUuid())
            .map(leader -> update(follower, leader))
            .filter(update -> !events(own, update, () -> "").isEmpty())
            .ifPresent(updates::add);
      }
    }
    return updates;
  }

  private static ClusterCommand.UpdateFollower update(
      IndexMetadata follower, IndexMetadata leader) {
    Map<String, AliasMetadata> aliases = new TreeMap<>();
    if (follower.follow() != null && follower.follow().replaces().isPresent()) {
      // A successor gets the aliases of the follower that it replaces, together with its name.
      return new ClusterCommand.UpdateFollower(
          follower.uuid(),
          leader.uuid(),
          leader.mapping(),
          IndexSettings.replicated(leader.settings()),
          aliases);
    }
    leader.aliases().forEach((name, alias) -> aliases.put(name, alias.withWriteIndex(null)));
    return new ClusterCommand.UpdateFollower(
        follower.uuid(),
        leader.uuid(),
        leader.mapping(),
        IndexSettings.replicated(leader.settings()),
        aliases);
  }

  /**
   * @param ids new ids for copies
   */
  static Decision update(
      ClusterState state, ClusterCommand.UpdateFollower request, Supplier<String> ids) {
    return new Decision.Events(events(state, request, ids));
  }

  /** Nothing if the index now follows another leader or is no longer a follower. */
  private static List<ClusterEvent> events(
      ClusterState state, ClusterCommand.UpdateFollower request, Supplier<String> ids) {
    Optional<IndexMetadata> follower =
        state
            .index(request.indexUuid())
            .filter(index -> index.follow() != null)
            .filter(index -> !index.follow().paused())
            .filter(index -> index.follow().leaderUuid().equals(request.leaderUuid()));
    if (follower.isEmpty()) {
      return List.of();
    }
    IndexMetadata index = follower.get();
    Map<String, @Nullable String> settings = changedSettings(index, request.settings());
    boolean reopens = !index.closed() && anyStatic(settings);
    // Retried with the state in which the relocation has ended.
    if (reopens && index.shards().stream().anyMatch(shard -> !shard.relocations().isEmpty())) {
      return List.of();
    }
    List<ClusterEvent> events = new ArrayList<>();
    if (!settings.isEmpty()) {
      events.add(
          new ClusterEvent.IndexSettingsChanged(
              index.uuid(), index.settingsVersion() + 1, settings));
    }
    events.addAll(
        mappingEvents(index, index.withSettings(settings, 1).settings(), request.mapping()));
    Map<String, @Nullable AliasMetadata> aliases = changedAliases(state, index, request.aliases());
    if (!aliases.isEmpty()) {
      events.add(new ClusterEvent.AliasesChanged(Map.of(index.uuid(), aliases), List.of()));
    }
    if (reopens) {
      index.shards().forEach(shard -> reopen(shard, ids, events));
    }
    return events;
  }

  private static void reopen(ShardRouting shard, Supplier<String> ids, List<ClusterEvent> events) {
    for (CopyRouting copy : shard.copies()) {
      String nodeId = copy.nodeId();
      if (nodeId == null) {
        continue;
      }
      if (copy.primary()) {
        events.add(
            new ClusterEvent.PrimaryAssigned(
                shard.shard(), copy.copyId(), nodeId, shard.newestTerm() + 1));
      } else {
        events.add(
            new ClusterEvent.ReplicaAssigned(shard.shard(), copy.copyId(), ids.get(), nodeId));
      }
    }
  }

  /** Settings that this release does not know or refuses are not changed. */
  private static Map<String, @Nullable String> changedSettings(
      IndexMetadata follower, Map<String, String> leaders) {
    Map<String, String> present = IndexSettings.replicated(follower.settings());
    Set<String> names = new HashSet<>(present.keySet());
    names.addAll(leaders.keySet());
    Map<String, @Nullable String> changes = new TreeMap<>();
    for (String name : names) {
      String wanted = leaders.get(name);
      Map<String, @Nullable String> change = new HashMap<>();
      change.put(name, wanted);
      if (!Objects.equals(wanted, present.get(name))
          && changeOf(name) != Setting.Change.FINAL
          && IndexSettings.refusalAtCreation(change).isEmpty()) {
        changes.put(name, wanted);
      }
    }
    return changes;
  }

  private static Setting.Change changeOf(String name) {
    return IndexSettings.find(name).map(Setting::change).orElse(Setting.Change.FINAL);
  }

  private static boolean anyStatic(Map<String, @Nullable String> changes) {
    return changes.keySet().stream().anyMatch(name -> changeOf(name) == Setting.Change.STATIC);
  }

  /**
   * Empty if the leader's mapping has a part that this release does not know or that contradicts
   * the follower's mapping. The follower's primary refuses an operation that needs this part, with
   * the reason.
   */
  private static List<ClusterEvent> mappingEvents(
      IndexMetadata index, Map<String, String> settings, String leaders) {
    if (index.mapping().equals(leaders)) {
      return List.of();
    }
    try {
      MappingRules rules = MappingRules.of(settings);
      return switch (Mapping.parse(index.mapping(), rules).merge(leaders)) {
        case Mapping.Merge.Merged(var mapping, var changed) when changed ->
            List.of(
                new ClusterEvent.MappingChanged(
                    index.uuid(), index.mappingVersion() + 1, mapping.toJson()));
        case Mapping.Merge.Merged _, Mapping.Merge.Refused _ -> List.of();
      };
    } catch (ApiException e) {
      return List.of();
    }
  }

  private static Map<String, @Nullable AliasMetadata> changedAliases(
      ClusterState state, IndexMetadata follower, Map<String, AliasMetadata> leaders) {
    Map<String, @Nullable AliasMetadata> changes = new TreeMap<>();
    leaders.forEach((name, alias) -> {
      if (!alias.equals(follower.aliases().get(name))
          && AliasNames.refusal(state, name).isEmpty()) {
        changes.put(name, alias);
      }
    });
    follower
        .aliases()
        .keySet()
        .forEach(name -> {
          if (!leaders.containsKey(name)) {
            changes.put(name, null);
          }
        });
    return changes;
  }
}
