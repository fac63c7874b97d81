package io.varve.ccr;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.events.FollowerLease;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.host.ReadAhead;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.rpc.ClusterCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Connects a node to leader indices: finds their logs and copies their mappings. All pullers of the
 * node share one limit of bytes that were read and not yet carried over.
 */
final class LeaderConnections {

  private static final Duration MAPPING_TIMEOUT = Duration.ofSeconds(30);

  private final NodeContext node;
  private final ReadAhead readAhead = ReadAhead.ofHeap();

  LeaderConnections(NodeContext node) {
    this.node = node;
  }

  LeaderIndex index(String followerUuid, IndexMetadata.Follow follow) {
    return new LeaderIndex(followerUuid, follow);
  }

  /**
   * One leader index. Its uuid is fixed when following begins: an index of the same name made later
   * is another one.
   */
  final class LeaderIndex {

    private final String followerUuid;
    private final IndexMetadata.Follow follow;
    private long mappingVersion;

    LeaderIndex(String followerUuid, IndexMetadata.Follow follow) {
      this.followerUuid = followerUuid;
      this.follow = follow;
    }

    private RemoteCluster.Export export() throws IOException, InterruptedException {
      List<String> seeds =
          ClusterSettings.remoteSeeds(node.cluster().current())
              .getOrDefault(follow.remoteCluster(), List.of());
      RemoteCluster.Export export =
          new RemoteCluster(node.http(), seeds).export(follow.leaderIndex());
      if (!export.index().uuid().equals(follow.leaderUuid())) {
        throw new IOException(
            "the leader index ["
                + follow.leaderIndex()
                + "] was made anew: its uuid is "
                + export.index().uuid()
                + ", followed is "
                + follow.leaderUuid());
      }
      return export;
    }

    ShardPuller.Leader open(int shard) throws IOException, InterruptedException, LogException {
      RemoteCluster.Export export = export();
      String client = "ccr-" + node.identity().name() + "-" + follow.leaderIndex() + "-" + shard;
      MessageLog log =
          new KafkaMessageLog(KafkaLogConfig.of(export.kafkaBootstrapServers(), client));
      try {
        if (!log.topicId(export.opsTopic()).equals(export.opsTopicId())) {
          throw new IOException(
              "the topic " + export.opsTopic() + " is not the one that the leader writes");
        }
      } catch (IOException | LogException | RuntimeException e) {
        log.close();
        throw e;
      }
      String manifests = export.manifestsTopic();
      LeaseKeeper lease =
          new LeaseKeeper(
              manifests == null ? null : log.open(manifests, shard),
              new ShardId(follow.leaderUuid(), shard),
              FollowerLease.holder(node.cluster().current().clusterUuid(), followerUuid));
      return new ShardPuller.Leader(log, log.open(export.opsTopic(), shard), lease, readAhead);
    }

    /** Asks the leader only when an operation needs more than what was brought over before. */
    synchronized void mappingUpTo(long leaderVersion) throws IOException, InterruptedException {
      if (leaderVersion <= mappingVersion) {
        return;
      }
      IndexMetadata leader = export().index();
      if (leader.mappingVersion() < leaderVersion) {
        throw new IOException(
            "the leader's coordinator does not know mapping version " + leaderVersion + " yet");
      }
      JsonNode properties = Json.mapper().readTree(leader.mapping()).path("properties");
      if (!properties.isEmpty()) {
        long known =
            node.cluster()
                .current()
                .index(followerUuid)
                .map(IndexMetadata::mappingVersion)
                .orElse(0L);
        String wanted = Json.mapper().createObjectNode().set("properties", properties).toString();
        long version =
            node.leader()
                .newFields(
                    new ClusterCalls.NewFields(followerUuid, known, wanted), MAPPING_TIMEOUT);
        if (!node.cluster().awaitVersion(version, MAPPING_TIMEOUT)) {
          throw new IOException(
              "the mapping of the leader did not arrive here within " + MAPPING_TIMEOUT);
        }
      }
      mappingVersion = leader.mappingVersion();
    }
  }
}
