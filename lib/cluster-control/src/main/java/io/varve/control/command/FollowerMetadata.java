package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.Setting;
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
import org.jspecify.annotations.Nullable;

/**
 * Computes the updates that make the metadata of follower indices equal to that of their leader
 * indices.
 *
 * <pre>
 *   settings   the replicated ones; if a static one changes, the copies of an open index are
 *              reopened one after the other: see {@link FollowerReopening}
 *   mapping    the leader's whole mapping, in the order of its versions, which the follower
 *              records; not before all copies have the static settings that it needs
 *   aliases    the leader's, without the write flag; a name that is an index here is left out
 * </pre>
 *
 * <p>Pure functions of two states. {@link #updates} compares the two, so it may be repeated at any
 * time, and returns nothing for a follower that is equal to its leader. A follower that is paused,
 * or whose leader index was deleted, is not changed. A follower that can't take its leader's
 * mapping is stopped ({@link #stops}).
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
            .filter(update -> !events(own, update).isEmpty())
            .ifPresent(updates::add);
      }
    }
    return updates;
  }

  private static ClusterCommand.UpdateFollower update(
      IndexMetadata follower, IndexMetadata leader) {
    Map<String, AliasMetadata> aliases = new TreeMap<>();
    // A successor gets the aliases of the follower that it replaces, together with its name.
    if (follower.follow() == null || follower.follow().replaces().isEmpty()) {
      leader.aliases().forEach((name, alias) -> aliases.put(name, alias.withWriteIndex(null)));
    }
    return new ClusterCommand.UpdateFollower(
        follower.uuid(),
        leader.uuid(),
        leader.mapping(),
        IndexSettings.replicated(leader.settings()),
        aliases,
        leader.mappingVersion());
  }

  /**
   * The followers that this release can't continue to follow, with the reason.
   *
   * @param skipped by uuid of the leader index: the reason, if an event about it was skipped; see
   *     {@link io.varve.cluster.SkippedEvents}
   */
  public static List<ClusterCommand.StopFollower> stops(
      ClusterState own, String remoteCluster, ClusterState leaders, Map<String, String> skipped) {
    List<ClusterCommand.StopFollower> stops = new ArrayList<>();
    for (IndexMetadata follower : own.indices().values()) {
      FollowRelation follow = follower.follow();
      if (follow != null && !follow.paused() && follow.remoteCluster().equals(remoteCluster)) {
        Optional.ofNullable(skipped.get(follow.leaderUuid()))
            .or(() ->
                leaders
                    .index(follow.leaderUuid())
                    .flatMap(leader -> refusedMapping(follower, follow, leader)))
            .map(reason ->
                new ClusterCommand.StopFollower(follower.uuid(), follow.leaderUuid(), reason))
            .ifPresent(stops::add);
      }
    }
    return stops;
  }

  /** Stops all active followers of a cluster, because this release can't read its cluster log. */
  public static List<ClusterCommand.StopFollower> stops(
      ClusterState own, String remoteCluster, String reason) {
    List<ClusterCommand.StopFollower> stops = new ArrayList<>();
    for (IndexMetadata follower : own.indices().values()) {
      FollowRelation follow = follower.follow();
      if (follow != null && !follow.paused() && follow.remoteCluster().equals(remoteCluster)) {
        stops.add(new ClusterCommand.StopFollower(follower.uuid(), follow.leaderUuid(), reason));
      }
    }
    return stops;
  }

  /**
   * The reason if the leader's mapping has a part that this release does not know, or that
   * contradicts the follower's.
   */
  private static Optional<String> refusedMapping(
      IndexMetadata follower, FollowRelation follow, IndexMetadata leader) {
    if (leader.mappingVersion() <= follow.currentStatus().leaderMappingVersion()) {
      return Optional.empty();
    }
    Map<String, @Nullable String> settings =
        changedSettings(follower, IndexSettings.replicated(leader.settings()));
    Map<String, String> after = follower.withSettings(settings, 1).settings();
    return merged(follower, after, leader.mapping()) instanceof Mapping.Merge.Refused(var error)
        ? Optional.of(
            "the follower can't take version %d of its leader's mapping: %s"
                .formatted(leader.mappingVersion(), error.reason()))
        : Optional.empty();
  }

  static Decision update(ClusterState state, ClusterCommand.UpdateFollower request) {
    return new Decision.Events(events(state, request));
  }

  /** Nothing if the index now follows another leader or is no longer a follower. */
  private static List<ClusterEvent> events(
      ClusterState state, ClusterCommand.UpdateFollower request) {
    return state
        .index(request.indexUuid())
        .filter(index -> index.follow() != null)
        .filter(index -> !index.follow().paused())
        .filter(index -> index.follow().leaderUuid().equals(request.leaderUuid()))
        .map(index -> events(state, index, request))
        .orElse(List.of());
  }

  private static List<ClusterEvent> events(
      ClusterState state, IndexMetadata index, ClusterCommand.UpdateFollower request) {
    List<ClusterEvent> events = new ArrayList<>();
    FollowStatus status = Objects.requireNonNull(index.follow()).currentStatus();
    Map<String, @Nullable String> settings = changedSettings(index, request.settings());
    if (!settings.isEmpty()) {
      events.add(
          new ClusterEvent.IndexSettingsChanged(
              index.uuid(), index.settingsVersion() + 1, settings));
    }
    boolean reopens = !index.closed() && anyStatic(settings);
    FollowStatus now =
        reopens
            ? status.reopening(FollowerReopening.open(index), staticSettings(index.settings()))
            : status;
    List<ClusterEvent> mapping =
        now.copiesToReopen().isEmpty() || needsNoNewSettings(index, now, request)
            ? mappingEvents(index, now, settings, request)
            : List.of();
    if (reopens && mapping.isEmpty()) {
      events.add(new ClusterEvent.FollowStatusChanged(index.uuid(), now));
    }
    events.addAll(mapping);
    Map<String, @Nullable AliasMetadata> aliases = changedAliases(state, index, request.aliases());
    if (!aliases.isEmpty()) {
      events.add(new ClusterEvent.AliasesChanged(Map.of(index.uuid(), aliases), List.of()));
    }
    return events;
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

  private static Map<String, String> staticSettings(Map<String, String> settings) {
    Map<String, String> found = new TreeMap<>(IndexSettings.replicated(settings));
    found.keySet().removeIf(name -> changeOf(name) != Setting.Change.STATIC);
    return found;
  }

  /** Whether copies that are open with the former static settings can also take the mapping. */
  private static boolean needsNoNewSettings(
      IndexMetadata index, FollowStatus status, ClusterCommand.UpdateFollower request) {
    Map<String, String> former = status.formerSettings();
    if (former == null) {
      return false;
    }
    Map<String, String> settings = new TreeMap<>(index.settings());
    settings.keySet().removeAll(staticSettings(index.settings()).keySet());
    settings.putAll(former);
    return merged(index, settings, request.mapping()) instanceof Mapping.Merge.Merged;
  }

  private static Setting.Change changeOf(String name) {
    return IndexSettings.find(name).map(Setting::change).orElse(Setting.Change.FINAL);
  }

  private static boolean anyStatic(Map<String, @Nullable String> changes) {
    return changes.keySet().stream().anyMatch(name -> changeOf(name) == Setting.Change.STATIC);
  }

  /** Nothing if the follower has this version already, or can't take it: see {@link #stops}. */
  private static List<ClusterEvent> mappingEvents(
      IndexMetadata index,
      FollowStatus status,
      Map<String, @Nullable String> settings,
      ClusterCommand.UpdateFollower request) {
    if (request.leaderMappingVersion() <= status.leaderMappingVersion()) {
      return List.of();
    }
    Map<String, String> after = index.withSettings(settings, 1).settings();
    if (!(merged(index, after, request.mapping())
        instanceof Mapping.Merge.Merged(var mapping, var changed))) {
      return List.of();
    }
    List<ClusterEvent> events = new ArrayList<>();
    if (changed) {
      events.add(
          new ClusterEvent.MappingChanged(
              index.uuid(), index.mappingVersion() + 1, mapping.toJson()));
    }
    events.add(
        new ClusterEvent.FollowStatusChanged(
            index.uuid(), status.withLeaderMappingVersion(request.leaderMappingVersion())));
    return events;
  }

  /**
   * The leader's mapping, unless it contradicts the follower's. Fields that the leader lacks stay:
   * a cluster of feature level 1 may have derived them.
   */
  private static Mapping.Merge merged(
      IndexMetadata index, Map<String, String> settings, String leaders) {
    try {
      MappingRules rules = MappingRules.of(settings);
      Mapping own = Mapping.parse(index.mapping(), rules);
      Mapping leader = Mapping.parse(leaders, rules);
      Mapping.Merge merge = own.merge(leaders);
      return merge instanceof Mapping.Merge.Merged && hasFieldsOf(leader, own)
          ? new Mapping.Merge.Merged(leader, !leader.toJson().equals(own.toJson()))
          : merge;
    } catch (ApiException e) {
      return new Mapping.Merge.Refused(e.error());
    }
  }

  private static boolean hasFieldsOf(Mapping leader, Mapping own) {
    return leader.leaves().keySet().containsAll(own.leaves().keySet())
        && leader.aliases().keySet().containsAll(own.aliases().keySet())
        && leader.nested().keySet().containsAll(own.nested().keySet());
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
