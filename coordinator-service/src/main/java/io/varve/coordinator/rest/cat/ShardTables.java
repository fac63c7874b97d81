package io.varve.coordinator.rest.cat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.HumanText;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.cat.CatTable.Time;
import io.varve.coordinator.rest.cluster.NodeFilter;
import io.varve.coordinator.rest.cluster.UnassignedTimes;
import io.varve.coordinator.rest.index.RecoveryFigures;
import io.varve.coordinator.rest.index.StatsReport;
import io.varve.coordinator.rest.index.StatsWish;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The tables of copies: where they are, their segments, how they came to be. */
final class ShardTables {

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

  ShardTables(
      ClusterAccess cluster, CopyReader reader, UnassignedTimes times, InstantSource clock) {
    this.cluster = cluster;
    this.reader = reader;
    this.times = times;
    this.clock = clock;
  }

  /** A copy; {@code node} is null while it has none that is a member. */
  private record Row(
      IndexMetadata index,
      ShardRouting shard,
      CopyRouting copy,
      @Nullable NodeInfo node,
      StatsReport.@Nullable Copy said,
      long globalCheckpoint) {

    Figures figures() {
      return said == null ? Figures.UNKNOWN : new Figures(said.sections());
    }

    String state() {
      return node == null ? "UNASSIGNED" : copy.state().name();
    }
  }

