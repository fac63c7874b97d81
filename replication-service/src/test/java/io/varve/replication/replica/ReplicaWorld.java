package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.SearchView;
import io.varve.engine.fielddata.FielddataMemory;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.host.Applying;
import io.varve.host.CopyContext;
import io.varve.host.NodeContext;
import io.varve.host.NodeSettings;
import io.varve.host.NodeWorld;
import io.varve.host.ReadAhead;
import io.varve.host.RefreshTurns;
import io.varve.host.ShardCopy;
import io.varve.host.log.ManifestLog;
import io.varve.host.search.EagerOrdinals;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.process.Ticker;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import io.varve.shard.remote.RemoteStore;
import io.varve.shard.replicated.Rereplications;
import io.varve.store.ExponentialBackOff;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * One shard: a log in memory, a real primary behind a real HTTP server ({@link ReplicaServer}), and
 * room for replicas, which fetch as configured in {@link ReplicaTransfers}.
 */
final class ReplicaWorld implements AutoCloseable {

  static final ShardId SHARD = new ShardId("u1", 0);
  static final Duration SOON = Duration.ofSeconds(60);

  final RefreshTurns refreshes = new RefreshTurns(1, Ticker.SYSTEM);
  private final Path data;
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService applying = Executors.newFixedThreadPool(2);
  final RefusingTimer timer = new RefusingTimer();
  final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(blocking).build();
  private final InMemoryMessageLog log =
      new InMemoryMessageLog(blocking, System::currentTimeMillis);
  private final Topics topics = new Topics("t", 1);
  private final ReplicaClusterState cluster =
      new ReplicaClusterState(log.open(topics.clusterLog(), 0));
  private final List<ShardCopy> opened = new ArrayList<>();
  private final Map<String, ShardCopy> replicas = new ConcurrentHashMap<>();
  final ReplicaServer server = new ReplicaServer(this::copyOn, this::isPrimarys);
  final ReplicaTransfers transfers = new ReplicaTransfers();
  private long term;

  /** The back-off of replicas that are created from now on: a failed round is retried soon. */
  ExponentialBackOff retries = new ExponentialBackOff(10, 100, () -> 0.5);

  final List<String> brokenCopies = new CopyOnWriteArrayList<>();

  final NoLeader leader = new NoLeader();
  private ReaderWarmer warmer = ReaderWarmer.NONE;
  volatile @Nullable PrimaryCopy primary;

  ReplicaWorld(Path data, Map<String, String> settings) throws Exception {
    this(data, settings, 0);
  }

  /** A world with that many replicas in the routing, r1 on node n2 and so on. */
  ReplicaWorld(Path data, Map<String, String> settings, int replicas) throws Exception {
    this.data = data;
    List<String> nodes = new ArrayList<>(List.of("n1", "n2"));
    List<CopyRouting> copies = new ArrayList<>();
    copies.add(CopyRouting.unassigned("p0", true, "new"));
    for (int number = 1; number <= replicas; number++) {
      String node = "n" + (number + 1);
      if (number > 1) {
        nodes.add(node);
      }
      copies.add(new CopyRouting("r" + number, false, CopyRouting.State.STARTED, node, ""));
    }
    server.start();
    List<ClusterEvent> events = new ArrayList<>();
    events.add(new ClusterEvent.ClusterFormed("t", "uuid"));
    nodes.forEach(node -> events.add(new ClusterEvent.NodeJoined(node(node))));
    events.add(new ClusterEvent.IndexCreated(Books.index(SHARD, settings, copies)));
    cluster.start(events);
  }

  /** Returns the node with that name, one of {@link ReplicaServer#NODES}. */
  NodeInfo node(String name) {
    return new NodeInfo(
        name, name, "i", Set.of(NodeInfo.PRIMARY, NodeInfo.REPLICA), server.url(name));
  }

  private @Nullable ShardCopy copyOn(String node) {
    return isPrimarys(node) ? primary : replicas.get(node);
  }

  private boolean isPrimarys(String node) {
    PrimaryCopy now = primary;
    return now == null ? node.equals("n1") : now.progress().nodeId().equals(node);
  }

