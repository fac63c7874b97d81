package io.varve.control.command;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.Reroute;
import io.varve.events.FeatureLevels;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides a command on a state: events or a refusal. Pure: equal states and commands give the same
 * decision, except for ids, the time of day, the feature levels of nodes and renewals of leases
 * that are not recorded yet.
 *
 * <p>Reports of nodes may arrive late: an outdated report changes nothing and is no error, unless
 * its node must repeat what it did before it reported ({@link LateStarts}).
 */
public final class Decisions {

  private final IndexCreation creation;
  private final Supplier<String> ids;
  private final Supplier<Map<String, FeatureLevels>> supported;
  private final LeaseDecisions leases;

  /**
   * @param ids unique ids for the copies of relocations
   * @param supported the feature levels from each node's last heartbeat, by node id
   */
  public Decisions(
      IndexCreation creation,
      Supplier<String> ids,
      Supplier<Map<String, FeatureLevels>> supported,
      LeaseDecisions leases) {
    this.creation = creation;
    this.ids = ids;
    this.supported = supported;
    this.leases = leases;
  }

  /**
   * @param uuid for an index to be created; ignored by other commands
   */
  public Decision decide(ClusterState state, ClusterCommand command, String uuid) {
    try {
      return switch (command) {
        case ClusterCommand.CreateIndex c -> creation.create(state, c, uuid);
        case ClusterCommand.RestoreIndex c -> creation.restore(state, c, uuid);
        case ClusterCommand.RollOver c -> creation.rollOver(state, c, uuid);
        case ClusterCommand.DeleteIndices c -> IndexDecisions.delete(state, c);
        case ClusterCommand.UpdateAliases c -> AliasDecisions.update(state, c);
        case ClusterCommand.CloseIndices c -> IndexDecisions.close(state, c);
        case ClusterCommand.OpenIndices c -> IndexDecisions.open(state, c);
        case ClusterCommand.BlockWriters c -> ScaleDecisions.block(state, c);
        case ClusterCommand.ReleaseWriters c -> ScaleDecisions.release(state, c);
        case ClusterCommand.RecallWriters c -> ScaleDecisions.recall(state, c);
        case ClusterCommand.PauseFollow c -> FollowDecisions.pause(state, c);
        case ClusterCommand.ResumeFollow c -> FollowDecisions.resume(state, c);
        case ClusterCommand.Unfollow c -> FollowDecisions.unfollow(state, c);
        case ClusterCommand.Promote c -> FollowDecisions.promote(state, c, ids);
        case ClusterCommand.UpdateFollower c -> FollowerMetadata.update(state, c);
        case ClusterCommand.StopFollower c -> FollowDecisions.stop(state, c);
        case ClusterCommand.ReopenCopy c -> FollowerReopening.next(state, c, ids);
        case ClusterCommand.SkipOperation c -> FollowDecisions.skip(state, c);
        case ClusterCommand.ReviveShard c -> RevivalDecisions.revive(state, c, ids);
        case ClusterCommand.PutAutoFollow c -> AutoFollowDecisions.put(state, c);
        case ClusterCommand.DeleteAutoFollow c -> AutoFollowDecisions.delete(state, c);
        case ClusterCommand.ActivateAutoFollow c -> AutoFollowDecisions.activate(state, c);
        case ClusterCommand.HandleAutoFollow c -> AutoFollowDecisions.handle(state, c);
        case ClusterCommand.RenewLease c -> leases.renew(state, c.renewal());
        case ClusterCommand.EndLeases c -> leases.end(state, c);
        case ClusterCommand.LeaseOverLimit c -> leases.overLimit(state, c.news());
        case ClusterCommand.ReplaceFollower c ->
            creation.replace(state, FollowerReplacement.successor(state, c.news()), uuid);
        case ClusterCommand.EndReplacement c -> FollowerReplacement.end(state, c);
        case ClusterCommand.FailBack c ->
            creation.replace(state, FailbackDecisions.successor(state, c), uuid);
        case ClusterCommand.PutLegacyTemplate c -> TemplateDecisions.put(state, c);
        case ClusterCommand.PutIndexTemplate c -> TemplateDecisions.put(state, c);
        case ClusterCommand.PutComponentTemplate c -> TemplateDecisions.put(state, c);
        case ClusterCommand.DeleteTemplate c -> TemplateDecisions.delete(state, c);
        case ClusterCommand.PutMapping c -> MappingDecisions.put(state, c);
        case ClusterCommand.NewFields c -> MappingDecisions.newFields(state, c);
        case ClusterCommand.UpdateIndexSettings c -> IndexDecisions.updateSettings(state, c);
        case ClusterCommand.UpdateClusterSettings c -> updateSettings(state, c);
        case ClusterCommand.Reroute c -> reroute(state, c);
        case ClusterCommand.NewTerm c -> newTerm(state, c.call());
        case ClusterCommand.CopyStarted c -> started(state, c.news(), leases.timeMillis());
        case ClusterCommand.CopyFailed c -> failed(state, c.news(), ids);
        case ClusterCommand.RaiseFeatureLevel c ->
            FeatureLevelDecisions.raise(state, c, supported.get());
      };
    } catch (ApiException e) {
      return new Decision.Refused(e.error());
    }
  }

