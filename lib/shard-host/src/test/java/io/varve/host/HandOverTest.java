package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.NodeInfo;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The steps of a primary's relocation target just before it takes over. */
@Timeout(180)
class HandOverTest {

  @TempDir private Path folder;
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private HttpServer primary;
  private NodeWorld world;
  private volatile int status = 200;
  private volatile String answer = "{\"visible_seq_no\":41}";

  @BeforeEach
  void open() throws Exception {
    primary = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    primary.createContext(
        "/_internal/shards/" + NodeWorld.INDEX_UUID + "/0/refresh",
        exchange -> {
          calls.add(exchange.getRequestMethod() + " refresh");
          byte[] body = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    primary.start();
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
    String url = "http://127.0.0.1:" + primary.getAddress().getPort();
    joins("n1", url);
    joins("n2", "http://127.0.0.1:1");
    world.happened(new ClusterEvent.PrimaryAssigned(NodeWorld.SHARD, "copy-0", "n1", 1));
    world.happened(new ClusterEvent.CopyStarted(NodeWorld.SHARD, "copy-0", 1));
    world.happened(new ClusterEvent.RelocationStarted(NodeWorld.SHARD, "copy-0", "target", "n2"));
  }

  private void joins(String nodeId, String url) {
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(nodeId, nodeId, "i", Set.of(NodeInfo.PRIMARY), url)));
  }

  @AfterEach
  void close() {
    primary.stop(0);
    world.close();
  }

  private void handOver() {
    world.happened(new ClusterEvent.HandOverStarted(NodeWorld.SHARD, "target", 2));
  }

  /** Prepares the target, which records the seq_no that it has to show. */
  private void prepare(String copyId) throws InterruptedException {
    ShardCopy copy =
        (ShardCopy)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ShardCopy.class},
                (_, method, arguments) ->
                    switch (method.getName()) {
                      case "copyId" -> copyId;
                      case "show" -> {
                        calls.add("show " + arguments[0]);
                        yield true;
                      }
                      default -> throw new AssertionError(method);
                    });
    new HandOver(world.node("n2"), NodeWorld.SHARD).prepare(copy);
  }

  @Test
  void theTargetShowsWhatThePrimaryHasBeforeItTakesOver() throws Exception {
    handOver();

    prepare("target");

    assertThat(calls).containsExactly("POST refresh", "show 41");
  }

  @Test
  void nobodyIsAskedBeforeTheTargetIsToTakeOver() throws Exception {
    prepare("target");
    handOver();
    prepare("another");

    assertThat(calls).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"503, '{}'", "200, <html>", "200, ''"})
  void aPrimaryThatDoesNotSayWhatItHasIsFollowedWithoutIt(int code, String body) throws Exception {
    handOver();
    status = code;
    answer = body;

    prepare("target");

    assertThat(calls).containsExactly("POST refresh");
  }

  @Test
  void aPrimaryThatIsGoneIsFollowedWithoutItsLastRefresh() throws Exception {
    handOver();
    primary.stop(0);

    prepare("target");

    assertThat(calls).isEmpty();
  }
}
