package io.varve.load.growth;

import io.varve.cluster.AliasMetadata;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.CopyProgress;
import io.varve.events.FeatureLevels;
import io.varve.events.NodeHeartbeat;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * A cluster of a given size in which every copy is started, with the records that its nodes send.
 * The same size always leads to the same cluster, except for the order of its copies on nodes of
 * equal load: ids come from a fixed seed.
 */
final class LargeCluster {

  /** The indices of the alias: their shards are the shards of the measured search. */
  static final String ALIAS = "many";

  static final int SEARCHED_SHARDS = 1_000;
  private static final long SEED = 42;
  private static final long CREATED_MILLIS = 1_700_000_000_000L;
  private static final String MAPPING =
      """
      {"properties":{"@timestamp":{"type":"date"},"message":{"type":"text"},\
      "host":{"type":"keyword"},"level":{"type":"keyword"},"status":{"type":"integer"},\
      "bytes":{"type":"long"},"client":{"properties":{"ip":{"type":"ip"},\
      "location":{"type":"geo_point"}}},"tags":{"type":"keyword"}}}\
      """;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final ClusterSize size;
  private final ClusterState state;

  LargeCluster(ClusterSize size) {
    this.size = size;
    ClusterState made =
        ClusterState.EMPTY
            .apply(new ClusterEvent.ClusterFormed("large", id()))
            .apply(new ClusterEvent.FeatureLevelRaised(FeatureLevels.NEWEST));
    for (int number = 0; number < size.nodes(); number++) {
      made = made.apply(new ClusterEvent.NodeJoined(node(number)));
    }
    for (int number = 0; number < size.indices(); number++) {
      made = made.apply(new ClusterEvent.IndexCreated(index(number)));
    }
    this.state = made;
  }

  ClusterSize size() {
    return size;
  }

  ClusterState state() {
    return state;
  }

  private String id() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  static NodeInfo node(int number) {
    return new NodeInfo(
        nodeId(number),
        "node-" + number,
        nodeId(number) + "-process",
        Set.of(NodeInfo.PRIMARY, NodeInfo.REPLICA, NodeInfo.SEARCH),
        "http://10.0." + number / 250 + "." + number % 250 + ":9301",
        Map.of("zone", "zone-" + number % 3));
  }

  static String nodeId(int number) {
    return String.format(Locale.ROOT, "node-%04d-0123456789ab", number);
  }

  static String indexName(int number) {
    return String.format(Locale.ROOT, "logs-%05d", number);
  }

  private IndexMetadata index(int number) {
    int searchedIndices = SEARCHED_SHARDS / size.shardsPerIndex();
    boolean searched = number % (size.indices() / searchedIndices) == 0;
    String uuid = id();
    return new IndexMetadata(
        indexName(number),
        uuid,
        CREATED_MILLIS + number,
        settings(),
        1,
        MAPPING,
        1,
        null,
        shards(number, uuid),
        IndexMetadata.Access.of(searched ? Map.of(ALIAS, AliasMetadata.PLAIN) : Map.of()));
  }

  private Map<String, String> settings() {
    return Map.of(
        "index.number_of_shards",
        Integer.toString(size.shardsPerIndex()),
        "index.number_of_replicas",
        "1",
        "index.refresh_interval",
        "5s",
        "index.replication.type",
        "SEGMENT");
  }

  /** Primaries and replicas are spread evenly over the nodes. */
  private List<ShardRouting> shards(int index, String uuid) {
    List<ShardRouting> shards = new ArrayList<>();
    for (int shard = 0; shard < size.shardsPerIndex(); shard++) {
      int position = index * size.shardsPerIndex() + shard;
      int primary = position % size.nodes();
      int replica = (primary + 1 + position / size.nodes() % (size.nodes() - 1)) % size.nodes();
      shards.add(
          new ShardRouting(
              new ShardId(uuid, shard), 1, List.of(copy(true, primary), copy(false, replica))));
    }
    return shards;
  }

  private CopyRouting copy(boolean primary, int node) {
    return new CopyRouting(id(), primary, CopyRouting.State.STARTED, nodeId(node), "INDEX_CREATED");
  }

  /** An index that was just created: its copies are not assigned. */
  IndexMetadata newIndex(String name) {
    String uuid = id();
    List<ShardRouting> shards = new ArrayList<>();
    for (int shard = 0; shard < size.shardsPerIndex(); shard++) {
      shards.add(
          new ShardRouting(
                  new ShardId(uuid, shard),
                  0,
                  List.of(
                      CopyRouting.unassigned(id(), true, "INDEX_CREATED"),
                      CopyRouting.unassigned(id(), false, "INDEX_CREATED")))
              .asNeverStarted());
    }
    return new IndexMetadata(name, uuid, CREATED_MILLIS, settings(), 1, MAPPING, 1, null, shards);
  }

  /** An index at random. */
  IndexMetadata anyIndex() {
    return state.indices().get(indexName(random.nextInt(size.indices())));
  }

  /** A copy at random. */
  CopyProgress anyProgress() {
    IndexMetadata index = anyIndex();
    ShardRouting shard = index.shard(random.nextInt(index.numberOfShards()));
    CopyRouting copy = shard.copies().get(random.nextInt(2));
    return new CopyProgress(
        copy.copyId(),
        shard.shard(),
        String.valueOf(copy.nodeId()),
        copy.primary(),
        "STARTED",
        1,
        1_234,
        9_876_543,
        9_876_540,
        9_876_500,
        0,
        0,
        0,
        12,
        345,
        67_890_123,
        CREATED_MILLIS,
        null);
  }

  static NodeHeartbeat heartbeat(int number) {
    NodeInfo node = node(number);
    return new NodeHeartbeat(
        node.nodeId(),
        node.name(),
        node.incarnation(),
        node.roles(),
        node.url(),
        CREATED_MILLIS,
        new NodeHeartbeat.Load(
            0.25, 1L << 30, 4L << 30, 20L << 30, 24L << 30, 0.5, 1L << 40, 1L << 39, 4711, 1),
        node.attributes(),
        0,
        FeatureLevels.OF_THIS_RELEASE);
  }

  /** Disks that are half full. */
  Map<String, DiskUsage> disks() {
    Map<String, DiskUsage> disks = new HashMap<>();
    for (int number = 0; number < size.nodes(); number++) {
      disks.put(nodeId(number), new DiskUsage(1L << 40, 1L << 39));
    }
    return disks;
  }
}