  private static Decision updateSettings(
      ClusterState state, ClusterCommand.UpdateClusterSettings request) {
    Map<String, @Nullable String> lasting =
        expanded(state.persistentSettings(), request.persistentChanges());
    Map<String, @Nullable String> passing =
        expanded(state.transientSettings(), request.transientChanges());
    Optional<ErrorBody> refused =
        refusal("persistent", state.persistentSettings(), lasting)
            .or(() -> refusal("transient", state.transientSettings(), passing));
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

  /** A stored setting can be removed even if this release no longer has it. */
  private static Optional<ErrorBody> refusal(
      String scope, Map<String, String> present, Map<String, @Nullable String> changes) {
    Map<String, @Nullable String> checked = new TreeMap<>(changes);
    checked
        .entrySet()
        .removeIf(change -> change.getValue() == null && present.containsKey(change.getKey()));
    return ClusterSettings.refusal(scope, checked);
  }

  /** {@code "a.*": null} removes all settings with that prefix. */
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

  private Decision reroute(ClusterState state, ClusterCommand.Reroute request) {
    List<ClusterEvent> events = new ArrayList<>();
    for (Reroute.Outcome outcome : new Reroute(ids).plan(state, request.steps())) {
      if (!outcome.done()) {
        return new Decision.Refused(outcome.error());
      }
      events.addAll(outcome.events());
    }
    return new Decision.Events(events);
  }

  private static Decision newTerm(ClusterState state, ClusterCalls.NewTerm request) {
    Optional<ShardRouting> shard = state.shard(request.shard());
    if (shard.isPresent() && shard.get().handOver().isPresent()) {
      return whileHandingOver(shard.get(), request);
    }
    if (shard.isEmpty() || shard.get().primaryTerm() != request.lastTerm()) {
      return Decision.nothing();
    }
    CopyRouting primary = shard.get().primary();
    return primary.copyId().equals(request.copyId()) && primary.isOn(request.nodeId())
        ? Decision.of(
            new ClusterEvent.PrimaryAssigned(
                request.shard(), request.copyId(), request.nodeId(), request.lastTerm() + 1))
        : Decision.nothing();
  }

  /** A failed target is cancelled; a request of the primary waits until the hand-over ends. */
  private static Decision whileHandingOver(ShardRouting shard, ClusterCalls.NewTerm request) {
    return shard
        .relocationTo(request.copyId())
        .filter(moving -> moving.handOverTerm() == request.lastTerm())
        .map(moving -> Decision.of(Reroute.cancelled(shard, moving, request.reason())))
        .orElseGet(Decision::nothing);
  }

  private static Decision started(
      ClusterState state, ClusterCalls.CopyStarted news, long timeMillis) {
    if (isOfFormerProcess(state, news.shard(), news.copyId(), news.incarnation())
        || Admissions.isMissing(state, news)) {
      return Decision.nothing();
    }
    ClusterEvent event = new ClusterEvent.CopyStarted(news.shard(), news.copyId(), news.term());
    boolean changes = !state.apply(event).shard(news.shard()).equals(state.shard(news.shard()));
    if (!changes) {
      return Decision.nothing();
    }
    Optional<ErrorBody> late = LateStarts.refusal(state, news);
    if (late.isPresent()) {
      return new Decision.Refused(late.get());
    }
    List<ClusterEvent> events = new ArrayList<>(ForkDecisions.forked(state, news, timeMillis));
    events.add(event);
    return new Decision.Events(events);
  }

  /**
   * Whether the report is from a former process of the node. It does not apply to the copy that the
   * present process opens.
   */
  private static boolean isOfFormerProcess(
      ClusterState state, ShardId shard, String copyId, String incarnation) {
    return state
        .shard(shard)
        .flatMap(s -> s.copy(copyId).or(() -> s.relocationTo(copyId).map(Relocation::target)))
        .map(CopyRouting::nodeId)
        .map(nodeId -> state.nodes().get(nodeId))
        .filter(node -> !node.incarnation().equals(incarnation))
        .isPresent();
  }

  private static Decision failed(
      ClusterState state, ClusterCalls.CopyFailed news, Supplier<String> ids) {
    Optional<ShardRouting> found = state.shard(news.shard());
    if (found.isEmpty()
        || isOfFormerProcess(state, news.shard(), news.copyId(), news.incarnation())) {
      return Decision.nothing();
    }
    ShardRouting shard = found.get();
    Optional<Relocation> arriving = shard.relocationTo(news.copyId());
    if (arriving.isPresent()) {
      return Decision.of(Reroute.cancelled(shard, arriving.get(), news.reason()));
    }
    boolean followed = shard.handOver().filter(r -> r.copyId().equals(news.copyId())).isPresent();
    return followed
        ? Decision.nothing()
        : shard
            .copy(news.copyId())
            .filter(copy -> copy.nodeId() != null)
            .<Decision>map(copy ->
                new Decision.Events(FailedCopies.events(state, shard, copy, news.reason(), ids)))
            .orElseGet(Decision::nothing);
  }
}
