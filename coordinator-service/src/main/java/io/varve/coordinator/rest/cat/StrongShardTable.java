package io.varve.coordinator.rest.cat;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.events.ShardId;
import io.varve.rpc.ShardReplication;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * {@code _cat/replication}: the replication states of the records of strongly consistent indices,
 * as their primaries know them. A shard whose primary does not answer has a row without numbers.
 */
final class StrongShardTable {

  private final ClusterAccess cluster;
  private final CopyReader reader;

  StrongShardTable(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  private record Row(
      IndexMetadata index,
      ShardRouting shard,
      @Nullable NodeInfo node,
      @Nullable ShardReplication reported) {}

  Maker prepare(Question question) {
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    return () -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> strong =
          IndexResolver.resolve(state, question.expression(), options).stream()
              .filter(index -> !index.closed() && IndexSettings.isStrong(index.settings()))
              .toList();
      Map<ShardId, ShardReplication> reported = new HashMap<>();
      for (CopyReader.Answer<ShardReplication> answer : reader.replication(state, strong)) {
        answer.result().ifPresent(replication -> reported.put(answer.copy().shard(), replication));
      }
      List<Row> rows = new ArrayList<>();
      for (IndexMetadata index : strong) {
        for (ShardRouting shard : index.shards()) {
          rows.add(new Row(index, shard, node(state, shard), reported.get(shard.shard())));
        }
      }
      return columns().table(rows);
    };
  }

  private static @Nullable NodeInfo node(ClusterState state, ShardRouting shard) {
    CopyRouting primary = shard.primary();
    return primary.nodeId() == null ? null : state.nodes().get(primary.nodeId());
  }

  private static Columns<Row> columns() {
    return new Columns<Row>()
        .text("index", "i,idx", "index name", row -> row.index().name())
        .text("shard", "s,sh", "shard number", row -> row.shard().shard().number())
        .text(
            "node",
            "n",
            "node of the primary",
            row -> row.node() == null ? null : row.node().name())
        .text(
            "state",
            "st",
            "live, or unavailable if its primary does not answer",
            row -> row.reported() == null ? "unavailable" : "live")
        .number("term", "t", "primary term", row -> row.shard().primaryTerm())
        .number("copies", "c", "copies that must hold a record", reported(ShardReplication::copies))
        .number(
            "min_in_sync",
            "mis",
            "copies that must be started",
            row -> IndexSettings.minInSync(row.index().settings()))
        .number(
            "replicated",
            "r",
            "seq_no up to which all copies hold everything",
            reported(ShardReplication::replicatedSeqNo))
        .number(
            "max_seq_no",
            "msn",
            "seq_no up to which the primary has applied everything",
            reported(ShardReplication::appliedSeqNo))
        .number(
            "unreplicated_records",
            "ur",
            "documents that are not known to be replicated",
            reported(ShardReplication::unreplicatedRecords))
        .number(
            "re_repl_success",
            "rrs",
            "records that all copies confirmed when asked",
            reported(replication -> replication.counts().success()))
        .number(
            "re_repl_error",
            "rre",
            "records of which a copy has another version",
            reported(replication -> replication.counts().error()))
        .number(
            "re_repl_timeout",
            "rrt",
            "records that not all copies confirmed in time",
            reported(replication -> replication.counts().timeout()))
        .number(
            "appeals_records_exonerated",
            "are",
            "records that copies proved by reporting up to which seq_no they hold everything",
            reported(replication -> replication.counts().exonerated()))
        .number(
            "contradictions",
            "con",
            "records of which a copy has another version, see GET _nodes/stats/rereplication",
            reported(replication -> replication.contradictions().size()));
  }

  private static Function<Row, @Nullable Object> reported(
      Function<ShardReplication, Object> value) {
    return row -> row.reported() == null ? null : value.apply(row.reported());
  }
}
