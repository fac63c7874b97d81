package io.varve.node.replica;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.cluster.figures.Pools;
import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.node.CopyContext;
import io.varve.node.LeaderClient;
import io.varve.node.NodeContext;
import io.varve.node.NodeSettings;
import io.varve.node.ShardCopy;
import io.varve.node.http.ShardEndpoint;
import io.varve.node.http.ShardServlet;
import io.varve.node.primary.PrimaryCopy;
import io.varve.node.primary.WritePressure;
import io.varve.rpc.ClusterCalls;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * One shard: a log in memory, a real primary behind a real HTTP server, and room for replicas. What
 * is asked of the server is written down, and can be made to wait or fail.
 */
final class ReplicaWorld implements AutoCloseable {

  static final ShardId SHARD = new ShardId("u1", 0);
  static final Duration SOON = Duration.ofSeconds(20);

  /** Looks at each request for a snapshot or a file before it is answered. */
  interface Gate {
    /** May block; what it throws is the answer. */
    void pass(String method, String rest) throws IOException, InterruptedException;
  }

  private final Path data;
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService applying = Executors.newFixedThreadPool(2);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(blocking).build();
  private final InMemoryMessageLog log =
      new InMemoryMessageLog(blocking, System::currentTimeMillis);
  private final Topics topics = new Topics("t", 1);
  private final ClusterView view;
  private final Server server = new Server();
  private final ServerConnector connector = new ServerConnector(server);
  private final List<ShardCopy> opened = new ArrayList<>();
  private long clusterSeqNo;
  private long term;

  /** Requests for files, as {@code name range}. */
  final List<String> filesAsked = new CopyOnWriteArrayList<>();

  final List<String> brokenCopies = new CopyOnWriteArrayList<>();
  volatile Gate gate = (method, rest) -> {};
  volatile @Nullable PrimaryCopy primary;