  void happen(ClusterEvent event) {
    cluster.append(event);
  }

  /** Sets the transient settings and waits until all nodes know them. */
  void clusterSettings(Map<String, String> transientSettings) throws InterruptedException {
    cluster.setTransient(transientSettings);
  }

  /** From now on, transfers follow the cluster settings, as on a real node. */
  void followLimits() {
    var _ = TransferLimits.follow(cluster.view(), transfers.now().budget());
  }

  /** Waits until all nodes know that routing of the shard. */
  void awaitRouting(Predicate<ShardRouting> expected) throws InterruptedException {
    cluster.await(state -> state.shard(SHARD).filter(expected).isPresent(), "routing");
  }

  CopyContext context(String nodeId, String copyId) throws IOException {
    Path nodeData = data.resolve(nodeId);
    Path folder = Files.createDirectories(nodeData.resolve("shards/u1/0"));
    return new CopyContext(nodeContext(nodeId, nodeData), SHARD, copyId, folder, listener(copyId));
  }

  private NodeContext nodeContext(String nodeId, Path nodeData) {
    return new NodeContext(
        new NodeIdentity(nodeId, nodeId, "i", Set.of()),
        NodeSettings.of(nodeData).with(NodeWorld.PATIENT),
        log,
        topics,
        cluster.view(),
        leader,
        http,
        InstantSource.system(),
        timer,
        blocking,
        new Applying(applying, ReadAhead.ofHeap(), refreshes));
  }

  private CopyContext.Listener listener(String copyId) {
    return new CopyContext.Listener() {
      @Override
      public void progressed() {
        server.copyChanged();
      }

      @Override
      public void broken(String reason) {
        brokenCopies.add(copyId + ": " + reason);
      }

      @Override
      public void contradicted(String reason) {
        broken(reason);
      }
    };
  }

  /** Opens a primary on node n1, under the next term, with the content of its folder. */
  PrimaryCopy openPrimary() throws Exception {
    return openPrimaryOn("n1");
  }

  /** The same on another node, which need not be in the cluster state. */
  PrimaryCopy openPrimaryOn(String nodeId) throws Exception {
    return openPrimary(context(nodeId, "p" + (term + 1)));
  }

  /** Promotes the replica in place; its node joins if it is not a member. */
  PrimaryCopy promote(ShardCopy replica) throws Exception {
    String nodeId = replica.progress().nodeId();
    replica.close();
    happen(new ClusterEvent.NodeJoined(node(nodeId)));
    return openPrimary(context(nodeId, replica.copyId()));
  }

  private PrimaryCopy openPrimary(CopyContext context) throws Exception {
    PrimaryCopy before = primary;
    if (before != null) {
      before.close();
    }
    PrimaryCopy made =
        new PrimaryCopy(
            context,
            ++term,
            new PrimaryCopy.OfNode(
                new WritePressure(1 << 28), new Rereplications(InstantSource.system())),
            remote(),
            new SegmentPeerRecovery(transfers.now()),
            new LeaderBootstrap(transfers.now()));
    opened.add(made);
    made.warmWith(warmer);
    // As on a real node: snapshots that it publishes while it starts can be requested.
    primary = made;
    made.start();
    return made;
  }

  /** Updates the cluster log: the primary, with its node and its term. */
  void routePrimary() throws Exception {
    PrimaryCopy now = writer();
    happen(
        new ClusterEvent.PrimaryAssigned(SHARD, now.copyId(), now.progress().nodeId(), now.term()));
    happen(new ClusterEvent.CopyStarted(SHARD, now.copyId(), now.term()));
    awaitRouting(
        shard -> shard.primary().copyId().equals(now.copyId()) && shard.primary().started());
  }

  private @Nullable RemoteStore remote() {
    SegmentTransfers now = transfers.now();
    return now.store() == null ? null : new RemoteStore(now.store(), new StoreBootstrap(now));
  }

  /** Copies that are opened from now on build global ordinals eagerly. */
  void makeOrdinalsAhead() {
    warmer = new EagerOrdinals(cluster.view(), FielddataMemory.unbounded()).of(SHARD);
  }

