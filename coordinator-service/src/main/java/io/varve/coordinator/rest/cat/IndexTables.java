package io.varve.coordinator.rest.cat;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.cat.CatEndpoint.Maker;
import io.varve.coordinator.rest.cat.CatEndpoint.Question;
import io.varve.coordinator.rest.cluster.Health;
import io.varve.coordinator.rest.cluster.NodeFilter;
import io.varve.coordinator.rest.shard.CopyReader;
import io.varve.events.CopyProgress;
import io.varve.rpc.CopyStats;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tables of indices and shards. */
final class IndexTables {

  private final ClusterAccess cluster;
  private final CopyReader reader;

  IndexTables(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  private List<IndexMetadata> indices(ClusterState state, Question question) {
    return IndexResolver.resolve(state, question.expression(), question.options());
  }

  Maker indices(Question question) {
    String wanted = question.request().param("health");
    boolean onlyPrimaries = question.request().flag("pri", false);
    question.request().flag("include_unloaded_segments", false);
    return () -> {
      CatTable table =
          new CatTable()
              .column("health", "h", "current health status")
              .column("status", "s", "open/close status")
              .column("index", "i,idx", "index name")
              .column("uuid", "id,uuid", "index uuid")
              .number("pri", "p,shards.primary,shardsPrimary", "number of primary shards")
              .number("rep", "r,shards.replica,shardsReplica", "number of replica shards")
              .number("docs.count", "dc,docsCount", "available docs")
              .number("docs.deleted", "dd,docsDeleted", "deleted docs")
              .number("store.size", "ss,storeSize", "store size of primaries & replicas")
              .number("pri.store.size", "", "store size of primaries")
              .hidden("creation.date", "cd", "index creation date (millisecond value)")
              .hidden("creation.date.string", "cds", "index creation date (as string)")
              .hidden("segments.count", "sc,segmentsCount", "number of segments")
              .hidden("pri.segments.count", "", "number of segments of primaries");
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = indices(state, question);
      List<CopyReader.Answer<CopyStats>> answers = reader.stats(state, indices);
      for (IndexMetadata index : indices) {
        Health health = Health.of(state, index);
        if (wanted == null || wanted.equals(health.status().word())) {
          row(table, index, health, answers, onlyPrimaries);
        }
      }
      return table;
    };
  }

  private static void row(
      CatTable table,
      IndexMetadata index,
      Health health,
      List<CopyReader.Answer<CopyStats>> answers,
      boolean onlyPrimaries) {
    Sum primaries = new Sum();
    Sum total = new Sum();
    for (CopyReader.Answer<CopyStats> answer : answers) {
      if (answer.index().uuid().equals(index.uuid()) && answer.said() != null) {
        total.add(answer.said());
        if (answer.copy().copy().primary()) {
          primaries.add(answer.said());
        }
      }
    }
    boolean known = primaries.copies > 0;
    Sum store = onlyPrimaries ? primaries : total;
    table.row(
        health.status().word(),
        "open",
        index.name(),
        index.uuid(),
        index.numberOfShards(),
        index.numberOfReplicas(),
        known ? primaries.docs : null,
        known ? primaries.deleted : null,
        store.copies > 0 ? new CatTable.Bytes(store.bytes) : null,
        known ? new CatTable.Bytes(primaries.bytes) : null,
        index.createdMillis(),
        Instant.ofEpochMilli(index.createdMillis()).toString(),
        total.segments,
        primaries.segments);
  }

  private static final class Sum {
    long copies;
    long docs;
    long deleted;
    long bytes;
    long segments;

    void add(CopyStats stats) {
      copies++;
      docs += stats.docs();
      deleted += stats.deletedDocs();
      bytes += stats.storeBytes();
      segments += stats.segments();
    }
  }

  Maker shards(Question question) {
    return () -> {
      CatTable table =
          new CatTable()
              .column("index", "i,idx", "index name")
              .column("shard", "s,sh", "shard name")
              .column("prirep", "p,pr,primaryOrReplica", "primary or replica")
              .column("state", "st", "shard state")
              .number("docs", "d,dc", "number of docs in shard")
              .number("store", "sto", "store size of shard")
              .column("ip", "", "ip of node where it lives")
              .column("node", "n", "name of node where it lives")
              .hidden("id", "", "unique id of node where it lives")
              .hidden("unassigned.reason", "ur", "reason shard became unassigned")
              .hidden("segments.count", "sc,segmentsCount", "number of segments")
              .hidden("seq_no.max", "sqm,maxSeqNo", "max sequence number")
              .hidden("seq_no.local_checkpoint", "sql,localCheckpoint", "local checkpoint")
              .hidden("seq_no.global_checkpoint", "sqg,globalCheckpoint", "global checkpoint");
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = indices(state, question);
      Map<String, CopyStats> byCopy = new HashMap<>();
      for (CopyReader.Answer<CopyStats> answer : reader.stats(state, indices)) {
        answer.figures().ifPresent(stats -> byCopy.put(answer.copy().copy().copyId(), stats));
      }
      for (IndexMetadata index : indices) {
        for (ShardRouting shard : index.shards()) {
          for (CopyRouting copy : shard.copies()) {
            row(table, state, index, shard, copy, byCopy.get(copy.copyId()));
          }
        }
      }
      return table;
    };
  }

  private static void row(
      CatTable table,
      ClusterState state,
      IndexMetadata index,
      ShardRouting shard,
      CopyRouting copy,
      @Nullable CopyStats stats) {
    NodeInfo node = copy.nodeId() == null ? null : state.nodes().get(copy.nodeId());
    table.row(
        index.name(),
        shard.shard().number(),
        copy.primary() ? "p" : "r",
        node == null ? "UNASSIGNED" : copy.state().name(),
        stats == null ? null : stats.docs(),
        stats == null ? null : new CatTable.Bytes(stats.storeBytes()),
        node == null ? null : NodeFilter.host(node),
        node == null ? null : node.name(),
        node == null ? null : node.nodeId(),
        node == null ? copy.reason() : null,
        stats == null ? null : stats.segments(),
        stats == null ? null : stats.seqNos().max(),
        stats == null ? null : stats.seqNos().localCheckpoint(),
        stats == null ? null : stats.seqNos().localCheckpoint());
  }

  /** Which replicas are asked for. */
  private record Replicas(boolean active, boolean completed, List<String> shards) {

    boolean isWanted(ShardRouting shard, CopyProgress progress) {
      boolean behind = progress.checkpointsBehind() > 0;
      return (!active || behind)
          && (!completed || !behind)
          && (shards.isEmpty() || shards.contains(Integer.toString(shard.shard().number())));
    }
  }

  /** A replica that indexes by itself, or has not said anything of itself yet, has no row. */
  Maker segmentReplication(Question question) {
    boolean detailed = question.request().flag("detailed", false);
    Replicas wanted =
        new Replicas(
            question.request().flag("active_only", false),
            question.request().flag("completed_only", false),
            question.request().list("shards"));
    return () -> {
      CatTable table = segmentReplicationColumns(detailed);
      ClusterState state = cluster.state();
      for (IndexMetadata index : indices(state, question)) {
        if (!index.replicationType().equals(IndexMetadata.SEGMENT)) {
          continue;
        }
        for (ShardRouting shard : index.shards()) {
          for (CopyRouting replica : shard.replicas()) {
            NodeInfo node = replica.nodeId() == null ? null : state.nodes().get(replica.nodeId());
            Optional<CopyProgress> progress = cluster.progress(replica.copyId());
            if (node != null && progress.isPresent() && wanted.isWanted(shard, progress.get())) {
              replicaRow(table, index, shard, node, progress.get());
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
    return detailed
        ? table
            .column("stage", "st", "what the copy does")
            .number("files_fetched", "ff", "files fetched since the copy was opened")
            .number("bytes_fetched", "bf", "bytes fetched since the copy was opened")
            .number("visible_seq_no", "vsn", "highest seq_no up to which searches see all")
            .number("applied_seq_no", "asn", "highest seq_no up to which all is here")
        : table
            .hidden("stage", "st", "what the copy does")
            .hidden("files_fetched", "ff", "files fetched since the copy was opened")
            .hidden("bytes_fetched", "bf", "bytes fetched since the copy was opened")
            .hidden("visible_seq_no", "vsn", "highest seq_no up to which searches see all")
            .hidden("applied_seq_no", "asn", "highest seq_no up to which all is here");
  }

  private static void replicaRow(
      CatTable table,
      IndexMetadata index,
      ShardRouting shard,
      NodeInfo node,
      CopyProgress progress) {
    table.row(
        "[" + index.name() + "][" + shard.shard().number() + "]",
        node.name(),
        NodeFilter.host(node),
        progress.checkpointsBehind(),
        new CatTable.Bytes(progress.bytesBehind()),
        new CatTable.Time(Duration.ofMillis(progress.millisBehind())),
        new CatTable.Time(Duration.ofMillis(Math.max(0, progress.lastLagMillis()))),
        0,
        progress.state(),
        progress.filesFetched(),
        new CatTable.Bytes(progress.bytesFetched()),
        progress.visibleSeqNo(),
        progress.appliedSeqNo());
  }
}
