package io.varve.coordinator.rest.cat;

import io.varve.client.routing.LaggingCopies;
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
import io.varve.coordinator.rest.document.ReplicationPressure;
import io.varve.events.CopyProgress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code _cat/segment_replication}: lag of the SEGMENT replicas. */
final class ReplicationTable {

  private final ClusterAccess cluster;
  private final ReplicationPressure pressure;
  private final LaggingCopies laggards;

  ReplicationTable(ClusterAccess cluster, ReplicationPressure pressure, LaggingCopies laggards) {
    this.cluster = cluster;
    this.pressure = pressure;
    this.laggards = laggards;
  }

  /** The progress of a replica, and whether its lag excludes it from searches. */
  private record Standing(CopyProgress progress, boolean drained) {}

  /** The replicas that are requested. */
  private record Replicas(boolean active, boolean completed, List<String> shards) {

    boolean isWanted(ShardRouting shard, CopyProgress progress) {
      boolean behind = progress.checkpointsBehind() > 0;
      return (!active || behind)
          && (!completed || !behind)
          && (shards.isEmpty() || shards.contains(Integer.toString(shard.shard().number())));
    }
  }

  /** Builds the table. A DOCUMENT replica, or a replica without a report so far, has no row. */
  Maker prepare(Question question) {
    IndexOptions options = question.options(IndexOptions.SHOW_ALL);
    boolean detailed = question.request().flag("detailed", false);
    Replicas wanted =
        new Replicas(
            question.request().flag("active_only", false),
            question.request().flag("completed_only", false),
            question.request().list("shards"));
    return () -> {
      CatTable table = segmentReplicationColumns(detailed);
      ClusterState state = cluster.state();
      for (IndexMetadata index : IndexResolver.resolve(state, question.expression(), options)) {
        if (!index.replicationType().equals(IndexMetadata.SEGMENT)) {
          continue;
        }
        for (ShardRouting shard : index.shards()) {
          for (CopyRouting replica : shard.copies()) {
            if (replica.primary()) {
              continue;
            }
            NodeInfo node = replica.nodeId() == null ? null : state.nodes().get(replica.nodeId());
            Optional<CopyProgress> progress = cluster.progress(replica.copyId());
            if (node != null && progress.isPresent() && wanted.isWanted(shard, progress.get())) {
              boolean drained = laggards.isDrained(state, shard, replica);
              replicaRow(table, index, shard, node, new Standing(progress.get(), drained));
            }
          }
        }
      }
      return table;
    };
  }

  private static CatTable segmentReplicationColumns(boolean detailed) {
    CatTable table =
        new CatTable()
            .column("shardId", "s", "shard id")
            .column("target_node", "tnode", "target node name")
            .column("target_host", "thost", "target host")
            .number("checkpoints_behind", "cpb", "checkpoints behind")
            .number("bytes_behind", "bb", "bytes behind")
            .number("current_lag", "clag", "ongoing time elapsed waiting for replica to catch up")
            .number("last_completed_lag", "lcl", "time taken to complete last replication")
            .number("rejected_requests", "rr", "rejected requests for the replication group");
    return (detailed
            ? table
                .column("stage", "st", "what the copy is doing")
                .number("files_fetched", "ff", "files fetched since the copy was opened")
                .number("bytes_fetched", "bf", "bytes fetched since the copy was opened")
                .number(
                    "visible_seq_no",
                    "vsn",
                    "highest seq_no up to which everything is visible to searches")
                .number("applied_seq_no", "asn", "highest seq_no up to which everything is applied")
            : table
                .hidden("stage", "st", "what the copy is doing")
                .hidden("files_fetched", "ff", "files fetched since the copy was opened")
                .hidden("bytes_fetched", "bf", "bytes fetched since the copy was opened")
                .hidden(
                    "visible_seq_no",
                    "vsn",
                    "highest seq_no up to which everything is visible to searches")
                .hidden(
                    "applied_seq_no", "asn", "highest seq_no up to which everything is applied"))
        .hidden("drained", "dr", "whether it gets no searches because it lags");
  }

  private void replicaRow(
      CatTable table, IndexMetadata index, ShardRouting shard, NodeInfo node, Standing standing) {
    CopyProgress progress = standing.progress();
    table.row(
        "[" + index.name() + "][" + shard.shard().number() + "]",
        node.name(),
        NodeFilter.host(node),
        progress.checkpointsBehind(),
        new CatTable.Bytes(progress.bytesBehind()),
        new CatTable.Time(Duration.ofMillis(progress.millisBehind())),
        new CatTable.Time(Duration.ofMillis(Math.max(0, progress.lastLagMillis()))),
        pressure.rejections(shard.shard()),
        progress.state(),
        progress.filesFetched(),
        new CatTable.Bytes(progress.bytesFetched()),
        progress.visibleSeqNo(),
        progress.appliedSeqNo(),
        standing.drained());
  }
}
