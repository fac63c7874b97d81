package io.varve.ccr;

import io.varve.cluster.ClusterState;
import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.events.Feature;
import io.varve.events.FollowerLease;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.host.ReadAhead;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.LeaseRenewal;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Connects a node to leader indices: finds their logs, and waits for their mappings. All pullers of
 * the node share its Kafka clients ({@link LeaderClients}) and one limit of bytes that were read
 * and not yet sent.
 */
final class LeaderConnections {

  private static final Duration MAPPING_TIMEOUT = Duration.ofSeconds(30);

  /** Timeout of one wait for a mapping; the puller then reports the missing version and retries. */
  private static final Duration MAPPING_WAIT = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(LeaderConnections.class);

  /**
   * The bytes that a consumer buffers for each shard in addition to the limit of {@link ReadAhead}.
   */
  private static final long MOST_READ_BYTES = 16L << 20;

  /** The limit of a read, because closing a puller waits for the read in progress. */
  private static final long MOST_READ_WAIT_MILLIS = 500;

  /**
   * The wait of a read while shards are paused and resumed. A shard that is read too fast is
   * paused, and resumes only once the read in progress for the other shards has ended.
   */
  private static final long PROMPT_READ_WAIT_MILLIS = 20;

  /**
   * The timeout of a request for an offset. After a failed request, the leader's coordinators are
   * asked for the index again, because only they can report that it was deleted: brokers give the
   * same answer for a missing topic as for one whose leader changes.
   */
  private static final int OFFSET_TIMEOUT_MILLIS = 5_000;

  private final NodeContext node;
  private final ReadAhead readAhead = ReadAhead.ofHeap();
  private final LeaderClients clients;
  private final RemoteFiles files;

  /** By uuid of the follower index. */
  private final Map<String, RecordedLease> leases = new ConcurrentHashMap<>();

  LeaderConnections(NodeContext node) {
    this(node, KafkaMessageLog::new);
  }

  /**
   * @param clients creates a client of a leader's brokers
   */
  LeaderConnections(NodeContext node, Function<KafkaLogConfig, MessageLog> clients) {
    this.node = node;
    this.clients = new LeaderClients(clients, "ccr-" + node.identity().name());
    this.files =
        new RemoteFiles(
            node.settings().remoteFiles(), node.http(), node.settings().remoteAddresses());
  }

  /** The limits of one read of a leader's log. */
  static KafkaLogConfig.Fetch fetch(FollowParameters limits) {
    return new KafkaLogConfig.Fetch(
        limits.maxReadRequestOperationCount(),
        (int) Math.min(MOST_READ_BYTES, limits.maxReadRequestSizeBytes()),
        (int) Math.min(PROMPT_READ_WAIT_MILLIS, limits.readPollTimeoutMillis()),
        (int) Math.min(MOST_READ_WAIT_MILLIS, limits.readPollTimeoutMillis()),
        OFFSET_TIMEOUT_MILLIS);
  }

  private RemoteSettings settings(FollowRelation follow) {
    String alias = follow.remoteCluster();
    return RemoteSettings.of(node.cluster().current(), alias)
        .orElseGet(() -> new RemoteSettings(alias, List.of()));
  }

  private KafkaLogConfig.Security security(FollowRelation follow) throws IOException {
    RemoteFiles.Kafka kafka = files.kafka(settings(follow));
    return new KafkaLogConfig.Security(kafka.properties(), kafka.stores());
  }

  private RemoteCluster remote(FollowRelation follow) {
    return files.cluster(settings(follow));
  }

  /** A client of the coordinators of a leader's cluster, with the current seeds. */
  private final class Recorder implements RecordedLease.Coordinators {

    private final FollowRelation follow;

    Recorder(FollowRelation follow) {
      this.follow = follow;
    }

    @Override
    public RemoteCluster.Lease renew(LeaseRenewal renewal)
        throws IOException, InterruptedException {
      return remote(follow).renew(renewal);
    }

    @Override
    public void release(LeaseRenewal.Release release) throws IOException, InterruptedException {
      leases.entrySet().removeIf(entry -> release.holder().endsWith("-" + entry.getKey()));
      remote(follow).release(release);
    }
  }

  LeaderIndex index(String followerUuid, FollowRelation follow) {
    return new LeaderIndex(followerUuid, follow);
  }

  /**
   * One leader index, identified by the uuid recorded when following began. An index that is later
   * created with the same name is a different one.
   */
  final class LeaderIndex implements ShardPuller.MappingSync {

    private final String followerUuid;
    private final FollowRelation follow;
    private long mappingVersion;

    LeaderIndex(String followerUuid, FollowRelation follow) {
      this.followerUuid = followerUuid;
      this.follow = follow;
    }

    private RemoteCluster.Export export() throws IOException, InterruptedException {
      RemoteCluster.Export export = remote(follow).export(follow.leaderIndex());
      if (!export.index().uuid().equals(follow.leaderUuid())) {
        throw new ShardPuller.OtherLeaderException(
            "the leader index ["
                + follow.leaderIndex()
                + "] was created again: its uuid is "
                + export.index().uuid()
                + ", followed is "
                + follow.leaderUuid());
      }
      return export;
    }

