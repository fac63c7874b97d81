package io.varve.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.NodeHeartbeat;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.SnapshotId;
import io.varve.host.ShardNode;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.rpc.BulkWire;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.CopyStats;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.GetResult;
import io.varve.rpc.GetResultWire;
import io.varve.rpc.NodeBulkWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The real service on a real broker. This test replaces the leading coordinator: it writes the
 * cluster log and answers the node's calls.
 */
@Tag("system")
@Tag("broker")
class ShardServiceTest {

  private static final Duration LONG = Duration.ofMinutes(2);
  private static final ShardId SHARD = new ShardId("uuid-books", 0);
  private static final Topics TOPICS = new Topics("varve", 1);

  @TempDir Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private EmbeddedBroker broker;
  private MessageLog log;
  private HttpServer leader;
  private ConfigurableApplicationContext service;
  private long nextEvent;

  @AfterEach
  void end() throws Exception {
    if (service != null) {
      service.close();
    }
    if (leader != null) {
      leader.stop(0);
    }
    if (log != null) {
      log.close();
    }
    if (broker != null) {
      broker.close();
    }
    http.shutdownNow();
  }

  @Test
  void hostsAPrimaryFromItsAssignmentToTheDeletionOfItsIndex() throws Exception {
    startBroker();
    startLeader();
    startService();
    NodeHeartbeat node = node();
    join(node);
    log.createTopic(TOPICS.operationsSpec(SHARD.indexUuid(), 1));
    log.createTopic(TOPICS.manifestsSpec(SHARD.indexUuid(), 1));
    createIndex();
    happened(new ClusterEvent.PrimaryAssigned(SHARD, "copy-1", node.nodeId(), 1));

    awaitStarted(1);
    List<WriteResult> results = write(1, 500);
    assertThat(results).allMatch(result -> result instanceof WriteResult.Done);
    assertThat(document("b7").found()).isTrue();
    assertThat(post("/visible?seq_no=499&timeout_millis=60000", new byte[0]).statusCode())
        .isEqualTo(200);
    assertThat(found("{\"query\":{\"term\":{\"title\":\"t7\"}}}").total()).isEqualTo(1);
    assertThat(post("/flush", new byte[0]).statusCode()).isEqualTo(200);
    CopyStats stats = Json.read(get("/stats").body(), CopyStats.class);
    assertThat(stats.docs()).isEqualTo(500);
    assertThat(stats.progress().visibleSeqNo()).isEqualTo(499);
    assertThat(stats.seqNos().uncommittedOperations()).isZero();
    readASegmentFile(stats.progress().generation());
    assertThat(post("/bulk?term=9", bulk(1)).statusCode()).isEqualTo(409);
    assertThat(metrics()).contains("varve_copy_docs").contains("varve_http_seconds");

    service.close();
    startService();
    NodeHeartbeat again = node();
    assertThat(again.nodeId()).isEqualTo(node.nodeId());
    assertThat(again.incarnation()).isNotEqualTo(node.incarnation());
    join(again);
    happened(new ClusterEvent.PrimaryAssigned(SHARD, "copy-1", node.nodeId(), 2));
    awaitStarted(2);
    assertThat(document("b499").found()).isTrue();
    assertThat(write(2, 1)).allMatch(result -> result instanceof WriteResult.Done);
    assertThat(writeTogether(2)).containsExactlyInAnyOrder("0: 200", "1: 404");

    happened(new ClusterEvent.IndexDeleted(SHARD.indexUuid()));
    await().atMost(LONG).until(() -> get("/stats").statusCode() == 404);
    await().atMost(LONG).until(() -> !Files.exists(folder.resolve("data/shards/uuid-books")));
  }

