package io.varve.coordinator.rest.cat;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Templates;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.alias.AliasPatterns;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cluster.Health;
import io.varve.coordinator.rest.cluster.HeardNodes;
import io.varve.coordinator.rest.search.Counter;
import io.varve.names.Wildcard;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Tables about the cluster as a whole. */
final class ClusterTables {

  private static final DateTimeFormatter TIME_OF_DAY =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ClusterAccess cluster;
  private final Counter counter;
  private final InstantSource clock;

  ClusterTables(ClusterAccess cluster, Counter counter, InstantSource clock) {
    this.cluster = cluster;
    this.counter = counter;
    this.clock = clock;
  }

  private <R> Columns<R> timed(boolean stamped) {
    Columns<R> columns = new Columns<>();
    if (stamped) {
      Instant now = clock.instant();
      columns
          .text("epoch", "t,time", "seconds since 1970-01-01 00:00:00", _ -> now.getEpochSecond())
          .text("timestamp", "ts,hms,hhmmss", "time in HH:MM:SS", _ -> TIME_OF_DAY.format(now));
    }
    return columns;
  }

  private record HealthRow(ClusterState state, Health health) {}

  Maker health(Question question) {
    boolean stamped = question.request().flag("ts", true);
    return () -> {
      ClusterState state = HeardNodes.state(cluster);
      HealthRow row = new HealthRow(state, Health.of(state, state.indices().values()));
      return this.<HealthRow>timed(stamped)
          .text("cluster", "cl", "cluster name", r -> r.state().clusterName())
          .text("status", "st", "health status", r -> r.health().status().word())
          .number(
              "node.total", "nt,nodeTotal", "total number of nodes", r -> r.state().nodes().size())
          .number(
              "node.data",
              "nd,nodeData",
              "number of nodes that can store data",
              r -> Health.dataNodes(r.state()).size())
          .text(
              "discovered_cluster_manager",
              "dcm",
              "cluster manager is discovered or not",
              r -> Health.hasLeader(r.state()))
          .number(
              "shards",
              "t,sh,shards.total,shardsTotal",
              "total number of shards",
              r -> r.health().active())
          .number(
              "pri",
              "p,shards.primary,shardsPrimary",
              "number of primary shards",
              r -> r.health().primaries())
          .number(
              "relo",
              "r,shards.relocating,shardsRelocating",
              "number of relocating nodes",
              r -> r.health().moving())
          .number(
              "init",
              "i,shards.initializing,shardsInitializing",
              "number of initializing nodes",
              r -> r.health().initializing())
          .number(
              "unassign",
              "u,shards.unassigned,shardsUnassigned",
              "number of unassigned shards",
              r -> r.health().unassigned())
          .number("pending_tasks", "pt,pendingTasks", "number of pending tasks", r -> 0)
          .number(
              "max_task_wait_time",
              "mtwt,maxTaskWaitTime",
              "wait time of longest task pending",
              r -> "-")
          .number(
              "active_shards_percent",
              "asp,activeShardsPercent",
              "active number of shards in percent",
              r -> String.format(Locale.ROOT, "%.1f%%", r.health().activePercent()))
          .table(List.of(row));
    };
  }

  Maker count(Question question) {
    IndexOptions options = question.options(IndexOptions.LENIENT);
    return () -> {
      long count =
          counter.count(IndexResolver.resolve(cluster.state(), question.expression(), options));
      return this.<Long>timed(true)
          .number("count", "dc,docs.count,docsCount", "the document count", c -> c)
          .table(List.of(count));
    };
  }

  /**
   * Always empty: when a change is answered, it is already in the log, so no change is ever
   * pending.
   */
  Maker pendingTasks(Question question) {
    return () ->
        new Columns<Void>()
            .number("insertOrder", "o", "task insertion order", _ -> null)
            .number("timeInQueue", "t", "how long task has been in queue", _ -> null)
            .text("priority", "p", "task priority", _ -> null)
            .text("source", "s", "task source", _ -> null)
            .table(List.of());
  }

  private record AliasRow(String alias, String index, AliasMetadata metadata) {}

  Maker aliases(Question question) {
    List<String> names = question.request().list("name");
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    boolean hiddenToo = !question.request().has("expand_wildcards") || question.asksForHidden();
    return () -> {
      AliasPatterns wanted = new AliasPatterns(names);
      List<AliasRow> rows = new ArrayList<>();
      for (IndexMetadata index : IndexResolver.resolve(cluster.state(), null, options)) {
        index
            .aliases()
            .forEach((alias, metadata) -> {
              boolean named = names.contains(alias);
              if (wanted.include(alias) && (named || hiddenToo || !metadata.leftOut())) {
                rows.add(new AliasRow(alias, index.name(), metadata));
              }
            });
      }
      rows.sort(Comparator.comparing(AliasRow::alias).thenComparing(AliasRow::index));
      return new Columns<AliasRow>()
          .text("alias", "a", "alias name", AliasRow::alias)
          .text("index", "i,idx", "index alias points to", AliasRow::index)
          .text("filter", "f,fi", "filter", r -> r.metadata().filter() == null ? "-" : "*")
          .text(
              "routing.index",
              "ri,routingIndex",
              "index routing",
              r -> or(r.metadata().indexRouting()))
          .text(
              "routing.search",
              "rs,routingSearch",
              "search routing",
              r -> or(r.metadata().searchRouting()))
          .text(
              "is_write_index", "w,isWriteIndex", "write index", r -> or(r.metadata().writeIndex()))
          .table(rows);
    };
  }

  /**
   * A template of either kind.
   *
   * @param composedOf the component templates; null for a legacy template, which has none
   */
  private record TemplateRow(
      String name,
      List<String> patterns,
      long order,
      @Nullable Object version,
      @Nullable List<String> composedOf) {}

  Maker templates(Question question) {
    String name = question.request().param("name");
    return () -> {
      List<TemplateRow> rows = new ArrayList<>();
      Templates templates = cluster.state().templates();
      templates
          .legacy()
          .forEach((key, template) ->
              rows.add(
                  new TemplateRow(
                      key, template.patterns(), template.order(), template.version(), null)));
      templates
          .composable()
          .forEach((key, template) ->
              rows.add(
                  new TemplateRow(
                      key,
                      template.patterns(),
                      template.priorityOrZero(),
                      template.version(),
                      template.composedOf())));
      rows.removeIf(row -> name != null && !Wildcard.matches(name, row.name()));
      rows.sort(Comparator.comparing(TemplateRow::name));
      return new Columns<TemplateRow>()
          .text("name", "n", "template name", TemplateRow::name)
          .text("index_patterns", "t", "template index patterns", TemplateRow::patterns)
          .text("order", "o,p", "template application order/priority number", TemplateRow::order)
          .text("version", "v", "version", TemplateRow::version)
          .text(
              "composed_of",
              "c",
              "component templates comprising index template",
              row -> row.composedOf() == null ? "" : row.composedOf())
          .table(rows);
    };
  }

  private static Object or(@Nullable Object value) {
    return value == null ? "-" : value;
  }

  /** Always empty: the segment store replaces snapshot repositories. */
  Maker repositories(Question question) {
    return () ->
        new Columns<Void>()
            .text("id", "id,repoId", "unique repository id", _ -> null)
            .text("type", "t,type", "repository type", _ -> null)
            .table(List.of());
  }

  Maker snapshots(Question question) {
    question.request().list("repository");
    question.request().flag("ignore_unavailable", false);
    return () -> {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "there are no snapshot repositories: the segment store keeps the segments of"
                  + " remote-backed indices"));
    };
  }
}
