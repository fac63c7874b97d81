package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.host.NodeWorld;
import io.varve.rpc.FolderPosition;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An index without strong consistency pays nothing for it: no object, and no question to a copy.
 */
class EventualIndexTest {

  @TempDir Path folder;
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private NodeWorld world;
  private HttpServer replica;

  @BeforeEach
  void start() throws Exception {
    replica = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    replica.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    byte[] nothing = Json.write(FolderPosition.EMPTY);
    replica.createContext(
        "/_internal/folders/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(200, nothing.length);
          exchange.getResponseBody().write(nothing);
          exchange.close();
        });
    replica.start();
    world = new NodeWorld(folder);
  }

  @AfterEach
  void stop() {
    world.close();
    replica.stop(0);
  }

  /** Index, read and delete a document of an index whose replica is started. */
  private PrimaryCopy used(String consistency) throws Exception {
    world.happened(node("n1", "http://127.0.0.1:1"));
    world.happened(node("n2", "http://127.0.0.1:" + replica.getAddress().getPort()));
    world.happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                NodeWorld.INDEX_UUID,
                0,
                Map.of(
                    "index.refresh_interval", "-1", "index.replication.consistency", consistency),
                1,
                PrimaryCopyWorld.MAPPING,
                1,
                null,
                List.of(
                    new ShardRouting(
                        NodeWorld.SHARD,
                        1,
                        List.of(copy("copy-on-n1", true, "n1"), copy("r", false, "n2")))))));
    PrimaryCopy primary = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(1 << 20), null);
    primary.start();
    assertThat(primary.write(1, List.of(PrimaryCopyWorld.book("b", "t")), PrimaryCopyWorld.LONG))
        .hasSize(1);
    return primary;
  }

  private static ClusterEvent node(String name, String url) {
    return new ClusterEvent.NodeJoined(
        new NodeInfo(
            name, name, "incarnation-of-" + name, Set.of(NodeInfo.PRIMARY, NodeInfo.REPLICA), url));
  }

  private static CopyRouting copy(String id, boolean primary, String node) {
    return CopyRouting.unassigned(id, primary, "NEW")
        .assignedTo(id, node)
        .in(CopyRouting.State.STARTED);
  }

  @Test
  void aStrongPrimaryAsksItsReplica() throws Exception {
    try (PrimaryCopy primary = used("strong")) {
      assertThat(primary.strongRecords()).isPresent();
      assertThat(asked.poll(1, TimeUnit.MINUTES)).startsWith("/_internal/folders/");
      String next = asked.poll(1, TimeUnit.MINUTES);
      while (next != null && next.startsWith("/_internal/folders/")) {
        // An answer that comes late is asked for again.
        next = asked.poll(1, TimeUnit.MINUTES);
      }
      assertThat(next).endsWith("/holds");
    }
  }

  @Test
  void anEventualPrimaryHasNoPartThatKnowsOfItsCopiesAndAsksNone() throws Exception {
    try (PrimaryCopy primary = used("eventual")) {
      assertThat(primary.strongRecords()).isEmpty();
      assertThat(primary.strongReads()).isNull();
      assertThat(primary.strong()).isFalse();
    }
    assertThat(asked).isEmpty();
  }
}
