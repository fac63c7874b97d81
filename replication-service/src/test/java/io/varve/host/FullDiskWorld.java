package io.varve.host;

import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import io.varve.engine.SearchView;
import io.varve.process.Ticker;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose data folder is on a disk that fills up and is freed again. */
@Timeout(300)
abstract class FullDiskWorld {

  static final Duration LONG = Duration.ofSeconds(60);
  static final long SOON_MILLIS = 10;
  static final String FULL = "No space left on device";
  static final WritePressure PRESSURE = new WritePressure(1 << 20);

  @TempDir private Path data;
  NodeWorld world;
  @Nullable SmallDisk disk;
  AutoCloseable copies = () -> {};

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(data);
  }

  @AfterEach
  void close() throws Exception {
    try {
      copies.close();
    } finally {
      world.close();
      if (disk != null) {
        disk.close();
      }
    }
  }

  SmallDisk disk(SmallDisk.Kind kind) throws Exception {
    SmallDisk opened = kind.open(data.resolve("n1"));
    disk = opened;
    return opened;
  }

  /** Node n1, whose data folder is on the disk. */
  NodeContext nodeOn(SmallDisk small, LeaderClient leader) {
    NodeContext node = world.node("n1", leader);
    return new NodeContext(
        node.identity(),
        NodeSettings.of(small.folder()),
        node.log(),
        node.topics(),
        node.cluster(),
        node.leader(),
        node.http(),
        node.clock(),
        node.timer(),
        node.blocking(),
        node.applying());
  }

  static ProgressPublisher progress(NodeContext node) {
    return new ProgressPublisher(node.log(), node.topics(), node.timer(), Ticker.SYSTEM);
  }

  void createIndex(Map<String, String> settings) {
    world.createIndex(settings, "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
  }

  void join(NodeContext node) {
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                node.identity().nodeId(),
                "n1",
                node.identity().incarnation(),
                Set.of(NodeInfo.PRIMARY),
                "http://127.0.0.1:1")));
  }

  static int hits(ShardCopy copy) throws Exception {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    }
  }

  void assign(long term) {
    world.happened(new ClusterEvent.PrimaryAssigned(NodeWorld.SHARD, "copy-1", "n1", term));
  }

  PrimaryCopy awaitPrimary(NodeContext node, CopyHost host, long leastTerm) {
    await()
        .atMost(LONG)
        .until(() ->
            node.cluster()
                .current()
                .shard(NodeWorld.SHARD)
                .filter(shard -> shard.primaryTerm() >= leastTerm && shard.primary().started())
                .isPresent());
    return (PrimaryCopy) host.copy(NodeWorld.SHARD).orElseThrow();
  }
}
