package io.varve.control.command;

import io.varve.cluster.AliasNames;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexNames;
import io.varve.cluster.IndexSettingRules;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Templates;
import io.varve.events.Feature;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.IndexSort;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingErrors;
import io.varve.search.mapping.MappingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a request into the metadata of a new index: templates, overridden by the request,
 * defaults, and values that the cluster assigns.
 *
 * <pre>
 *   settings = templates, then the request, then what is missing:
 *              one shard, one replica, the cluster's kind of replication,
 *              the segment store (if copies are copied as segments and all data nodes share one),
 *              then uuid, time, name and version, which a request can't set
 * </pre>
 *
 * Everything is resolved here, once: the event contains the index, so later changes of templates,
 * defaults or nodes do not affect it. Its copies have ids and are unassigned.
 */
public final class NewIndex {

  /** The value of {@code index.version.created}: a version of OpenSearch. */
  private static final String VERSION_CREATED = "137227827";

  private final Supplier<String> ids;
  private final LongSupplier wallClockMillis;

  public NewIndex(Supplier<String> ids, LongSupplier wallClockMillis) {
    this.ids = ids;
    this.wallClockMillis = wallClockMillis;
  }

  /** Throws an {@link ApiException} if the index is invalid. */
  IndexMetadata make(ClusterState state, ClusterCommand.CreateIndex request, String uuid) {
    Map<String, @Nullable String> asked = IndexSettings.normalize(request.settings());
    IndexDecisions.refuse(
        refusedName(state, request.name()).or(() -> IndexSettings.refusalAtCreation(asked)));
    Templates.Content content = content(state, request, asked);
    IndexDecisions.refuse(refusedAlias(state, request.name(), content.aliasesOrNone().keySet()));
    Map<String, String> settings = resolved(state, request, content, asked, uuid);
    IndexDecisions.refuse(IndexSettingRules.contradiction(settings));
    IndexDecisions.refuse(IndexSettingRules.unknownToNodes(state.nodes().values(), settings));
    IndexDecisions.refuse(IndexDecisions.unsupported(state, settings));
    IndexDecisions.refuse(restricted(state, settings));
    if (IndexSettings.isRemoteBacked(settings) && !hasStore(state)) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[index.remote_store.enabled] needs a segment store that all data nodes share, and"
                  + " there is none"));
    }
    return switch (newMapping(settings, content.mappingOrNone())) {
      case Mapping.Merge.Refused(var error) -> throw new ApiException(error);
      case Mapping.Merge.Merged merged ->
          new IndexMetadata(
              request.name(),
              uuid,
              Long.parseLong(settings.get(IndexSettings.CREATION_DATE)),
              settings,
              1,
              merged.mapping().toJson(),
              1,
              follow(state, request.follow()),
              newShards(state, uuid, settings),
              IndexMetadata.Access.of(content.aliasesOrNone()));
    };
  }

  /**
   * The content from templates and the request. A following index is created like its leader index.
   */
  private static Templates.Content content(
      ClusterState state, ClusterCommand.CreateIndex request, Map<String, @Nullable String> asked) {
    Templates.Content requested = new Templates.Content(null, request.mapping(), request.aliases());
    return request.follow() != null
        ? requested
        : new TemplateComposer(state.templates())
            .contentFor(
                request.name(), Boolean.parseBoolean(asked.get(IndexSettings.HIDDEN)), requested);
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

  private Map<String, String> resolved(
      ClusterState state,
      ClusterCommand.CreateIndex request,
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
    if (hasStore(state)
        && IndexMetadata.SEGMENT.equals(settings.get(IndexSettings.REPLICATION_TYPE))) {
      settings.putIfAbsent(IndexSettings.REMOTE_STORE, "true");
    }
    settings.put(IndexSettings.UUID, uuid);
    settings.put(IndexSettings.CREATION_DATE, Long.toString(wallClockMillis.getAsLong()));
    settings.put(
        IndexSettings.PROVIDED_NAME,
        Objects.requireNonNullElse(request.providedName(), request.name()));
    settings.put(IndexSettings.VERSION_CREATED, VERSION_CREATED);
    return settings;
  }

  private static Optional<ErrorBody> restricted(ClusterState state, Map<String, String> settings) {
    boolean restricts =
        Boolean.parseBoolean(ClusterSettings.value(state, ClusterSettings.RESTRICT_REPLICATION));
    String allowed = ClusterSettings.value(state, ClusterSettings.REPLICATION_STRATEGY);
    return !restricts || settings.get(IndexSettings.REPLICATION_TYPE).equals(allowed)
        ? Optional.empty()
        : Optional.of(
            ErrorBody.of(
                400,
                "validation_exception",
                "Validation Failed: 1: index setting [index.replication.type] is not allowed to be"
                    + " set as [cluster.index.restrict.replication.type=true];"));
  }

  /** Whether all nodes that may hold its copies share one segment store. */
  private static boolean hasStore(ClusterState state) {
    Set<String> stores =
        state.nodes().values().stream()
            .filter(node -> node.has(NodeInfo.PRIMARY) || node.has(NodeInfo.REPLICA))
            .map(node -> node.attributes().getOrDefault(NodeInfo.STORE_ATTRIBUTE, ""))
            .collect(Collectors.toSet());
    return stores.size() == 1 && !stores.contains("");
  }

  private static @Nullable FollowRelation follow(
      ClusterState state, ClusterCommand.@Nullable Follow request) {
    return request == null
        ? null
        : new FollowRelation(
            request.remoteCluster(),
            request.leaderIndex(),
            request.leaderUuid(),
            null,
            0,
            request.parameters(),
            false,
            state.has(Feature.AUTO_FOLLOW) ? request.origins() : null);
  }

  private List<ShardRouting> newShards(
      ClusterState state, String uuid, Map<String, String> settings) {
    List<ShardRouting> shards = unassignedShards(uuid, settings);
    return state.has(Feature.NEVER_STARTED)
        ? shards.stream().map(ShardRouting::asNeverStarted).toList()
        : shards;
  }

  /** The copies of each shard that the settings require, all unassigned. */
  List<ShardRouting> unassignedShards(String uuid, Map<String, String> settings) {
    int shards = Integer.parseInt(settings.get(IndexSettings.NUMBER_OF_SHARDS));
    int replicas = Integer.parseInt(settings.get(IndexSettings.NUMBER_OF_REPLICAS));
    List<ShardRouting> routing = new ArrayList<>();
    for (int number = 0; number < shards; number++) {
      List<CopyRouting> copies = new ArrayList<>();
      for (int copy = 0; copy <= replicas; copy++) {
        copies.add(CopyRouting.unassigned(ids.get(), copy == 0, "INDEX_CREATED"));
      }
      for (int copy = 0; copy < IndexSettings.searchReplicas(settings); copy++) {
        copies.add(CopyRouting.unassignedForSearch(ids.get(), "INDEX_CREATED"));
      }
      routing.add(new ShardRouting(new ShardId(uuid, number), 0, copies));
    }
    return routing;
  }

  /**
   * The reason for which no index can be created with that name, if any: it is invalid or in use.
   */
  static Optional<ErrorBody> refusedName(ClusterState state, String name) {
    return IndexNames.refusal(name).or(() -> exists(state, name)).or(() -> isAlias(state, name));
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

  private static Optional<ErrorBody> isAlias(ClusterState state, String name) {
    return AliasNames.isAlias(state, name)
        ? Optional.of(
            ErrorBody.of(
                    400,
                    "invalid_index_name_exception",
                    "Invalid index name [" + name + "], already exists as alias")
                .with("index", name)
                .with("index_uuid", "_na_"))
        : Optional.empty();
  }
}