  ReplicaWorld(Path data, Map<String, String> settings) throws Exception {
    this.data = data;
    view = new ClusterView(log.open(topics.clusterLog(), 0), reason -> {});
    startServer();
    appendCluster(RecordHeader.fence(1, "leader"));
    happen(new ClusterEvent.ClusterFormed("t", "uuid"));
    for (String node : List.of("n1", "n2")) {
      happen(
          new ClusterEvent.NodeJoined(
              new NodeInfo(node, node, "i", Set.of(NodeInfo.PRIMARY, NodeInfo.REPLICA), url())));
    }
    happen(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                SHARD.indexUuid(),
                0,
                settings,
                1,
                "{\"properties\":{\"title\":{\"type\":\"text\"},\"n\":{\"type\":\"long\"}}}",
                1,
                null,
                List.of(
                    new ShardRouting(
                        SHARD, 0, List.of(CopyRouting.unassigned("p0", true, "new")))))));
    view.start();
    if (!view.awaitVersion(4, SOON)) {
      throw new IllegalStateException("the cluster state did not arrive");
    }
  }

  private void startServer() throws Exception {
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    Map<String, ShardEndpoint> endpoints = new HashMap<>();
    SnapshotEndpoints.ofPrimaries()
        .byName()
        .forEach((name, endpoint) -> endpoints.put(name, gated(name, endpoint)));
    ServletContextHandler context = new ServletContextHandler();
    context.addServlet(
        new ServletHolder(
            new ShardServlet(
                shard -> Optional.ofNullable(primary),
                endpoints,
                new SimpleMeterRegistry(),
                new Pools())),
        "/_internal/shards/*");
    server.setHandler(context);
    server.start();
  }

  private ShardEndpoint gated(String name, ShardEndpoint endpoint) {
    return (ShardCopy copy,
        String rest,
        HttpServletRequest request,
        HttpServletResponse response) -> {
      gate.pass(name, rest);
      if (name.endsWith("files")) {
        filesAsked.add(rest + " " + request.getHeader("Range"));
      }
      endpoint.handle(copy, rest, request, response);
    };
  }

  String url() {
    return "http://127.0.0.1:" + connector.getLocalPort();
  }

  HttpClient http() {
    return http;
  }

  void happen(ClusterEvent event) {
    appendCluster(
        RecordHeader.data(
            1,
            clusterSeqNo++,
            event.entity().getBytes(StandardCharsets.UTF_8),
            Json.mapper().writerFor(ClusterEvent.class).writeValueAsBytes(event)));
  }

  private void appendCluster(RawRecord record) {
    append(log.open(topics.clusterLog(), 0), record);
  }

  static void append(PartitionLog partition, RawRecord record) {
    try {
      partition.append(
          record,
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {}

            @Override
            public void unknown(String reason) {
              throw new IllegalStateException(reason);
            }
          });
    } catch (LogException.Full e) {
      throw new IllegalStateException(e);
    }
  }

  CopyContext context(String nodeId, String copyId) throws IOException {
    Path nodeData = data.resolve(nodeId);
    Path folder = Files.createDirectories(nodeData.resolve("shards/u1/0"));
    return new CopyContext(node(nodeId, nodeData), SHARD, copyId, folder, listener(copyId));
  }

  private NodeContext node(String nodeId, Path nodeData) {
    return new NodeContext(
        new NodeIdentity(nodeId, nodeId, "i", Set.of()),
        NodeSettings.of(nodeData),
        log,
        topics,
        view,
        new NoLeader(),
        http,
        InstantSource.system(),
        timer,
        blocking,
        applying);
  }

  private CopyContext.Listener listener(String copyId) {
    return new CopyContext.Listener() {
      @Override
      public void progressed() {}

      @Override
      public void broken(String reason) {
        brokenCopies.add(copyId + ": " + reason);
      }
    };
  }

  /** Opens a primary on node n1, under the next term, over what its folder holds. */
  PrimaryCopy openPrimary() throws Exception {
    PrimaryCopy before = primary;
    if (before != null) {
      before.close();
    }
    PrimaryCopy made =
        new PrimaryCopy(context("n1", "p" + (term + 1)), ++term, new WritePressure(1 << 28));
    opened.add(made);
    made.start();
    primary = made;
    return made;
  }

  SegmentReplicaCopy openReplica() throws Exception {
    SegmentReplicaCopy replica = newReplica();
    replica.start();
    return replica;
  }

  SegmentReplicaCopy newReplica() throws IOException {
    SegmentReplicaCopy replica =
        new SegmentReplicaCopy(context("n2", "r1"), SegmentTransfers.DEFAULT);
    opened.add(replica);
    return replica;
  }

  DocumentReplicaCopy newDocumentReplica() throws IOException {
    DocumentReplicaCopy replica = new DocumentReplicaCopy(context("n2", "r1"));
    opened.add(replica);
    return replica;
  }

  Path indexFolder(String nodeId) {
    return data.resolve(nodeId).resolve("shards/u1/0/index");
  }

  PartitionLog operations() {
    return log.open(topics.operations(SHARD.indexUuid()), 0);
  }

  Manifest newestManifest() throws LogException {
    PartitionLog manifests = log.open(topics.manifests(SHARD.indexUuid()), 0);
    Manifest newest = NewestManifest.before(manifests.endOffset(), manifests);
    if (newest == null) {
      throw new IllegalStateException("no manifest yet");
    }
    return newest;
  }

  /**
   * Indexes documents {@code from} (inclusive) to {@code to}, and returns the last one's seq_no.
   */
  long index(int from, int to) throws InterruptedException {
    List<WriteItem> items = new ArrayList<>();
    for (int n = from; n < to; n++) {
      byte[] source =
          ("{\"title\":\"book number " + n + "\",\"n\":" + n + "}")
              .getBytes(StandardCharsets.UTF_8);
      items.add(item(WriteItem.Kind.INDEX, n, source));
    }
    return write(items);
  }

  long delete(int from, int to) throws InterruptedException {
    List<WriteItem> items = new ArrayList<>();
    for (int n = from; n < to; n++) {
      items.add(item(WriteItem.Kind.DELETE, n, new byte[0]));
    }
    return write(items);
  }

  private static WriteItem item(WriteItem.Kind kind, int n, byte[] body) {
    return new WriteItem(
        kind,
        "book-" + n,
        false,
        null,
        WriteItem.UNASSIGNED,
        0,
        WriteItem.VersionType.INTERNAL,
        WriteItem.UNASSIGNED,
        body,
        0,
        body.length);
  }

  private long write(List<WriteItem> items) throws InterruptedException {
    long last = -1;
    for (WriteResult result : writer().write(term, items, SOON)) {
      if (!(result instanceof WriteResult.Done done)) {
        throw new IllegalStateException("refused: " + result);
      }
      last = Math.max(last, done.seqNo());
    }
    return last;
  }

  /** Makes everything visible on the primary; returns up to which seq_no. */
  long refresh() throws InterruptedException {
    return writer().refresh(SOON).visibleSeqNo();
  }

  private PrimaryCopy writer() {
    PrimaryCopy now = primary;
    if (now == null) {
      throw new IllegalStateException("there is no primary");
    }
    return now;
  }

  @Override
  public void close() throws Exception {
    gate = (method, rest) -> {};
    for (ShardCopy copy : opened.reversed()) {
      copy.close();
    }
    view.close();
    server.stop();
    http.shutdownNow();
    timer.shutdownNow();
    applying.shutdownNow();
    blocking.shutdownNow();
  }

  /** Nobody leads: no document of these tests brings new fields. */
  private static final class NoLeader implements LeaderClient {
    @Override
    public long newTerm(ClusterCalls.NewTerm wish, Duration timeout) {
      throw new IllegalStateException("not expected: " + wish);
    }

    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      throw new IllegalStateException("not expected: " + news);
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      throw new IllegalStateException("not expected: " + news);
    }

    @Override
    public long newFields(ClusterCalls.NewFields wish, Duration timeout) {
      throw new IllegalStateException("not expected: " + wish);
    }
  }
}
