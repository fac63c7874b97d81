package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Time;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsRequest;
import io.varve.events.CopyProgress;
import io.varve.rest.HumanText;
import io.varve.rpc.CopyStats;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/shards}: one row for each copy of each shard, including unassigned ones, for which it
 * shows the reason and time instead of statistics.
 */
final class ShardTable {

  private static final List<StatColumn> FIRST_STATS =
      StatColumn.without(
          StatColumn.starting(
              "completion.",
              "fielddata.",
              "query_cache.",
              "flush.",
              "get.",
              "indexing.",
              "merges.",
              "refresh.",
              "search.",
              "segments."),
          "query_cache.hit_count",
          "query_cache.miss_count");

  private final ClusterAccess cluster;
  private final CopyReader reader;
  private final UnassignedTimes times;
  private final InstantSource clock;

  ShardTable(ClusterAccess cluster, CopyReader reader, UnassignedTimes times, InstantSource clock) {
    this.cluster = cluster;
    this.reader = reader;
    this.times = times;
    this.clock = clock;
  }

  Maker prepare(Question question) {
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      StatsReport report =
          StatsReport.read(cluster, state, indices, reader, StatsRequest.everything());
      Map<String, StatsReport.Copy> reported = new HashMap<>();
      report.copies().forEach(copy -> reported.put(copy.answer().copy().copy().copyId(), copy));
      List<ShardRow> rows = new ArrayList<>();
      for (IndexMetadata index : indices) {
        for (ShardRouting shard : index.shards()) {
          for (CopyRouting copy : shard.copies()) {
            NodeInfo node = copy.nodeId() == null ? null : state.nodes().get(copy.nodeId());
            StatsReport.Copy own = node == null ? null : reported.get(copy.copyId());
            long checkpoint = own == null ? -1 : report.globalCheckpoint(own);
            String failure =
                cluster.progress(copy.copyId()).map(CopyProgress::failure).orElse(null);
            rows.add(new ShardRow(index, shard, copy, node, own, checkpoint, failure));
          }
        }
      }
      return columns().table(rows);
    };
  }

  private Columns<ShardRow> columns() {
    Columns<ShardRow> columns =
        new Columns<ShardRow>()
            .text("index", "i,idx", "index name", row -> row.index().name())
            .text("shard", "s,sh", "shard name", row -> row.shard().shard().number())
            .text("prirep", "p,pr,primaryOrReplica", "primary or replica", ShardRow::kind)
            .text("state", "st", "shard state", ShardRow::state)
            .number("docs", "d,dc", "number of docs in shard", stat("docs.count"))
            .number(
                "store",
                "sto",
                "store size of shard (how much disk it uses)",
                bytes("store.size_in_bytes"))
            .text("ip", "", "ip of node where it lives", node(NodeFilter::host))
            .hiddenText("id", "", "unique id of node where it lives", node(NodeInfo::nodeId))
            .text("node", "n", "name of node where it lives", row -> row.place(cluster.state()))
            .hiddenText("sync_id", "sync_id", "sync id", row -> null);
    addUnassigned(columns);
    return columns
        .stats(FIRST_STATS, ShardRow::stats)
        .hidden("seq_no.max", "sqm,maxSeqNo", "max sequence number", seqNo(s -> s.max()))
        .hidden(
            "seq_no.local_checkpoint",
            "sql,localCheckpoint",
            "local checkpoint",
            seqNo(s -> s.localCheckpoint()))
        .hidden(
            "seq_no.global_checkpoint",
            "sqg,globalCheckpoint",
            "global checkpoint",
            row -> row.reported() == null ? null : row.globalCheckpoint())
        .stats(StatColumn.starting("warmer."), ShardRow::stats)
        .hiddenText(
            "path.data", "pd,dataPath", "shard data path", reported(s -> s.stats().dataPath()))
        .hiddenText(
            "path.state", "ps,statsPath", "shard state path", reported(s -> s.stats().dataPath()))
        .hidden("docs.deleted", "dd,docsDeleted", "number of deleted docs", stat("docs.deleted"));
  }

  private @Nullable Object since(ShardRow row, LongFunction<Object> shown) {
    OptionalLong since =
        row.node() == null ? times.since(row.copy().copyId()) : OptionalLong.empty();
    return since.isPresent() ? shown.apply(since.getAsLong()) : null;
  }

  private void addUnassigned(Columns<ShardRow> columns) {
    columns
        .hiddenText(
            "unassigned.reason", "ur", "reason shard is unassigned", ShardRow::unassignedReason)
        .hiddenText(
            "unassigned.at",
            "ua",
            "time shard became unassigned (UTC)",
            row -> since(row, HumanText::date))
        .hidden(
            "unassigned.for",
            "uf",
            "time has been unassigned",
            row -> since(row, at -> new Time(Duration.ofMillis(Math.max(0, clock.millis() - at)))))
        .hiddenText(
            "unassigned.details",
            "ud",
            "additional details as to why the shard became unassigned",
            ShardRow::unassignedDetails)
        .hiddenText(
            "recoverysource.type",
            "rs",
            "recovery source type",
            row ->
                row.state().equals("STARTED")
                    ? null
                    : row.copy().primary() ? "existing_store" : "peer");
  }

  private static Function<ShardRow, @Nullable Object> stat(String path) {
    StatColumn column = new StatColumn("", "", "", path, StatColumn.Kind.COUNT);
    return row -> row.stats().value(column);
  }

  private static Function<ShardRow, @Nullable Object> bytes(String path) {
    StatColumn column = new StatColumn("", "", "", path, StatColumn.Kind.BYTES);
    return row -> row.stats().value(column);
  }

  private static Function<ShardRow, @Nullable Object> node(Function<NodeInfo, Object> value) {
    return row -> row.node() == null ? null : value.apply(row.node());
  }

  private static Function<ShardRow, @Nullable Object> reported(
      Function<StatsReport.Copy, Object> value) {
    return row -> row.reported() == null ? null : value.apply(row.reported());
  }

  private static Function<ShardRow, @Nullable Object> seqNo(
      Function<CopyStats.SeqNos, Object> value) {
    return reported(copy -> value.apply(copy.stats().seqNos()));
  }
}
