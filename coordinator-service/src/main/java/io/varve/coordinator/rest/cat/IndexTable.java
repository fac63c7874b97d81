package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cluster.Health;
import io.varve.coordinator.rest.cluster.HeardNodes;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.rest.HumanText;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code _cat/indices}: one row for each index. */
final class IndexTable {

  private static final List<StatColumn> STATS =
      StatColumn.without(
          StatColumn.starting(
              "completion.",
              "fielddata.",
              "query_cache.",
              "request_cache.",
              "flush.",
              "get.",
              "indexing.",
              "merges.",
              "refresh.",
              "search.",
              "segments.",
              "warmer.",
              "suggest."),
          "query_cache.hit_count",
          "query_cache.miss_count",
          "search.search_idle_reactivate_count_total");

  /** Statistics of the memory that searches and writes use. */
  private static final List<String> MEMORY =
      List.of(
          "fielddata.memory_size_in_bytes",
          "query_cache.memory_size_in_bytes",
          "request_cache.memory_size_in_bytes",
          "segments.index_writer_memory_in_bytes",
          "segments.version_map_memory_in_bytes");

  /**
   * An index; its statistics are unknown while it is closed or none of its primaries answers.
   *
   * @param store the store statistics to show: of all copies or, on request, only of primaries
   */
  private record Row(
      IndexMetadata index,
      Health health,
      StatSections primaries,
      StatSections total,
      StatSections store) {

    boolean open() {
      return !index.closed();
    }
  }

  private final ClusterAccess cluster;
  private final CopyReader reader;

  IndexTable(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  Maker prepare(Question question) {
    Health.Status wanted = wanted(question.request().param("health"));
    boolean onlyPrimaries = question.request().flag("pri", false);
    question.request().flag("include_unloaded_segments", false);
    IndexOptions options = question.options(IndexOptions.SHOW_CLOSED);
    StatsRequest statsRequest = StatsRequest.everything();
    return () -> {
      ClusterState state = HeardNodes.state(cluster);
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      StatsReport report = StatsReport.read(cluster, state, indices, reader, statsRequest);
      List<Row> rows = new ArrayList<>();
      for (IndexMetadata index : indices) {
        Health health = Health.of(state, index);
        if (wanted == null || wanted == health.status()) {
          rows.add(row(index, health, report, onlyPrimaries));
        }
      }
      return columns().table(rows);
    };
  }

  private static Health.@Nullable Status wanted(@Nullable String name) {
    if (name == null) {
      return null;
    }
    return Arrays.stream(Health.Status.values())
        .filter(status -> status.word().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() ->
            new ApiException(
                ErrorBody.illegalArgument("unknown cluster health status [" + name + "]")));
  }

  private static Row row(
      IndexMetadata index, Health health, StatsReport report, boolean onlyPrimaries) {
    boolean known =
        !index.closed()
            && report.copies().stream()
                .anyMatch(c -> c.answer().primary() && c.indexName().equals(index.name()));
    if (!known) {
      return new Row(
          index, health, StatSections.UNKNOWN, StatSections.UNKNOWN, StatSections.UNKNOWN);
    }
    StatSections primaries =
        new StatSections(
            report.sum(c -> c.answer().primary() && c.indexName().equals(index.name())));
    StatSections total = new StatSections(report.sum(c -> c.indexName().equals(index.name())));
    return new Row(index, health, primaries, total, onlyPrimaries ? primaries : total);
  }

  private static Columns<Row> columns() {
    StatColumn store = size("store.size");
    Columns<Row> columns =
        new Columns<Row>()
            .text("health", "h", "current health status", row -> row.health().status().word())
            .text("status", "s", "open/close status", row -> row.open() ? "open" : "close")
            .text("index", "i,idx", "index name", row -> row.index().name())
            .text("uuid", "id,uuid", "index uuid", row -> row.index().uuid())
            .number(
                "pri",
                "p,shards.primary,shardsPrimary",
                "number of primary shards",
                row -> row.index().numberOfShards())
            .number(
                "rep",
                "r,shards.replica,shardsReplica",
                "number of replica shards",
                row -> row.index().numberOfReplicas())
            .number("docs.count", "dc,docsCount", "available docs", docs("count"))
            .number("docs.deleted", "dd,docsDeleted", "deleted docs", docs("deleted"))
            .hidden(
                "creation.date",
                "cd",
                "index creation date (millisecond value)",
                row -> row.index().createdMillis())
            .hidden(
                "creation.date.string",
                "cds",
                "index creation date (as string)",
                row -> HumanText.date(row.index().createdMillis()))
            .number(
                "store.size",
                "ss,storeSize",
                "store size of primaries & replicas",
                row -> row.store().value(store))
            .number(
                "pri.store.size",
                "",
                "store size of primaries",
                row -> row.primaries().value(store));
    for (StatColumn stat : STATS) {
      columns.hidden(
          stat.name(), stat.aliases(), stat.description(), row -> row.total().value(stat));
      StatColumn ofPrimaries = stat.ofPrimaries();
      columns.hidden(
          ofPrimaries.name(), "", ofPrimaries.description(), row -> row.primaries().value(stat));
    }
    return columns
        .hidden("memory.total", "tm,memoryTotal", "memory used", row -> memory(row.total()))
        .hidden("pri.memory.total", "", "memory used by primaries", row -> memory(row.primaries()))
        .hidden(
            "search.throttled", "sth", "indicates if the index is search throttled", row -> false);
  }

  private static StatColumn size(String name) {
    return new StatColumn(name, "", "", name + "_in_bytes", StatColumn.Kind.BYTES);
  }

  private static Function<Row, @Nullable Object> docs(String figure) {
    StatColumn column = new StatColumn("", "", "", "docs." + figure, StatColumn.Kind.COUNT);
    return row -> row.primaries().value(column);
  }

  private static CatTable.@Nullable Bytes memory(StatSections stats) {
    return stats.sections() == null
        ? null
        : new CatTable.Bytes(MEMORY.stream().mapToLong(stats::number).sum());
  }
}
