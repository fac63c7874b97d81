package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.Json;
import io.varve.events.MergedSegment;
import io.varve.events.MergedSegment.Answer;
import io.varve.events.MergedSegment.State;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.NodeLimits;
import io.varve.host.NodeWorld;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replica to which a merged segment is announced. Each of its answers takes a second. */
@Timeout(180)
class MergeAnnouncerTest {

  private static final long ALL_MILLIS = 60_000;

  /** The replica's answer to each request. */
  private interface Replica {
    byte[] answer(int request);
  }

  @TempDir private Path folder;
  private final AtomicLong nowMillis = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final CopyRouting copy =
      new CopyRouting("r1", false, CopyRouting.State.STARTED, "n2", "");
  private HttpServer server;
  private NodeWorld world;
  private MergeAnnouncer announcer;
  private volatile int status = 200;
  private volatile Replica replica = _ -> json(State.ARRIVED, 0);

  @BeforeEach
  void open() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/_internal/shards/" + NodeWorld.INDEX_UUID + "/0/merged",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          nowMillis.addAndGet(1_000);
          byte[] answer = replica.answer(asked.size());
          asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
          if (exchange.getRequestMethod().equals("DELETE")) {
            over.countDown();
          }
        });
    server.start();
    world = new NodeWorld(folder);
    world.clock = () -> Instant.ofEpochMilli(nowMillis.get());
    NodeLimits usual = NodeLimits.DEFAULT;
    world.limits =
        new NodeLimits(NodeWorld.PATIENT.answers(), usual.mergeProgress(), usual.closing());
    world.createIndex(Map.of(), "{}");
    join();
    announcer = new MergeAnnouncer(world.copy("n1"), closed::get);
  }

  private void join() {
    world.happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                "n2",
                "n2",
                "i",
                Set.of(NodeInfo.REPLICA),
                "http://127.0.0.1:" + server.getAddress().getPort())));
  }

  @AfterEach
  void close() throws IOException {
    server.stop(0);
    world.close();
  }

  private static byte[] json(State state, long missingBytes) {
    return Json.write(new Answer(state, missingBytes));
  }

  private static MergedSegment segment() {
    return new MergedSegment(
        NodeWorld.SHARD,
        new SnapshotId(1, 4),
        "http://127.0.0.1:1",
        List.of(new SegmentFile("_4.cfs", 100, "1", "id")));
  }

  private boolean announce() {
    return announcer.announce(segment(), copy, ALL_MILLIS);
  }

  @Test
  void aCopyThatHasItIsAskedOnce() {
    assertThat(announce()).isTrue();

    assertThat(asked)
        .containsExactly(
            "POST /_internal/shards/" + NodeWorld.INDEX_UUID + "/0/merged?wait_millis=1000");
  }

  @Test
  void aCopyThatRefusesIsNotPolledAgain() {
    replica = _ -> json(State.REFUSED, 0);

    assertThat(announce()).isFalse();
    assertThat(asked).hasSize(1);
  }

  @Test
  void aCopyWithProgressIsPolledUntilItHasTheSegment() {
    replica = n -> n < 30 ? json(State.UNDER_WAY, 100 - n) : json(State.ARRIVED, 0);

    assertThat(announce()).isTrue();
    assertThat(asked).hasSize(31);
  }

  @Test
  void pollingEndsAfterTenSecondsWithoutProgress() {
    replica = n -> json(State.UNDER_WAY, n < 5 ? 100 - n : 96);

    assertThat(announce()).isFalse();
    assertThat(nowMillis).hasValue(5_000 + 10_000);
  }

  @Test
  void pollingEndsAtTheTimeout() {
    replica = n -> json(State.UNDER_WAY, 1_000 - n);

    assertThat(announce()).isFalse();
    assertThat(nowMillis).hasValue(ALL_MILLIS);
  }

  @Test
  void whateverGoesWrongIsANo() {
    status = 503;
    assertThat(announce()).isFalse();

    status = 200;
    replica = _ -> "<html>".getBytes(StandardCharsets.UTF_8);
    assertThat(announce()).isFalse();

    world.happened(new ClusterEvent.NodeLeft("n2", "gone"));
    assertThat(announce()).isFalse();
    assertThat(asked).hasSize(2);
  }

  @Test
  void pollingEndsWhenThePrimaryIsClosed() {
    replica =
        _ -> {
          closed.set(true);
          return json(State.UNDER_WAY, 50);
        };

    assertThat(announce()).isFalse();
    assertThat(announce()).isFalse();
    assertThat(asked).hasSize(1);
  }

  @Test
  void aMergeThatNoManifestWillNameIsOverForTheCopy() throws Exception {
    announcer.over(segment(), copy);

    assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(asked)
        .containsExactly("DELETE /_internal/shards/" + NodeWorld.INDEX_UUID + "/0/merged/1.4");
  }
}
