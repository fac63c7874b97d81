package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettingRules;
import io.varve.cluster.IndexSettings;
import io.varve.events.Feature;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decisions on existing indices: deleting, closing, opening, changing settings. {@link
 * IndexCreation} decides on new ones.
 *
 * <p>Pure functions of the state. A request that names several indices is applied to all of them or
 * refused as a whole. A change that is already in effect adds no event. A refusal has OpenSearch's
 * type, text and status.
 */
public final class IndexDecisions {

  private IndexDecisions() {}

  static Decision delete(ClusterState state, ClusterCommand.DeleteIndices request) {
    Set<IndexMetadata> indices = named(state, request.names());
    for (IndexMetadata index : indices) {
      Optional<ErrorBody> blocked = IndexBlocks.refusal(index, IndexBlocks.Action.DELETE_INDEX);
      if (blocked.isPresent()) {
        return new Decision.Refused(blocked.get());
      }
    }
    return new Decision.Events(
        indices.stream()
            .map(index -> (ClusterEvent) new ClusterEvent.IndexDeleted(index.uuid()))
            .toList());
  }

  static Decision close(ClusterState state, ClusterCommand.CloseIndices request) {
    return each(
        named(state, request.names()).stream().filter(index -> !index.closed()).toList(),
        index -> new ClusterEvent.IndexClosed(index.uuid()));
  }

  static Decision open(ClusterState state, ClusterCommand.OpenIndices request) {
    List<IndexMetadata> closed =
        named(state, request.names()).stream().filter(IndexMetadata::closed).toList();
    refuse(ShardLimit.refusal(state, closed));
    closed.forEach(index -> refuse(FailbackDecisions.refusalToOpen(state, index)));
    return each(closed, index -> new ClusterEvent.IndexOpened(index.uuid()));
  }

  private static Decision each(
      List<IndexMetadata> indices, Function<IndexMetadata, ClusterEvent> change) {
    for (IndexMetadata index : indices) {
      refuse(IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE));
    }
    return new Decision.Events(indices.stream().map(change).toList());
  }

  static Decision updateSettings(ClusterState state, ClusterCommand.UpdateIndexSettings request) {
    Map<String, @Nullable String> asked = IndexSettings.normalize(request.changes());
    Set<IndexMetadata> indices = named(state, request.indices());
    refuse(FollowerProtection.ofSettings(indices, asked));
    List<ClusterEvent> events = new ArrayList<>();
    for (IndexMetadata index : indices) {
      Optional<ErrorBody> refused = IndexSettingRules.refusalOfChange(index, asked);
      if (refused.isEmpty()) {
        refused = IndexSettingRules.contradiction(index.withSettings(asked, 1).settings());
      }
      if (refused.isEmpty() && asked.get(IndexSettings.CODEC) != null) {
        refused =
            IndexSettingRules.unknownToNodes(
                state.nodes().values(), index.withSettings(asked, 1).settings());
      }
      if (refused.isEmpty()) {
        refused = unsupported(state, index.withSettings(asked, 1).settings());
      }
      if (refused.isEmpty() && !liftsBlock(asked)) {
        refused = IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE);
      }
      if (refused.isPresent()) {
        return new Decision.Refused(refused.get());
      }
      change(index, asked, request.preserveExisting(), events);
      refuse(contradiction(state, index, events));
    }
    refuse(ShardLimit.refusal(state, addedCopies(state, events)));
    return new Decision.Events(events);
  }

  /** The reason for which the feature level of the cluster allows no such index, if any. */
  static Optional<ErrorBody> unsupported(ClusterState state, Map<String, String> settings) {
    return IndexSettings.isStrong(settings) && !state.has(Feature.STRONG_CONSISTENCY)
        ? Optional.of(
            ErrorBody.illegalArgument(
                IndexSettings.CONSISTENCY
                    + " [strong] needs feature level "
                    + Feature.STRONG_CONSISTENCY.since()
                    + ", the cluster is at level "
                    + state.featureLevel()))
        : Optional.empty();
  }

  /**
   * The number of copies that the events add. It is computed from the changed settings, because the
   * reconciler adds the copies later.
   */
  private static long addedCopies(ClusterState state, List<ClusterEvent> events) {
    long added = 0;
    for (ClusterEvent event : events) {
      if (event instanceof ClusterEvent.IndexSettingsChanged(var uuid, var version, var changes)) {
        IndexMetadata index = state.index(uuid).orElseThrow();
        if (!index.closed()) {
          added +=
              ShardLimit.copies(index.withSettings(changes, version)) - ShardLimit.copies(index);
        }
      }
    }
    return added;
  }

  private static Optional<ErrorBody> contradiction(
      ClusterState state, IndexMetadata index, List<ClusterEvent> events) {
    ClusterState changed = state;
    for (ClusterEvent event : events) {
      changed = changed.apply(event);
    }
    return changed.index(index.uuid()).flatMap(i -> IndexSettingRules.contradiction(i.settings()));
  }

  /**
   * Whether the request changes blocks only. A blocked index accepts such changes, or it would stay
   * blocked.
   */
  private static boolean liftsBlock(Map<String, @Nullable String> asked) {
    return asked.keySet().stream().allMatch(name -> name.startsWith("index.blocks."));
  }

  /** Adds the event for the changed settings; the reconciler then adds or removes copies. */
  private static void change(
      IndexMetadata index,
      Map<String, @Nullable String> asked,
      boolean preserveExisting,
      List<ClusterEvent> events) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    asked.forEach((name, value) -> {
      // The number of replicas is always stored explicitly, so that the shown value is the
      // effective one.
      String wanted = value == null && name.equals(IndexSettings.NUMBER_OF_REPLICAS) ? "1" : value;
      String present = index.settings().get(name);
      if (!Objects.equals(wanted, present) && !(preserveExisting && present != null)) {
        changes.put(name, wanted);
      }
    });
    if (changes.isEmpty()) {
      return;
    }
    events.add(
        new ClusterEvent.IndexSettingsChanged(index.uuid(), index.settingsVersion() + 1, changes));
  }

  /**
   * The indices with these names or uuids; a uuid identifies an index even if its name was reused.
   */
  static Set<IndexMetadata> named(ClusterState state, List<String> names) {
    Set<IndexMetadata> indices = new LinkedHashSet<>();
    for (String name : names) {
      Optional<IndexMetadata> byName = Optional.ofNullable(state.indices().get(name));
      indices.add(
          byName.or(() -> state.index(name)).orElseThrow(() -> new ApiException(missing(name))));
    }
    return indices;
  }

  public static ErrorBody missing(String name) {
    return ErrorBody.of(404, "index_not_found_exception", "no such index [" + name + "]")
        .with("index", name)
        .with("index_uuid", "_na_")
        .with("resource.type", "index_or_alias")
        .with("resource.id", name);
  }

  /** Throws the error if there is one. */
  static void refuse(Optional<ErrorBody> refused) {
    refused.ifPresent(error -> {
      throw new ApiException(error);
    });
  }
}