    ShardPuller.Leader open(int shard) throws IOException, InterruptedException, LogException {
      RemoteCluster.Export export = export();
      files.requireBrokers(export.kafkaBootstrapServers());
      LeaderClients.Client client =
          clients.open(
              export.kafkaBootstrapServers(),
              fetch(follow.effectiveParameters()),
              security(follow));
      try {
        if (!client.log().topicId(export.opsTopic()).equals(export.opsTopicId())) {
          throw new IOException(
              "the topic " + export.opsTopic() + " is not the one that the leader writes");
        }
      } catch (IOException | LogException | RuntimeException e) {
        client.close();
        throw e;
      }
      String topic = export.manifestsTopic();
      PartitionLog manifests = topic == null ? null : client.open(topic, shard);
      LeaseKeeper lease = new LeaseKeeper(lease(export, manifests, shard), shard);
      return new ShardPuller.Leader(
          client::close,
          client.open(export.opsTopic(), shard),
          lease,
          readAhead,
          LeaderSegments.of(manifests, new LeaderNodes()),
          replicated(export, manifests));
    }

    private static @Nullable PartitionLog replicated(
        RemoteCluster.Export export, @Nullable PartitionLog manifests) throws IOException {
      if (!IndexSettings.isStrong(export.index().settings())) {
        return null;
      }
      if (manifests == null) {
        throw new IOException(
            "the leader is strongly consistent, but does not disclose what its copies hold");
      }
      return manifests;
    }

    /** The nodes of the leader's cluster. */
    private final class LeaderNodes implements LeaderSegments.LeaderNodes {

      @Override
      public Optional<String> url(String nodeId) throws IOException, InterruptedException {
        return remote(follow).nodeUrl(nodeId);
      }

      @Override
      public long mappingVersion() throws IOException, InterruptedException {
        return export().index().mappingVersion();
      }
    }

    private LeaderLease lease(
        RemoteCluster.Export export, @Nullable PartitionLog manifests, int shard) {
      String holder = FollowerLease.holder(node.cluster().current().clusterUuid(), followerUuid);
      if (export.recordsLeases()) {
        return leases.computeIfAbsent(
            followerUuid,
            _ ->
                new RecordedLease(
                    follow.leaderUuid(),
                    holder,
                    new Recorder(follow),
                    this::follows,
                    node.blocking()));
      }
      return new WrittenLease(manifests, new ShardId(follow.leaderUuid(), shard), holder);
    }

    private boolean follows() {
      return node.cluster()
          .current()
          .index(followerUuid)
          .map(IndexMetadata::follow)
          .filter(now -> !now.paused())
          .isPresent();
    }

    /** Requests a successor of the follower unless there is one. */
    @Override
    public void historyLost(String reason) throws IOException, InterruptedException {
      ClusterState state = node.cluster().current();
      boolean replaced =
          state.indices().values().stream()
              .map(IndexMetadata::follow)
              .anyMatch(other ->
                  other != null && other.replaces().filter(followerUuid::equals).isPresent());
      if (replaced || !state.has(Feature.FOLLOWER_BOOTSTRAP)) {
        return;
      }
      IndexMetadata leader = remote(follow).export(follow.leaderIndex()).index();
      LOG.warn("{} is replaced, because it lost its leader's history: {}", followerUuid, reason);
      try {
        long version =
            node.leader()
                .historyLost(
                    new ClusterCalls.LostHistory(
                        followerUuid, leader.uuid(), leader.settings(), leader.mapping(), reason),
                    MAPPING_TIMEOUT);
        var _ = node.cluster().awaitVersion(version, MAPPING_TIMEOUT);
      } catch (ApiException e) {
        throw new IOException(e.getMessage(), e);
      }
    }

    /**
     * Waits until this node knows that the follower has the mapping, which the leading coordinator
     * takes from the leader's cluster log.
     */
    @Override
    public void upTo(long leaderVersion) throws IOException, InterruptedException {
      if (leaderVersion <= mappingVersion) {
        return;
      }
      if (node.cluster().current().has(Feature.FOLLOW_STATUS)) {
        awaitMapping(leaderVersion);
      } else {
        copyFields(leaderVersion);
      }
    }

    private void awaitMapping(long leaderVersion) throws IOException, InterruptedException {
      boolean known =
          node.cluster()
              .await(state -> takenVersion(state) >= leaderVersion, MAPPING_WAIT)
              .isPresent();
      long taken = takenVersion(node.cluster().current());
      if (!known) {
        throw new IOException(
            "operations wait for version %d of the leader's mapping, the follower has version %d"
                .formatted(leaderVersion, taken));
      }
      mappingVersion = taken;
    }

    private long takenVersion(ClusterState state) {
      return state
          .index(followerUuid)
          .map(IndexMetadata::follow)
          .map(now -> now.currentStatus().leaderMappingVersion())
          .orElse(0L);
    }

    /** In a cluster whose feature level has no record of the leader's mapping version. */
    private void copyFields(long leaderVersion) throws IOException, InterruptedException {
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
        String fields = Json.mapper().createObjectNode().set("properties", properties).toString();
        long version =
            node.leader()
                .newFields(
                    new ClusterCalls.NewFields(followerUuid, known, fields), MAPPING_TIMEOUT);
        if (!node.cluster().awaitVersion(version, MAPPING_TIMEOUT)) {
          throw new IOException(
              "the leader's mapping was not applied to the follower within " + MAPPING_TIMEOUT);
        }
      }
      mappingVersion = leader.mappingVersion();
    }
  }
}
