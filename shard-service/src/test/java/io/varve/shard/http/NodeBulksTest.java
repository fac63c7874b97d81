package io.varve.shard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.stats.Pools;
import io.varve.events.ShardId;
import io.varve.host.AppendFaults;
import io.varve.host.HostedCopies;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.host.http.CopyCalls;
import io.varve.host.http.KnownState;
import io.varve.host.search.NodeTasks;
import io.varve.http.internal.InternalCallTimes;
import io.varve.http.internal.InternalRoutes;
import io.varve.http.internal.InternalServlet;
import io.varve.rpc.BulkWire;
import io.varve.rpc.NodeBulkWire;
import io.varve.rpc.NodeBulkWire.Frame;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** A node with primaries of several shards, of which some do not execute their part of a bulk. */
class NodeBulksTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final ShardId SERVING = new ShardId("i", 0);
  private static final ShardId SECOND = new ShardId("i", 1);
  private static final ShardId BLOCKED = new ShardId("i", 2);
  private static final ShardId MOVED = new ShardId("i", 3);

  @TempDir Path folder;
  private final WritePressure pressure = new WritePressure(10_000);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final NodeTasks tasks = new NodeTasks(InstantSource.system());
  private final Pools pools = new Pools();
  private InternalServlet servlet;
  private NodeWorld world;
  private NodeWorld blockedWorld;
  private PrimaryCopy primary;
  private PrimaryCopy blocked;

  @BeforeEach
  void startCopies() throws Exception {
    world = new NodeWorld(folder.resolve("serving"));
    blockedWorld = new NodeWorld(folder.resolve("blocked"));
    primary = started(world);
    blocked = started(blockedWorld);
    blockedWorld.appends.ofOperations = AppendFaults.Fate.UNANSWERED;
    Map<ShardId, ShardCopy> copies = Map.of(SERVING, primary, SECOND, primary, BLOCKED, blocked);
    CopyCalls calls =
        new CopyCalls(hosting(copies), pools, (_, _) -> {}, new InternalCallTimes(meters, () -> 0));
    NodeBulks bulks =
        new NodeBulks(
            calls,
            new PartWrites(
                tasks,
                uuid -> uuid,
                new KnownState(world.node("n1").cluster(), Duration.ofMillis(1))),
            () -> {},
            60_000);
    servlet = new InternalServlet(new InternalRoutes(bulks.endpoints().routes(), meters, () -> 0));
  }

  private PrimaryCopy started(NodeWorld itsWorld) throws Exception {
    itsWorld.createIndex(Map.of(), "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
    PrimaryCopy copy = new PrimaryCopy(itsWorld.copy("n1"), 1, pressure, null);
    copy.start();
    return copy;
  }

  private static HostedCopies hosting(Map<ShardId, ShardCopy> copies) {
    return new HostedCopies() {
      @Override
      public Optional<ShardCopy> copy(ShardId shard) {
        return Optional.ofNullable(copies.get(shard));
      }

      @Override
      public boolean isClosing(ShardId shard) {
        return false;
      }

      @Override
      public Optional<ShardCopy> await(ShardId shard, long waitMillis) {
        return copy(shard);
      }
    };
  }

  @AfterEach
  void end() {
    primary.close();
    blocked.close();
    world.close();
    blockedWorld.close();
  }

  private static NodeBulkWire.Part part(ShardId shard, long term, String id, int titleLength) {
    byte[] body =
        ("{\"title\":\"" + "x".repeat(titleLength) + "\"}").getBytes(StandardCharsets.UTF_8);
    return new NodeBulkWire.Part(shard, term, 1, "task:1", List.of(WriteItem.index(id, body)));
  }

  private static NodeBulkWire.Part ofNewerMetadata(ShardId shard, String id) {
    NodeBulkWire.Part part = part(shard, 1, id, 1);
    return new NodeBulkWire.Part(shard, 1, 1_000, part.task(), part.items());
  }

  private void send(byte[] body, MockHttpServletResponse response) throws Exception {
    MockHttpServletRequest request = new MockHttpServletRequest("POST", NodeBulkWire.PATH);
    request.setContent(body);
    servlet.service(request, response);
  }

  private static Map<Integer, Frame> frames(MockHttpServletResponse response) {
    Map<Integer, Frame> frames = new TreeMap<>();
    byte[] bytes = response.getContentAsByteArray();
    new NodeBulkWire.Frames()
        .add(
            bytes,
            bytes.length,
            frame -> assertThat(frames.put(frame.part(), frame)).as("twice").isNull());
    return frames;
  }

  private static WriteResult result(Frame frame) {
    assertThat(frame.status()).isEqualTo(200);
    return BulkWire.decodeResults(frame.body()).getFirst();
  }

  private double calls(String endpoint, int status) {
    return meters
        .get("varve.http")
        .tags("endpoint", endpoint, "status", Integer.toString(status))
        .timer()
        .count();
  }

  @Test
  void aPartThatIsBlockedMovedFencedRefusedOrUnreadableDoesNotAffectTheOthers() throws Exception {
    List<NodeBulkWire.Part> parts =
        List.of(
            part(BLOCKED, 1, "a", 1),
            part(MOVED, 1, "b", 1),
            part(SERVING, 1, "c", 1),
            part(SERVING, 9, "d", 1),
            part(SECOND, 1, "e", 20_000),
            part(SECOND, 1, "f", 1),
            ofNewerMetadata(SECOND, "h"),
            part(SERVING, 1, "g", 1));
    byte[] body = NodeBulkWire.encodeRequest(parts);
    // No kind of item has this number.
    body[body.length - BulkWire.encodeItems(parts.getLast().items()).length] = 0x7F;
    MockHttpServletResponse response = new MockHttpServletResponse();
    CompletableFuture<Void> bulk =
        CompletableFuture.runAsync(() -> {
          try {
            send(body, response);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });

    await().atMost(LONG).until(() -> frames(response).size() == 7);
    Map<Integer, Frame> frames = frames(response);
    assertThat(frames.keySet()).as("without the blocked one").doesNotContain(0);
    assertThat(frames.get(1).status()).isEqualTo(404);
    assertThat(result(frames.get(2))).isInstanceOf(WriteResult.Done.class);
    assertThat(frames.get(3).status()).isEqualTo(409);
    assertThat(frames.get(4).status()).isEqualTo(429);
    assertThat(result(frames.get(5))).isInstanceOf(WriteResult.Done.class);
    assertThat(frames.get(6).status()).as("the node lags").isEqualTo(409);
    assertThat(frames.get(7).status()).isEqualTo(400);
    assertThat(bulk).isNotDone();
    assertThat(pressure.currentBytes()).as("only the blocked part").isBetween(1L, 200L);
    assertThat(tasks.all()).hasSize(1);
    assertThat(new ArrayList<>(tasks.all()).getFirst().toString()).contains("task:1");

    blocked.close();
    bulk.get(1, TimeUnit.MINUTES);
    assertThat(result(frames(response).get(0))).isInstanceOf(WriteResult.Failed.class);
    await().atMost(LONG).until(() -> pressure.currentBytes() == 0);
    assertThat(calls("node-bulk", 200)).isEqualTo(1);
    assertThat(calls("bulk", 200)).isEqualTo(3);
    assertThat(calls("bulk", 429)).isEqualTo(1);
  }

  @Test
  void aRequestThatIsCutOffExecutesNothing() throws Exception {
    byte[] body =
        NodeBulkWire.encodeRequest(List.of(part(SERVING, 1, "a", 1), part(SECOND, 1, "b", 1)));
    byte[][] malformed = {
      {}, {0, 0}, Arrays.copyOf(body, 20), Arrays.copyOf(body, body.length - 1)
    };
    for (byte[] one : malformed) {
      MockHttpServletResponse response = new MockHttpServletResponse();
      send(one, response);
      assertThat(response.getStatus()).isEqualTo(400);
    }
    assertThat(primary.readable().current()).isEqualTo(-1);
  }
}
