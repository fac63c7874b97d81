package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cat.CatTable.Bytes;
import io.varve.coordinator.rest.cat.CatTable.Time;
import io.varve.coordinator.rest.index.RecoverySummary;
import io.varve.rest.HumanText;
import io.varve.rpc.CopyRecovery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/recovery}: the recovery of each copy: its source, its stage, and the share of the
 * required data that is present. A finished recovery stays in the table unless only active ones are
 * requested.
 */
final class RecoveryTable {

  private final ClusterAccess cluster;
  private final CopyReader reader;
  private final InstantSource clock;

  RecoveryTable(ClusterAccess cluster, CopyReader reader, InstantSource clock) {
    this.cluster = cluster;
    this.reader = reader;
    this.clock = clock;
  }

  private record Row(
      CopyReader.Answer<CopyRecovery> answer,
      RecoverySummary summary,
      @Nullable NodeInfo source,
      long nowMillis) {

    CopyRecovery.Times times() {
      return summary.recovery().times();
    }

    NodeInfo target() {
      return answer.copy().node();
    }
  }

  Maker prepare(Question question) {
    boolean activeOnly = question.request().flag("active_only", false);
    question.request().flag("detailed", false);
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, question.expression(), options);
      List<Row> rows = new ArrayList<>();
      for (CopyReader.Answer<CopyRecovery> answer : reader.recoveries(state, indices)) {
        CopyRecovery reported = answer.reported();
        if (reported != null) {
          RecoverySummary summary = new RecoverySummary(reported);
          String from = reported.sourceNodeId();
          if (!activeOnly || !summary.done()) {
            NodeInfo source = from == null ? null : state.nodes().get(from);
            rows.add(new Row(answer, summary, source, clock.millis()));
          }
        }
      }
      return columns().table(rows);
    };
  }

  private static Columns<Row> columns() {
    Columns<Row> columns =
        new Columns<Row>()
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
                row -> row.summary().done() ? HumanText.date(row.times().stopMillis()) : null)
            .hiddenText(
                "stop_time_millis",
                "stop_millis",
                "recovery stop time in epoch milliseconds",
                row -> row.summary().done() ? row.times().stopMillis() : null)
            .text(
                "time",
                "t,ti",
                "recovery time",
                row -> new Time(Duration.ofMillis(row.summary().totalMillis(row.nowMillis()))))
            .text("type", "ty", "recovery type", row -> lower(row.summary().recovery().type()))
            .text("stage", "st", "recovery stage", row -> lower(row.summary().recovery().stage()))
            .text("source_host", "shost", "source host", source(NodeFilter::host))
            .text("source_node", "snode", "source node name", source(NodeInfo::name))
            .text("target_host", "thost", "target host", row -> NodeFilter.host(row.target()))
            .text("target_node", "tnode", "target node name", row -> row.target().name())
            .text("repository", "rep", "repository", row -> "n/a")
            .text("snapshot", "snap", "snapshot", row -> "n/a");
    addAmounts(columns);
    return columns;
  }

  private static void addAmounts(Columns<Row> columns) {
    columns
        .text("files", "f", "number of files to recover", row -> row.summary().files().wanted())
        .text("files_recovered", "fr", "files recovered", row -> row.summary().files().recovered())
        .text(
            "files_percent",
            "fp",
            "percent of files recovered",
            row -> row.summary().files().percent())
        .text("files_total", "tf", "total number of files", row -> row.summary().files().total())
        .text(
            "bytes",
            "b",
            "number of bytes to recover",
            row -> new Bytes(row.summary().bytes().wanted()))
        .text(
            "bytes_recovered",
            "br",
            "bytes recovered",
            row -> new Bytes(row.summary().bytes().recovered()))
        .text(
            "bytes_percent",
            "bp",
            "percent of bytes recovered",
            row -> row.summary().bytes().percent())
        .text(
            "bytes_total",
            "tb",
            "total number of bytes",
            row -> new Bytes(row.summary().bytes().total()))
        .text(
            "translog_ops",
            "to",
            "number of operations of the log to recover",
            row -> row.summary().recovery().operations())
        .text(
            "translog_ops_recovered",
            "tor",
            "operations of the log recovered",
            row -> row.summary().recovery().operations())
        .text(
            "translog_ops_percent",
            "top",
            "percent of operations of the log recovered",
            row -> row.summary().operationsPercent());
  }

  private static Function<Row, Object> source(Function<NodeInfo, Object> value) {
    return row -> row.source() == null ? "n/a" : value.apply(row.source());
  }

  private static String lower(String word) {
    return word.toLowerCase(Locale.ROOT);
  }
}
