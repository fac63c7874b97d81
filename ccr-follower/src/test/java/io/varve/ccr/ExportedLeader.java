package io.varve.ccr;

import com.sun.net.httpserver.HttpServer;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.host.Applying;
import io.varve.host.LeaderClient;
import io.varve.host.NodeContext;
import io.varve.host.NodeSettings;
import io.varve.rpc.ClusterCalls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The index {@code books} of another cluster, exported by a coordinator over HTTP, and the node of
 * a follower that pulls it.
 */
final class ExportedLeader implements AutoCloseable {

  static final String MAPPING =
      "{\"dynamic\":\"strict\",\"properties\":{\"title\":{\"type\":\"text\"}}}";

  /** Requests for the export. */
  final AtomicInteger asked = new AtomicInteger();

  /** Requests of the node to its own leading coordinator. */
  final List<ClusterCalls.NewFields> newFields = new CopyOnWriteArrayList<>();

  /** Losses that the node reported to its own leading coordinator. */
  final List<ClusterCalls.LostHistory> lost = new CopyOnWriteArrayList<>();

  final FollowerClusterLog cluster = new FollowerClusterLog();

  /** The answer to the next request. */
  volatile RemoteCluster.Export export =
      export(index(FollowerClusterLog.uuid("leader"), 3, MAPPING));

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final HttpClient http = HttpClient.newHttpClient();
  private final HttpServer coordinator =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final Path data;

  ExportedLeader(Path data) throws Exception {
    this.data = data;
    coordinator.createContext(
        "/_internal/cluster/export/books",
        exchange -> {
          asked.incrementAndGet();
          byte[] answer = Json.write(export);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    coordinator.start();
    cluster.seeds("127.0.0.1:" + coordinator.getAddress().getPort());
    cluster.createIndex("follower", FollowerClusterLog.pulledBy("n1"));
  }

  /** The leader index as the follower's node reaches it. */
  LeaderConnections.LeaderIndex connect() {
    return new LeaderConnections(node(), PatientLogs::open)
        .index(FollowerClusterLog.uuid("follower"), FollowerClusterLog.pulledBy("n1"));
  }

  static RemoteCluster.Export export(IndexMetadata index) {
    return new RemoteCluster.Export("there", "uuid", "kafka:9092", index, "ops", "id", null);
  }

  static IndexMetadata index(String uuid, long mappingVersion, String mapping) {
    return new IndexMetadata(
        "books",
        uuid,
        0,
        Map.of(),
        1,
        mapping,
        mappingVersion,
        null,
        List.of(FollowerClusterLog.shard("leader", 0)));
  }

  private NodeContext node() {
    return new NodeContext(
        new NodeIdentity("n1", "n1", "i", Set.of()),
        NodeSettings.of(data),
        cluster.log,
        new Topics("here", 1),
        cluster.view,
        new FollowersLeader(),
        http,
        InstantSource.fixed(Instant.EPOCH),
        timer,
        threads,
        new Applying(threads));
  }

  @Override
  public void close() {
    coordinator.stop(0);
    cluster.close();
    http.close();
    timer.shutdownNow();
    threads.shutdownNow();
  }

  /** Adds each requested field to the mapping of the follower's index. */
  private final class FollowersLeader implements LeaderClient {

    @Override
    public long historyLost(ClusterCalls.LostHistory news, Duration timeout) {
      lost.add(news);
      try {
        return cluster.happened(
            new ClusterEvent.MappingChanged(FollowerClusterLog.uuid("follower"), 9, "{}"));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long newFields(ClusterCalls.NewFields request, Duration timeout) {
      newFields.add(request);
      try {
        return cluster.happened(
            new ClusterEvent.MappingChanged(
                request.indexUuid(), request.knownMappingVersion() + 1, request.properties()));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
      throw new AssertionError("a puller has no copy");
    }

    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      throw new AssertionError("a puller has no copy");
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      throw new AssertionError("a puller has no copy");
    }

    @Override
    public long leaseOverLimit(ClusterCalls.LeaseOverLimit news, Duration timeout) {
      throw new AssertionError("not expected: " + news);
    }
  }
}