  Maker shards(Question question) {
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      StatsReport report =
          StatsReport.read(cluster, state, indices, reader, StatsWish.everything());
      Map<String, StatsReport.Copy> said = new HashMap<>();
      report.copies().forEach(copy -> said.put(copy.answer().copy().copy().copyId(), copy));
      List<Row> rows = new ArrayList<>();
      for (IndexMetadata index : indices) {
        for (ShardRouting shard : index.shards()) {
          for (CopyRouting copy : shard.copies()) {
            NodeInfo node = copy.nodeId() == null ? null : state.nodes().get(copy.nodeId());
            StatsReport.Copy own = node == null ? null : said.get(copy.copyId());
            long checkpoint = own == null ? -1 : report.globalCheckpoint(own);
            rows.add(new Row(index, shard, copy, node, own, checkpoint));
          }
        }
      }
      return shardColumns().table(rows);
    };
  }

  private Columns<Row> shardColumns() {
    Columns<Row> columns =
        new Columns<Row>()
            .text("index", "i,idx", "index name", row -> row.index().name())
            .text("shard", "s,sh", "shard name", row -> row.shard().shard().number())
            .text(
                "prirep",
                "p,pr,primaryOrReplica",
                "primary or replica",
                row -> row.copy().primary() ? "p" : "r")
            .text("state", "st", "shard state", Row::state)
            .number("docs", "d,dc", "number of docs in shard", stat("docs.count"))
            .number(
                "store",
                "sto",
                "store size of shard (how much disk it uses)",
                bytes("store.size_in_bytes"))
            .text("ip", "", "ip of node where it lives", node(NodeFilter::host))
            .hiddenText("id", "", "unique id of node where it lives", node(NodeInfo::nodeId))
            .text("node", "n", "name of node where it lives", node(NodeInfo::name))
            .hiddenText("sync_id", "sync_id", "sync id", row -> null);
    addUnassigned(columns);
    return columns
        .stats(FIRST_STATS, Row::figures)
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
            row -> row.said() == null ? null : row.globalCheckpoint())
        .stats(StatColumn.starting("warmer."), Row::figures)
        .hiddenText("path.data", "pd,dataPath", "shard data path", said(s -> s.stats().dataPath()))
        .hiddenText(
            "path.state", "ps,statsPath", "shard state path", said(s -> s.stats().dataPath()))
        .hidden("docs.deleted", "dd,docsDeleted", "number of deleted docs", stat("docs.deleted"));
  }

  private @Nullable Object since(Row row, LongFunction<Object> shown) {
    OptionalLong since =
        row.node() == null ? times.since(row.copy().copyId()) : OptionalLong.empty();
    return since.isPresent() ? shown.apply(since.getAsLong()) : null;
  }

  private void addUnassigned(Columns<Row> columns) {
    columns
        .hiddenText(
            "unassigned.reason",
            "ur",
            "reason shard is unassigned",
            row -> row.node() == null ? UnassignedTimes.reason(row.copy()) : null)
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
            row -> row.node() == null ? UnassignedTimes.details(row.copy()) : null)
        .hiddenText(
            "recoverysource.type",
            "rs",
            "recovery source type",
            row ->
                row.state().equals("STARTED")
                    ? null
                    : row.copy().primary() ? "existing_store" : "peer");
  }

  private static Function<Row, @Nullable Object> stat(String path) {
    StatColumn column = new StatColumn("", "", "", path, StatColumn.Kind.COUNT);
    return row -> row.figures().value(column);
  }

  private static Function<Row, @Nullable Object> bytes(String path) {
    StatColumn column = new StatColumn("", "", "", path, StatColumn.Kind.BYTES);
    return row -> row.figures().value(column);
  }

  private static Function<Row, @Nullable Object> node(Function<NodeInfo, Object> value) {
    return row -> row.node() == null ? null : value.apply(row.node());
  }

  private static Function<Row, @Nullable Object> said(Function<StatsReport.Copy, Object> value) {
    return row -> row.said() == null ? null : value.apply(row.said());
  }

  private static Function<Row, @Nullable Object> seqNo(
      Function<io.varve.rpc.CopyStats.SeqNos, Object> value) {
    return said(copy -> value.apply(copy.stats().seqNos()));
  }

  private record SegmentRow(CopyReader.Answer<CopySegments> answer, CopySegments.Segment segment) {}

  Maker segments(Question question) {
    IndexOptions options = question.options(IndexOptions.LENIENT);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      List<SegmentRow> rows = new ArrayList<>();
      for (CopyReader.Answer<CopySegments> answer : reader.segments(state, indices)) {
        CopySegments said = answer.said();
        if (said != null) {
          said.segments().stream()
              .sorted(Comparator.comparingLong(CopySegments.Segment::generation))
              .forEach(segment -> rows.add(new SegmentRow(answer, segment)));
        }
      }
      return segmentColumns().table(rows);
    };
  }

  private static Columns<SegmentRow> segmentColumns() {
    return new Columns<SegmentRow>()
        .text("index", "i,idx", "index name", row -> row.answer().index().name())
        .text("shard", "s,sh", "shard name", row -> row.answer().copy().shard().number())
        .text(
            "prirep",
            "p,pr,primaryOrReplica",
            "primary or replica",
            row -> row.answer().primary() ? "p" : "r")
        .text(
            "ip",
            "",
            "ip of node where it lives",
            row -> NodeFilter.host(row.answer().copy().node()))
        .hiddenText(
            "id",
            "",
            "unique id of node where it lives",
            row -> row.answer().copy().node().nodeId())
        .text("segment", "seg", "segment name", row -> row.segment().name())
        .number("generation", "g,gen", "segment generation", row -> row.segment().generation())
        .number("docs.count", "dc,docsCount", "number of docs in segment", r -> r.segment().docs())
        .number(
            "docs.deleted",
            "dd,docsDeleted",
            "number of deleted docs in segment",
            row -> row.segment().deletedDocs())
        .number("size", "si", "segment size in bytes", row -> new Bytes(row.segment().sizeBytes()))
        .number("size.memory", "sm,sizeMemory", "segment memory in bytes", row -> 0)
        .text("committed", "ic,isCommitted", "is segment committed", r -> r.segment().committed())
        .text("searchable", "is,isSearchable", "is segment searched", r -> r.segment().searched())
        .text("version", "v,ver", "version", row -> row.segment().version())
        .text("compound", "ico,isCompound", "is segment compound", r -> r.segment().compound());
  }

  private record RecoveryRow(
      CopyReader.Answer<CopyRecovery> answer,
      RecoveryFigures figures,
      @Nullable NodeInfo source,
      long nowMillis) {

    CopyRecovery.Times times() {
      return figures.recovery().times();
    }

    NodeInfo target() {
      return answer.copy().node();
    }
  }

  Maker recovery(Question question) {
    boolean activeOnly = question.request().flag("active_only", false);
    question.request().flag("detailed", false);
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      List<RecoveryRow> rows = new ArrayList<>();
      for (CopyReader.Answer<CopyRecovery> answer : reader.recoveries(state, indices)) {
        CopyRecovery said = answer.said();
        if (said != null) {
          RecoveryFigures figures = new RecoveryFigures(said);
          String from = said.sourceNodeId();
          if (!activeOnly || !figures.done()) {
            NodeInfo source = from == null ? null : state.nodes().get(from);
            rows.add(new RecoveryRow(answer, figures, source, clock.millis()));
          }
        }
      }
      return recoveryColumns().table(rows);
    };
  }

  private static Columns<RecoveryRow> recoveryColumns() {
    Columns<RecoveryRow> columns =
        new Columns<RecoveryRow>()
            .text("index", "i,idx", "index name", row -> row.answer().index().name())
            .text("shard", "s,sh", "shard name", row -> row.answer().copy().shard().number())
            .hiddenText(
                "start_time",
                "start",
                "recovery start time",
                row -> HumanText.date(row.times().startMillis()))
            .hiddenText(
                "start_time_millis",
                "start_millis",
                "recovery start time in epoch milliseconds",
                row -> row.times().startMillis())
            .hiddenText(
                "stop_time",
                "stop",
                "recovery stop time",
                row -> row.figures().done() ? HumanText.date(row.times().stopMillis()) : null)
            .hiddenText(
                "stop_time_millis",
                "stop_millis",
                "recovery stop time in epoch milliseconds",
                row -> row.figures().done() ? row.times().stopMillis() : null)
            .text(
                "time",
                "t,ti",
                "recovery time",
                row -> new Time(Duration.ofMillis(row.figures().totalMillis(row.nowMillis()))))
            .text("type", "ty", "recovery type", row -> lower(row.figures().recovery().type()))
            .text("stage", "st", "recovery stage", row -> lower(row.figures().recovery().stage()))
            .text("source_host", "shost", "source host", source(NodeFilter::host))
            .text("source_node", "snode", "source node name", source(NodeInfo::name))
            .text("target_host", "thost", "target host", row -> NodeFilter.host(row.target()))
            .text("target_node", "tnode", "target node name", row -> row.target().name())
            .text("repository", "rep", "repository", row -> "n/a")
            .text("snapshot", "snap", "snapshot", row -> "n/a");
    addAmounts(columns);
    return columns;
  }

  private static void addAmounts(Columns<RecoveryRow> columns) {
    columns
        .text("files", "f", "number of files to recover", row -> row.figures().files().wanted())
        .text("files_recovered", "fr", "files recovered", row -> row.figures().files().recovered())
        .text(
            "files_percent",
            "fp",
            "percent of files recovered",
            row -> row.figures().files().percent())
        .text("files_total", "tf", "total number of files", row -> row.figures().files().total())
        .text(
            "bytes",
            "b",
            "number of bytes to recover",
            row -> new Bytes(row.figures().bytes().wanted()))
        .text(
            "bytes_recovered",
            "br",
            "bytes recovered",
            row -> new Bytes(row.figures().bytes().recovered()))
        .text(
            "bytes_percent",
            "bp",
            "percent of bytes recovered",
            row -> row.figures().bytes().percent())
        .text(
            "bytes_total",
            "tb",
            "total number of bytes",
            row -> new Bytes(row.figures().bytes().total()))
        .text(
            "translog_ops",
            "to",
            "number of operations of the log to recover",
            row -> row.figures().recovery().operations())
        .text(
            "translog_ops_recovered",
            "tor",
            "operations of the log recovered",
            row -> row.figures().recovery().operations())
        .text(
            "translog_ops_percent",
            "top",
            "percent of operations of the log recovered",
            row -> row.figures().operationsPercent());
  }

  private static Function<RecoveryRow, Object> source(Function<NodeInfo, Object> value) {
    return row -> row.source() == null ? "n/a" : value.apply(row.source());
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }
}