  private void startBroker() throws Exception {
    broker = EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.OS);
    log = new KafkaMessageLog(KafkaLogConfig.of(broker.bootstrapServers(), "test"));
    log.createTopics(List.of(TOPICS.clusterLogSpec(), TOPICS.nodesSpec(), TOPICS.progressSpec()));
    append(RecordHeader.fence(1, "leader"));
    happened(new ClusterEvent.ClusterFormed("varve", "uuid-cluster"));
  }

  private void startLeader() throws Exception {
    leader = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    leader.createContext(
        "/_internal/cluster/copies/started",
        exchange -> {
          ClusterCalls.CopyStarted news =
              Json.read(exchange.getRequestBody().readAllBytes(), ClusterCalls.CopyStarted.class);
          byte[] answer =
              Json.write(
                  new ClusterCalls.Applied(
                      happened(
                          new ClusterEvent.CopyStarted(news.shard(), news.copyId(), news.term()))));
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    leader.start();
    happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                "leader",
                "leader",
                "1",
                Set.of(NodeInfo.COORDINATOR),
                "http://127.0.0.1:" + leader.getAddress().getPort())));
  }

  private void startService() {
    service =
        ShardService.start(
            "--varve.data=" + folder.resolve("data"),
            "--varve.kafka.bootstrap-servers=" + broker.bootstrapServers());
  }

  private NodeHeartbeat node() {
    return service.getBean(ShardNode.class).heartbeat().orElseThrow().current();
  }

  private void join(NodeHeartbeat node) {
    happened(
        new ClusterEvent.NodeJoined(
            new NodeInfo(
                node.nodeId(), node.name(), node.incarnation(), node.roles(), node.url())));
  }

  private void createIndex() {
    happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                SHARD.indexUuid(),
                0,
                Map.of("index.refresh_interval", "100ms"),
                1,
                "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}",
                1,
                null,
                List.of(
                    new ShardRouting(
                        SHARD,
                        0,
                        List.of(CopyRouting.unassigned("copy-0", true, "INDEX_CREATED")))))));
  }

  private void awaitStarted(long term) {
    ShardNode node = service.getBean(ShardNode.class);
    await()
        .atMost(LONG)
        .until(() ->
            node.context()
                .cluster()
                .current()
                .shard(SHARD)
                .filter(s -> s.primaryTerm() == term && s.primary().started())
                .isPresent());
  }

  private List<WriteResult> write(long term, int count) throws Exception {
    HttpResponse<byte[]> response = post("/bulk?term=" + term, bulk(count));
    assertThat(response.statusCode()).isEqualTo(200);
    return BulkWire.decodeResults(response.body());
  }

  /** The statuses of the parts of a bulk for this shard and one that the node does not have. */
  private List<String> writeTogether(long term) throws Exception {
    List<WriteItem> items = List.of(WriteItem.delete("b0"));
    byte[] body =
        NodeBulkWire.encodeRequest(
            List.of(
                new NodeBulkWire.Part(SHARD, term, 1, null, items),
                new NodeBulkWire.Part(new ShardId(SHARD.indexUuid(), 1), term, 1, null, items)));
    HttpResponse<byte[]> response = post(URI.create(node().url() + NodeBulkWire.PATH), body);
    assertThat(response.statusCode()).isEqualTo(200);
    List<String> statuses = new ArrayList<>();
    new NodeBulkWire.Frames()
        .add(
            response.body(),
            response.body().length,
            frame -> statuses.add(frame.part() + ": " + frame.status()));
    return statuses;
  }

  private static byte[] bulk(int count) {
    return BulkWire.encodeItems(
        IntStream.range(0, count)
            .mapToObj(i -> {
              byte[] body = ("{\"title\":\"t" + i + "\"}").getBytes(StandardCharsets.UTF_8);
              return WriteItem.index("b" + i, body);
            })
            .toList());
  }

  private GetResult document(String id) throws Exception {
    GetResult alone = GetResultWire.decode(get("/docs?id=" + id + "&realtime=true").body());
    byte[] wanted =
        DocumentsWire.encodeWanted(
            List.of(
                new DocumentsWire.Wanted("nobody", Set.of()),
                new DocumentsWire.Wanted(id, Set.of())));
    List<GetResult> among =
        DocumentsWire.decodeResults(post("/docs?realtime=true", wanted).body()).stream()
            .map(result -> ((DocumentsWire.Result.Read) result).result())
            .toList();
    assertThat(among).hasSize(2);
    assertThat(among.getFirst().found()).isFalse();
    assertThat(among.getLast()).usingRecursiveComparison().isEqualTo(alone);
    return alone;
  }

  private ShardSearchResult found(String body) throws Exception {
    SearchRequest search =
        SearchRequest.parse(body.getBytes(StandardCharsets.UTF_8), new HashMap<>());
    HttpResponse<byte[]> response =
        post("/search", new ShardSearchRequest(search, System.currentTimeMillis()).toBytes());
    assertThat(response.statusCode()).isEqualTo(200);
    return ShardSearchResult.fromBytes(response.body());
  }

  private void readASegmentFile(long generation) throws Exception {
    Manifest manifest =
        Json.read(get("/snapshots/1." + generation + "?copy=r1").body(), Manifest.class);
    var file = manifest.files().getFirst();
    HttpResponse<byte[]> bytes =
        get("/files/" + file.name() + "?snapshot=" + SnapshotId.of(manifest));
    assertThat(bytes.statusCode()).isEqualTo(200);
    assertThat(bytes.body()).hasSize((int) file.lengthBytes());
  }

  private String metrics() throws Exception {
    return await()
        .atMost(LONG)
        .until(
            () ->
                new String(
                    http.send(
                            HttpRequest.newBuilder(
                                    URI.create(node().url() + "/_actuator/prometheus"))
                                .build(),
                            HttpResponse.BodyHandlers.ofByteArray())
                        .body(),
                    StandardCharsets.UTF_8),
            text -> text.contains("varve_copy_docs"));
  }

  private HttpResponse<byte[]> get(String path) throws Exception {
    return http.send(
        HttpRequest.newBuilder(url(path)).build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> post(String path, byte[] body) throws Exception {
    return post(url(path), body);
  }

  private HttpResponse<byte[]> post(URI url, byte[] body) throws Exception {
    return http.send(
        HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private URI url(String path) {
    return URI.create(node().url() + "/_internal/shards/" + SHARD.indexUuid() + "/0" + path);
  }

  private synchronized long happened(ClusterEvent event) {
    append(
        RecordHeader.data(
            1, nextEvent++, "event".getBytes(StandardCharsets.UTF_8), Json.write(event)));
    return nextEvent;
  }

  private void append(RawRecord record) {
    CompletableFuture<Long> appended = new CompletableFuture<>();
    try {
      log.open(TOPICS.clusterLog(), 0)
          .append(
              record,
              new PartitionLog.AppendCallback() {
                @Override
                public void appended(long offset, long timestampMillis) {
                  appended.complete(offset);
                }

                @Override
                public void unknown(String reason) {
                  appended.completeExceptionally(new AssertionError(reason));
                }
              });
      appended.get(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
