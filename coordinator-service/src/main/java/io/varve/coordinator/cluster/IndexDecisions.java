package io.varve.coordinator.cluster;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexBlocks;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexNames;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Templates;
import io.varve.coordinator.rest.DocumentTargets;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.IndexSort;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingErrors;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What wishes about indices come to: pure functions of the state. A refusal is OpenSearch's in
 * type, words and status.
 */
final class IndexDecisions {

  /** The version that indices are shown to be created with: that of the dialect. */
  private static final String VERSION_CREATED = "137227827";

  private final Supplier<String> ids;
  private final LongSupplier wallClockMillis;

  IndexDecisions(Supplier<String> ids, LongSupplier wallClockMillis) {
    this.ids = ids;
    this.wallClockMillis = wallClockMillis;
  }

  /** {@code uuid} names the topics, which exist by now. */
  Decision create(ClusterState state, ClusterCommand.CreateIndex wish, String uuid) {
    IndexMetadata index = newIndex(state, wish, uuid);
    ClusterEvent created = new ClusterEvent.IndexCreated(index);
    refuseContradictions(state.apply(created), index);
    return Decision.of(created);
  }

  Decision rollOver(ClusterState state, ClusterCommand.RollOver wish, String uuid) {
    IndexMetadata from = named(state, List.of(wish.from())).iterator().next();
    AliasMetadata former = from.aliases().get(wish.alias());
    if (former == null || Boolean.FALSE.equals(former.writeIndex())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "rollover target [" + wish.alias() + "] does not point to a write index"));
    }
    refuse(IndexBlocks.refusal(from, IndexBlocks.Action.METADATA_WRITE));
    IndexMetadata to = newIndex(state, wish.to(), uuid);
    if (to.aliases().containsKey(wish.alias())) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "Rollover alias ["
                  + wish.alias()
                  + "] can point to multiple indices, found duplicated alias [["
                  + wish.alias()
                  + "]] in the templates of index ["
                  + to.name()
                  + "]"));
    }
    // An alias that was told where to write keeps its old indices, another one moves on.
    Map<String, @Nullable AliasMetadata> old = new TreeMap<>();
    old.put(wish.alias(), former.writesHere() ? former.withWriteIndex(false) : null);
    AliasMetadata next =
        new AliasMetadata(
            null, null, null, former.writesHere() ? Boolean.TRUE : null, former.hidden());
    ClusterEvent event =
        new ClusterEvent.IndexRolledOver(
            to,
            new ClusterEvent.AliasesChanged(
                Map.of(from.uuid(), old, uuid, Map.of(wish.alias(), next)), List.of()));
    refuseContradictions(state.apply(event), to);
    return Decision.of(event);
  }

  static void refuseContradictions(ClusterState changed, IndexMetadata index) {
    for (String alias : index.aliases().keySet()) {
      AliasDecisions.contradiction(changed, alias)
          .ifPresent(error -> {
            throw new ApiException(error);
          });
    }
  }

  /** Throws an {@link ApiException} when there can't be such an index. */
  IndexMetadata newIndex(ClusterState state, ClusterCommand.CreateIndex wish, String uuid) {
    Map<String, @Nullable String> asked = IndexSettings.normalize(wish.settings());
    refuse(
        IndexNames.refusal(wish.name())
            .or(() -> exists(state, wish.name()))
            .or(() -> isAlias(state, wish.name()))
            .or(() -> IndexSettings.refusalAtCreation(asked)));
    Templates.Content content = content(state, wish, asked);
    refuse(refusedAlias(state, wish.name(), content.aliasesOrNone().keySet()));
    Map<String, String> settings = resolved(state, wish, content, asked, uuid);
    refuse(IndexSettings.contradiction(settings));
    return switch (newMapping(settings, content.mappingOrNone())) {
      case Mapping.Merge.Refused(var error) -> throw new ApiException(error);
      case Mapping.Merge.Merged merged ->
          new IndexMetadata(
              wish.name(),
              uuid,
              Long.parseLong(settings.get(IndexSettings.CREATION_DATE)),
              settings,
              1,
              merged.mapping().toJson(),
              1,
              follow(wish.follow()),
              unassignedShards(uuid, settings),
              IndexMetadata.Access.of(content.aliasesOrNone()));
    };
  }

  /** What templates and the request say. An index that follows another is made after that one. */
  private static Templates.Content content(
      ClusterState state, ClusterCommand.CreateIndex wish, Map<String, @Nullable String> asked) {
    Templates.Content request = new Templates.Content(null, wish.mapping(), wish.aliases());
    return wish.follow() != null
        ? request
        : new TemplateComposer(state.templates())
            .contentFor(
                wish.name(), Boolean.parseBoolean(asked.get(IndexSettings.HIDDEN)), request);
  }

  private static void refuse(Optional<ErrorBody> refused) {
    refused.ifPresent(error -> {
      throw new ApiException(error);
    });
  }

  private static Optional<ErrorBody> isAlias(ClusterState state, String name) {
    return DocumentTargets.isAlias(state, name)
        ? Optional.of(
            ErrorBody.of(
                    400,
                    "invalid_index_name_exception",
                    "Invalid index name [" + name + "], already exists as alias")
                .with("index", name)
                .with("index_uuid", "_na_"))
        : Optional.empty();
  }

  private static Optional<ErrorBody> refusedAlias(
      ClusterState state, String index, Set<String> aliases) {
    for (String alias : aliases) {
      Optional<ErrorBody> refused = AliasNames.refusal(state, alias);
      if (refused.isEmpty() && alias.equals(index)) {
        refused = Optional.of(AliasNames.isIndex(alias, "_na_"));
      }
      if (refused.isPresent()) {
        return refused;
      }
    }
    return Optional.empty();
  }

  private static Mapping.Merge newMapping(Map<String, String> settings, String json) {
    MappingRules rules = MappingRules.of(settings);
    try {
      var _ = Mapping.parse(json, rules);
    } catch (ApiException e) {
      return new Mapping.Merge.Refused(MappingErrors.inNewIndex(e.error()));
    }
    Mapping.Merge merge = Mapping.create(json, rules);
    if (merge instanceof Mapping.Merge.Merged(var mapping, _)) {
      IndexSort.of(settings).check(mapping);
    }
    return merge;
  }

  private static Optional<ErrorBody> exists(ClusterState state, String name) {
    return Optional.ofNullable(state.indices().get(name))
        .map(index ->
            ErrorBody.of(
                    400,
                    "resource_already_exists_exception",
                    "index [" + index.name() + "/" + index.uuid() + "] already exists")
                .with("index", index.name())
                .with("index_uuid", index.uuid()));
  }

  private Map<String, String> resolved(
      ClusterState state,
      ClusterCommand.CreateIndex wish,
      Templates.Content content,
      Map<String, @Nullable String> asked,
      String uuid) {
    Map<String, String> settings = new TreeMap<>(content.settingsOrNone());
    asked.forEach((key, value) -> {
      if (value == null) {
        settings.remove(key);
      } else {
        settings.put(key, value);
      }
    });
    settings.putIfAbsent(IndexSettings.NUMBER_OF_SHARDS, "1");
    settings.putIfAbsent(IndexSettings.NUMBER_OF_REPLICAS, "1");
    settings.putIfAbsent(
        IndexSettings.REPLICATION_TYPE,
        Objects.requireNonNull(ClusterSettings.value(state, ClusterSettings.REPLICATION_STRATEGY)));
    settings.put(IndexSettings.UUID, uuid);
    settings.put(IndexSettings.CREATION_DATE, Long.toString(wallClockMillis.getAsLong()));
    settings.put(
        IndexSettings.PROVIDED_NAME, Objects.requireNonNullElse(wish.providedName(), wish.name()));
    settings.put(IndexSettings.VERSION_CREATED, VERSION_CREATED);
    return settings;
  }

  private static IndexMetadata.@Nullable Follow follow(ClusterCommand.@Nullable Follow wish) {
    return wish == null
        ? null
        : new IndexMetadata.Follow(
            wish.remoteCluster(), wish.leaderIndex(), wish.leaderUuid(), null, 0);
  }

  private List<ShardRouting> unassignedShards(String uuid, Map<String, String> settings) {
    int shards = Integer.parseInt(settings.get(IndexSettings.NUMBER_OF_SHARDS));
    int replicas = Integer.parseInt(settings.get(IndexSettings.NUMBER_OF_REPLICAS));
    List<ShardRouting> routing = new ArrayList<>();
    for (int number = 0; number < shards; number++) {
      List<CopyRouting> copies = new ArrayList<>();
      for (int copy = 0; copy <= replicas; copy++) {
        copies.add(CopyRouting.unassigned(ids.get(), copy == 0, "INDEX_CREATED"));
      }
      routing.add(new ShardRouting(new ShardId(uuid, number), 0, copies));
    }
    return routing;
  }

  Decision delete(ClusterState state, ClusterCommand.DeleteIndices wish) {
    Set<IndexMetadata> indices = named(state, wish.names());
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

  Decision close(ClusterState state, ClusterCommand.CloseIndices wish) {
    return each(
        named(state, wish.names()).stream().filter(index -> !index.closed()).toList(),
        index -> new ClusterEvent.IndexClosed(index.uuid()));
  }

  Decision open(ClusterState state, ClusterCommand.OpenIndices wish) {
    return each(
        named(state, wish.names()).stream().filter(IndexMetadata::closed).toList(),
        index -> new ClusterEvent.IndexOpened(index.uuid()));
  }

  private static Decision each(
      List<IndexMetadata> indices, Function<IndexMetadata, ClusterEvent> change) {
    for (IndexMetadata index : indices) {
      refuse(IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE));
    }
    return new Decision.Events(indices.stream().map(change).toList());
  }

  Decision putMapping(ClusterState state, ClusterCommand.PutMapping wish) {
    List<ClusterEvent> events = new ArrayList<>();
    for (IndexMetadata index : named(state, wish.indices())) {
      Optional<ErrorBody> refused =
          IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE)
              .or(() -> merge(index, wish.mapping(), events));
      if (refused.isPresent()) {
        return new Decision.Refused(refused.get());
      }
    }
    return new Decision.Events(events);
  }

  Decision newFields(ClusterState state, ClusterCommand.NewFields wish) {
    Optional<IndexMetadata> index = state.index(wish.wish().indexUuid());
    if (index.isEmpty()) {
      return new Decision.Refused(missing(wish.wish().indexUuid()));
    }
    List<ClusterEvent> events = new ArrayList<>();
    return merge(index.get(), wish.wish().properties(), events)
        .<Decision>map(Decision.Refused::new)
        .orElse(new Decision.Events(events));
  }

  private static Optional<ErrorBody> merge(
      IndexMetadata index, String json, List<ClusterEvent> events) {
    MappingRules rules = MappingRules.of(index.settings());
    return switch (Mapping.parse(index.mapping(), rules).merge(json)) {
      case Mapping.Merge.Refused(var error) -> Optional.of(error);
      case Mapping.Merge.Merged(var mapping, var changed) -> {
        IndexSort.of(index.settings()).check(mapping);
        if (changed) {
          events.add(
              new ClusterEvent.MappingChanged(
                  index.uuid(), index.mappingVersion() + 1, mapping.toJson()));
        }
        yield Optional.empty();
      }
    };
  }

  Decision updateSettings(ClusterState state, ClusterCommand.UpdateIndexSettings wish) {
    Map<String, @Nullable String> asked = IndexSettings.normalize(wish.changes());
    List<ClusterEvent> events = new ArrayList<>();
    for (IndexMetadata index : named(state, wish.indices())) {
      Optional<ErrorBody> refused = IndexSettings.refusalOfChange(index, asked);
      if (refused.isEmpty() && !liftsBlock(asked)) {
        refused = IndexBlocks.refusal(index, IndexBlocks.Action.METADATA_WRITE);
      }
      if (refused.isPresent()) {
        return new Decision.Refused(refused.get());
      }
      change(index, asked, wish.preserveExisting(), events);
    }
    return new Decision.Events(events);
  }

  /** A blocked index takes changes of its blocks, or it would stay blocked for ever. */
  private static boolean liftsBlock(Map<String, @Nullable String> asked) {
    return asked.keySet().stream().allMatch(name -> name.startsWith("index.blocks."));
  }

  /** The copies follow by themselves: the reconciler makes them as many as the setting says. */
  private static void change(
      IndexMetadata index,
      Map<String, @Nullable String> asked,
      boolean preserveExisting,
      List<ClusterEvent> events) {
    Map<String, @Nullable String> changes = new TreeMap<>();
    asked.forEach((name, value) -> {
      // Number of replicas is always written out: what is shown is what is so.
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

  /** By name or by uuid; a uuid is meant when something else may have got the name meanwhile. */
  static Set<IndexMetadata> named(ClusterState state, List<String> names) {
    Set<IndexMetadata> indices = new LinkedHashSet<>();
    for (String name : names) {
      Optional<IndexMetadata> byName = Optional.ofNullable(state.indices().get(name));
      indices.add(
          byName.or(() -> state.index(name)).orElseThrow(() -> new ApiException(missing(name))));
    }
    return indices;
  }

  static ErrorBody missing(String name) {
    return ErrorBody.of(404, "index_not_found_exception", "no such index [" + name + "]")
        .with("index", name)
        .with("index_uuid", "_na_")
        .with("resource.type", "index_or_alias")
        .with("resource.id", name);
  }
}
