package io.varve.control.command;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettingRules;
import io.varve.cluster.IndexSettings;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides the three ways to create an index: a new one ({@code create}), one from segments in the
 * segment store ({@code restore}), or the next write index of an alias ({@code rollOver}, one event
 * for the index and the alias, so that no write misses both indices).
 *
 * <p>Pure functions of the state. {@code uuid} is a parameter because it names the topics, which
 * exist before the decision. A refusal has OpenSearch's type, text and status. Each way ends with
 * the same check: whether the aliases of the new index contradict those of other indices.
 */
public final class IndexCreation {

  private final NewIndex indices;

  public IndexCreation(NewIndex indices) {
    this.indices = indices;
  }

  Decision create(ClusterState state, ClusterCommand.CreateIndex request, String uuid) {
    IndexMetadata index = indices.make(state, request, uuid);
    IndexDecisions.refuse(ShardLimit.refusal(state, List.of(index)));
    ClusterEvent created = new ClusterEvent.IndexCreated(index);
    refuseContradictions(state.apply(created), index);
    return Decision.of(created);
  }

  /** An index that will replace another one. */
  Decision replace(ClusterState state, FollowerReplacement.Successor request, String uuid) {
    List<ClusterEvent> events = new ArrayList<>();
    ClusterState before = state;
    if (request.outdated() != null) {
      ClusterEvent deleted = new ClusterEvent.IndexDeleted(request.outdated().uuid());
      events.add(deleted);
      before = state.apply(deleted);
    }
    IndexMetadata index = indices.make(before, request.index(), uuid).withFollow(request.follow());
    IndexDecisions.refuse(ShardLimit.refusal(before, List.of(index)));
    events.add(new ClusterEvent.IndexCreated(index));
    return new Decision.Events(events);
  }

  Decision restore(ClusterState state, ClusterCommand.RestoreIndex request, String uuid) {
    IndexMetadata former = request.index();
    IndexDecisions.refuse(FollowerIndex.refusalToRestore(former));
    IndexDecisions.refuse(NewIndex.refusedName(state, former.name()));
    Map<String, String> settings = new TreeMap<>(former.settings());
    settings.put(IndexSettings.UUID, uuid);
    settings.remove(IndexBlocks.SEARCH_ONLY);
    IndexDecisions.refuse(IndexSettingRules.unknownToNodes(state.nodes().values(), settings));
    IndexDecisions.refuse(IndexDecisions.unsupported(state, settings));
    IndexMetadata index =
        new IndexMetadata(
            former.name(),
            uuid,
            former.createdMillis(),
            settings,
            former.settingsVersion(),
            former.mapping(),
            former.mappingVersion(),
            null,
            indices.unassignedShards(uuid, settings).stream()
                .map(shard -> shard.withTerm(request.shards().get(shard.shard().number()).term()))
                .toList(),
            IndexMetadata.Access.of(former.aliases()));
    IndexDecisions.refuse(ShardLimit.refusal(state, List.of(index)));
    refuseContradictions(state.apply(new ClusterEvent.IndexCreated(index)), index);
    return Decision.of(new ClusterEvent.IndexCreated(index));
  }

  Decision rollOver(ClusterState state, ClusterCommand.RollOver request, String uuid) {
    IndexMetadata from = IndexDecisions.named(state, List.of(request.from())).iterator().next();
    AliasMetadata former = from.aliases().get(request.alias());
    if (former == null || Boolean.FALSE.equals(former.writeIndex())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "rollover target [" + request.alias() + "] does not point to a write index"));
    }
    IndexDecisions.refuse(FollowerProtection.ofAliases(List.of(from)));
    IndexDecisions.refuse(IndexBlocks.refusal(from, IndexBlocks.Action.METADATA_WRITE));
    IndexMetadata to = indices.make(state, request.to(), uuid);
    IndexDecisions.refuse(ShardLimit.refusal(state, List.of(to)));
    if (to.aliases().containsKey(request.alias())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "Rollover alias ["
                  + request.alias()
                  + "] can point to multiple indices, found duplicated alias [["
                  + request.alias()
                  + "]] in the templates of index ["
                  + to.name()
                  + "]"));
    }
    // An alias with an explicit write index keeps its old indices; any other alias is moved to the
    // new index.
    Map<String, @Nullable AliasMetadata> old = new TreeMap<>();
    old.put(request.alias(), former.writesHere() ? former.withWriteIndex(false) : null);
    AliasMetadata next =
        new AliasMetadata(
            null, null, null, former.writesHere() ? Boolean.TRUE : null, former.hidden());
    ClusterEvent event =
        new ClusterEvent.IndexRolledOver(
            to,
            new ClusterEvent.AliasesChanged(
                Map.of(from.uuid(), old, uuid, Map.of(request.alias(), next)), List.of()));
    refuseContradictions(state.apply(event), to);
    return Decision.of(event);
  }

  private static void refuseContradictions(ClusterState changed, IndexMetadata index) {
    for (String alias : index.aliases().keySet()) {
      AliasDecisions.contradiction(changed, alias)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
  }
}
