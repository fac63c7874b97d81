package io.varve.shard.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.varve.host.NodeContext;
import io.varve.metrics.Metric;
import io.varve.metrics.RowMeters;
import io.varve.metrics.RowMeters.Column;
import io.varve.shard.replicated.Rereplications;
import io.varve.shard.replicated.Rereplications.Row;
import java.util.List;

/**
 * Metrics of each shard of a strongly consistent index whose primary is or was on this node;
 * updated at the end of each interval of {@link Rereplications}.
 */
final class ReplicationMeters {

  static final Metric UNREPLICATED =
      Metric.gauge(
          "varve.replication.unreplicated.records",
          "Live documents that are not known to be on every started copy (states 2 and 3); 0 while"
              + " another node has the primary",
          "index",
          "shard");
  static final Metric EXONERATED =
      counter(
          "varve.replication.exonerated.records",
          "Records of former primaries that copies proved by reporting the seq_no up to which they"
              + " hold everything");
  static final Metric SUCCESS =
      counter(
          "varve.rereplication.success",
          "Queries to the copies for a single record after which all copies hold the record");
  static final Metric ERROR =
      counter(
          "varve.rereplication.error",
          "Queries to the copies for a single record in which a copy has another version");
  static final Metric TIMEOUT =
      counter(
          "varve.rereplication.timeout",
          "Questions for single records that not all copies answered in time");
  static final Metric DECIDED =
      Metric.gauge(
          "varve.replication.contradictions.decided",
          "Records of which a copy had another version, and the log decided which copy is rebuilt;"
              + " at most the newest 100 contradictions of a primary are kept",
          "index",
          "shard");
  static final Metric UNDECIDED =
      Metric.gauge(
          "varve.replication.contradictions.undecided",
          "Records of which a copy has another version that the log has not decided or cannot"
              + " decide; at most the newest 100 contradictions of a primary are kept",
          "index",
          "shard");

  private final Rereplications rereplications;
  private final RowMeters<Row> rows;

  /**
   * @param limit shards that are exported one by one
   */
  ReplicationMeters(
      Rereplications rereplications, NodeContext node, MeterRegistry meters, int limit) {
    this.rereplications = rereplications;
    this.rows =
        new RowMeters<>(
            meters,
            limit,
            List.of(
                Column.sum(UNREPLICATED, Row::unreplicatedRecords),
                Column.sum(EXONERATED, Row::exonerated),
                Column.sum(SUCCESS, row -> row.counts().success()),
                Column.sum(ERROR, row -> row.counts().error()),
                Column.sum(TIMEOUT, row -> row.counts().timeout()),
                Column.sum(DECIDED, Row::decidedContradictions),
                Column.sum(UNDECIDED, Row::undecidedContradictions)),
            row ->
                Tags.of(
                    "index",
                    node.indexName(row.shard().indexUuid()),
                    "shard",
                    Integer.toString(row.shard().number())));
  }

  void renew() {
    rows.renew(rereplications.rows());
  }

  private static Metric counter(String name, String help) {
    return Metric.counter(name, help, "index", "shard");
  }
}
