package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Reroute;
import io.varve.cluster.ShardRouting;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * From a command and the state that it meets to facts or a refusal. Pure: the same state and
 * command give the same decision, ids and the time of day apart.
 *
 * <p>What nodes report is often late: a report that the state has overtaken changes nothing and is
 * no error.
 */
final class Decisions {

  private final IndexDecisions indices;

  Decisions(IndexDecisions indices) {
    this.indices = indices;
  }

  /** {@code uuid} is for an index to be created; other commands don't look at it. */
  Decision decide(ClusterState state, ClusterCommand command, String uuid) {
    try {
      return switch (command) {
        case ClusterCommand.CreateIndex c -> indices.create(state, c, uuid);
        case ClusterCommand.RollOver c -> indices.rollOver(state, c, uuid);
        case ClusterCommand.DeleteIndices c -> indices.delete(state, c);
        case ClusterCommand.UpdateAliases c -> AliasDecisions.update(state, c);
        case ClusterCommand.CloseIndices c -> indices.close(state, c);
        case ClusterCommand.OpenIndices c -> indices.open(state, c);
        case ClusterCommand.PutLegacyTemplate c -> TemplateDecisions.put(state, c);
        case ClusterCommand.PutIndexTemplate c -> TemplateDecisions.put(state, c);
        case ClusterCommand.PutComponentTemplate c -> TemplateDecisions.put(state, c);
        case ClusterCommand.DeleteTemplate c -> TemplateDecisions.delete(state, c);
        case ClusterCommand.PutMapping c -> indices.putMapping(state, c);
        case ClusterCommand.NewFields c -> indices.newFields(state, c);
        case ClusterCommand.UpdateIndexSettings c -> indices.updateSettings(state, c);
        case ClusterCommand.UpdateClusterSettings c -> updateSettings(state, c);
        case ClusterCommand.Reroute c -> reroute(state, c);
        case ClusterCommand.NewTerm c -> newTerm(state, c.wish());
        case ClusterCommand.CopyStarted c -> started(state, c.news());
        case ClusterCommand.CopyFailed c -> failed(state, c.news());
      };
    } catch (ApiException e) {
      return new Decision.Refused(e.error());
    }
  }

  private static Decision updateSettings(
      ClusterState state, ClusterCommand.UpdateClusterSettings wish) {
    Map<String, @Nullable String> lasting =
        expanded(state.persistentSettings(), wish.persistentChanges());
    Map<String, @Nullable String> passing =
        expanded(state.transientSettings(), wish.transientChanges());
    Optional<ErrorBody> refused =
        ClusterSettings.refusal("persistent", lasting)
            .or(() -> ClusterSettings.refusal("transient", passing));
    if (refused.isPresent()) {
      return new Decision.Refused(refused.get());
    }
    Map<String, String> persistentSettings = changed(state.persistentSettings(), lasting);
    Map<String, String> transientSettings = changed(state.transientSettings(), passing);
    return persistentSettings.equals(state.persistentSettings())
            && transientSettings.equals(state.transientSettings())
        ? Decision.nothing()
        : Decision.of(
            new ClusterEvent.ClusterSettingsChanged(persistentSettings, transientSettings));
  }

  /** {@code "a.*": null} takes away all that begin so. */
  private static Map<String, @Nullable String> expanded(
      Map<String, String> present, Map<String, @Nullable String> changes) {
    Map<String, @Nullable String> names = new TreeMap<>();
    changes.forEach((name, value) -> {
      if (value == null && name.endsWith("*")) {
        String start = name.substring(0, name.length() - 1);
        present.keySet().stream()
            .filter(key -> key.startsWith(start))
            .forEach(key -> names.put(key, null));
      } else {
        names.put(name, value);
      }
    });
    return names;
  }

  private static Map<String, String> changed(
      Map<String, String> present, Map<String, @Nullable String> changes) {
    Map<String, String> result = new TreeMap<>(present);
    changes.forEach((name, value) -> {
      if (value == null) {
        result.remove(name);
      } else {
        result.put(name, value);
      }
    });
    return result;
  }

  private static Decision reroute(ClusterState state, ClusterCommand.Reroute wish) {
    List<ClusterEvent> events = new ArrayList<>();
    for (Reroute.Outcome outcome : new Reroute(Ids::next).plan(state, wish.steps())) {
      if (!outcome.done()) {
        return new Decision.Refused(outcome.error());
      }
      events.addAll(outcome.events());
    }
    return new Decision.Events(events);
  }

  private static Decision newTerm(ClusterState state, ClusterCalls.NewTerm wish) {
    Optional<ShardRouting> shard = state.shard(wish.shard());
    if (shard.isEmpty() || shard.get().primaryTerm() != wish.lastTerm()) {
      return Decision.nothing();
    }
    CopyRouting primary = shard.get().primary();
    return primary.copyId().equals(wish.copyId()) && primary.isOn(wish.nodeId())
        ? Decision.of(
            new ClusterEvent.PrimaryAssigned(
                wish.shard(), wish.copyId(), wish.nodeId(), wish.lastTerm() + 1))
        : Decision.nothing();
  }

  private static Decision started(ClusterState state, ClusterCalls.CopyStarted news) {
    ClusterEvent event = new ClusterEvent.CopyStarted(news.shard(), news.copyId(), news.term());
    boolean changes = !state.apply(event).shard(news.shard()).equals(state.shard(news.shard()));
    return changes ? Decision.of(event) : Decision.nothing();
  }

  private static Decision failed(ClusterState state, ClusterCalls.CopyFailed news) {
    boolean assigned =
        state
            .shard(news.shard())
            .flatMap(shard -> shard.copy(news.copyId()))
            .filter(copy -> copy.nodeId() != null)
            .isPresent();
    return assigned
        ? new Decision.Events(
            List.of(
                new ClusterEvent.CopyUnassigned(
                    news.shard(), news.copyId(), "ALLOCATION_FAILED: " + news.reason())))
        : Decision.nothing();
  }
}