  /** The node of the primary is lost with its folder. */
  void losePrimary() throws IOException {
    writer().close();
    primary = null;
    FileSystemUtils.deleteRecursively(indexFolder("n1"));
  }

  SegmentReplicaCopy openReplica() throws Exception {
    SegmentReplicaCopy replica = newReplica();
    replica.start();
    return replica;
  }

  SegmentReplicaCopy openReplicaOn(String nodeId) throws Exception {
    SegmentReplicaCopy replica = newReplicaOn(nodeId);
    replica.start();
    return replica;
  }

  SegmentReplicaCopy newReplicaOn(String nodeId) throws IOException {
    return newReplica(context(nodeId, "r-" + nodeId));
  }

  SegmentReplicaCopy newReplica() throws IOException {
    return newReplica(1);
  }

  /** Replica {@code number} of the routing, on node {@code number + 1}. */
  SegmentReplicaCopy newReplica(int number) throws IOException {
    return newReplica(context("n" + (number + 1), "r" + number));
  }

  private SegmentReplicaCopy newReplica(CopyContext context) {
    SegmentReplicaCopy replica = new SegmentReplicaCopy(context, transfers.now(), retries);
    replica.warmWith(warmer);
    replicas.put(context.node().identity().nodeId(), replica);
    server.copyChanged();
    opened.add(replica);
    return replica;
  }

  DocumentReplicaCopy newDocumentReplica() throws IOException {
    DocumentReplicaCopy replica =
        new DocumentReplicaCopy(context("n2", "r1"), new SegmentPeerRecovery(transfers.now()));
    replica.warmWith(warmer);
    replicas.put("n2", replica);
    server.copyChanged();
    opened.add(replica);
    return replica;
  }

  /** That node answers for this copy. */
  void host(String nodeId, ShardCopy copy) {
    replicas.put(nodeId, copy);
    server.copyChanged();
  }

  PartitionLog operationsOf(ShardId shard) {
    return log.open(topics.operations(shard.indexUuid()), shard.number());
  }

  Path indexFolder(String nodeId) {
    return data.resolve(nodeId).resolve("shards/u1/0/index");
  }

  PartitionLog operations() {
    return log.open(topics.operations(SHARD.indexUuid()), 0);
  }

  ManifestLog manifests() {
    return new ManifestLog(log.open(topics.manifests(SHARD.indexUuid()), 0));
  }

  Manifest newestManifest() throws LogException {
    Manifest newest = manifests().before(manifests().partition().endOffset(), false).published();
    if (newest == null) {
      throw new IllegalStateException("no manifest yet");
    }
    return newest;
  }

  /** Indexes {@link Books#plain} and returns the seq_no of the last document. */
  long index(int from, int to) throws InterruptedException {
    return write(Books.plain(from, to));
  }

  long indexLong(int from, int to) throws InterruptedException {
    return write(Books.withNoise(from, to));
  }

  long delete(int from, int to) throws InterruptedException {
    return write(Books.deletions(from, to));
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

  /** Makes everything visible on the primary; returns the visible seq_no. */
  long refresh() throws InterruptedException {
    return writer().refresh(SOON).visibleSeqNo();
  }

  PrimaryCopy writer() {
    PrimaryCopy now = primary;
    if (now == null) {
      throw new IllegalStateException("there is no primary");
    }
    return now;
  }

  static void awaitVisible(SegmentReplicaCopy replica, long seqNo) throws InterruptedException {
    assertThat(replica.visible().await(seqNo, ReplicaWorld.SOON))
        .as("seq_no %d visible, progress %s", seqNo, replica.progress())
        .isTrue();
    // The files of the previous round are deleted when the newer manifest is shown.
    Awaitility.await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> replica.progress().checkpointsBehind() == 0);
  }

  static int hits(ShardCopy copy) throws IOException {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    }
  }

  @Override
  public void close() throws Exception {
    server.gate = (method, rest) -> {};
    for (ShardCopy copy : opened.reversed()) {
      copy.close();
    }
    cluster.close();
    server.close();
    http.shutdownNow();
    timer.shutdownNow();
    applying.shutdownNow();
    blocking.shutdownNow();
  }
}
