package io.varve.host;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.process.Ticker;
import io.varve.rpc.ClusterCalls;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A node without processes or network: the log in memory, a leader that grants every request, and
 * one index with one shard, whose log may be a real one.
 */
public final class NodeWorld implements AutoCloseable {

  public static final String INDEX_UUID = "uuid-of-books";
  public static final ShardId SHARD = new ShardId(INDEX_UUID, 0);

  private static final Duration LONG = Duration.ofMinutes(10);

  /**
   * Longer than a slow machine pauses any thread, and than the timeouts of tests. Only appends that
   * a test leaves without an answer do not hold up a primary that closes.
   */
  public static final NodeLimits PATIENT =
      new NodeLimits(
          new NodeLimits.Answers(LONG, LONG, LONG, LONG, LONG),
          LONG,
          new NodeLimits.Closing(NodeLimits.DEFAULT.closing().appends(), LONG));

  private final ExecutorService logThread =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService applying =
      Executors.newFixedThreadPool(2, Thread.ofPlatform().daemon().factory());
  private final HttpClient http = HttpClient.newHttpClient();
  private final Topics topics = new Topics("test", 1);
  private final InMemoryMessageLog memory =
      new InMemoryMessageLog(logThread, System::currentTimeMillis);
  private final ClusterView view;
  private final Path data;
  private long nextEvent;

  /** The clock of nodes that are created from now on. */
  public volatile InstantSource clock = InstantSource.system();

  /** The limits of nodes that are created from now on. */
  public volatile NodeLimits limits = PATIENT;

  /** The limit that nodes created from now on share. */
  public volatile ReadAhead readAhead = ReadAhead.ofHeap();

  /** The turns that nodes created from now on share. */
  public volatile RefreshTurns refreshes = new RefreshTurns(1, Ticker.SYSTEM);

  /** What the idle copies of nodes created from now on share. */
  public volatile IdleMemory<ShardId> idle = IdleMemory.ofHeap();

  public final AppendFaults appends;
  public final Leader leader = new Leader();
  public final List<String> broken = new CopyOnWriteArrayList<>();

  /** How often copies reported progress. */
  public final AtomicInteger progressed = new AtomicInteger();

  public NodeWorld(Path data) throws Exception {
    this(data, null);
  }

  /**
   * @param shards the log of operations and manifests; {@code null} for the log in memory
   */
  public NodeWorld(Path data, @Nullable MessageLog shards) throws Exception {
    this.data = data;
    appends = new AppendFaults(memory, shards == null ? memory : shards, logThread);
    view = new ClusterView(appends.open(topics.clusterLog(), 0), _ -> {});
    view.start();
    append(RecordHeader.fence(1, "c1"));
    happened(new ClusterEvent.ClusterFormed("test", "uuid-of-test"));
  }

  /** Receives the requests of nodes, as the leading coordinator does, and grants them. */
  public final class Leader implements LeaderClient {

    public final List<ClusterCalls.NewTerm> newTerms = new CopyOnWriteArrayList<>();
    public final List<ClusterCalls.CopyStarted> started = new CopyOnWriteArrayList<>();
    public final List<ClusterCalls.CopyFailed> failed = new CopyOnWriteArrayList<>();
    public final List<ClusterCalls.NewFields> newFields = new CopyOnWriteArrayList<>();
    public final List<ClusterCalls.LeaseOverLimit> leasesOverLimit = new CopyOnWriteArrayList<>();
    public final List<ClusterCalls.LostHistory> lost = new CopyOnWriteArrayList<>();
    public volatile String mappingToGrant = "{}";

    @Override
    public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
      newTerms.add(request);
      return happened(
          new ClusterEvent.PrimaryAssigned(
              request.shard(), request.copyId(), request.nodeId(), request.lastTerm() + 1));
    }

    @Override
    public long copyStarted(ClusterCalls.CopyStarted news, Duration timeout) {
      started.add(news);
      return happened(new ClusterEvent.CopyStarted(news.shard(), news.copyId(), news.term()));
    }

    @Override
    public long copyFailed(ClusterCalls.CopyFailed news, Duration timeout) {
      failed.add(news);
      return happened(new ClusterEvent.CopyUnassigned(news.shard(), news.copyId(), news.reason()));
    }

    @Override
    public long historyLost(ClusterCalls.LostHistory news, Duration timeout) {
      lost.add(news);
      return view.current().version();
    }

    @Override
    public long newFields(ClusterCalls.NewFields request, Duration timeout) {
      newFields.add(request);
      return happened(
          new ClusterEvent.MappingChanged(
              request.indexUuid(), request.knownMappingVersion() + 1, mappingToGrant));
    }

    @Override
    public long leaseOverLimit(ClusterCalls.LeaseOverLimit news, Duration timeout) {
      leasesOverLimit.add(news);
      return view.current().version();
    }
  }

  public synchronized long happened(ClusterEvent event) {
    append(
        RecordHeader.data(
            1, nextEvent++, "event".getBytes(StandardCharsets.UTF_8), Json.write(event)));
    try {
      if (!view.awaitVersion(nextEvent, Duration.ofSeconds(60))) {
        throw new AssertionError("the view did not see event " + nextEvent);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return nextEvent;
  }

  private void append(RawRecord record) {
    try {
      appends
          .open(topics.clusterLog(), 0)
          .append(
              record,
              new PartitionLog.AppendCallback() {
                @Override
                public void appended(long offset, long timestampMillis) {
                  // The view reads the record.
                }

                @Override
                public void unknown(String reason) {
                  throw new AssertionError(reason);
                }
              });
    } catch (LogException.Full e) {
      throw new AssertionError(e);
    }
  }

  public void createIndex(Map<String, String> settings, String mapping) {
    createIndex(settings, mapping, null);
  }

  public void createIndex(
      Map<String, String> settings, String mapping, @Nullable FollowRelation follow) {
    happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "books",
                INDEX_UUID,
                0,
                settings,
                1,
                mapping,
                1,
                follow,
                List.of(
                    new ShardRouting(
                        SHARD,
                        0,
                        List.of(CopyRouting.unassigned("copy-0", true, "INDEX_CREATED")))))));
  }

  /** Returns the context of a node with that name. */
  public NodeContext node(String name) {
    return node(name, leader);
  }

  NodeContext node(String name, LeaderClient itsLeader) {
    return new NodeContext(
        new NodeIdentity(name, name, "incarnation-of-" + name, Set.of(NodeInfo.PRIMARY)),
        NodeSettings.of(data.resolve(name)).with(limits),
        appends,
        topics,
        view,
        itsLeader,
        http,
        clock,
        timer,
        blocking,
        new Applying(applying, readAhead, refreshes, idle));
  }

  public CopyContext copy(String nodeName) {
    NodeContext node = node(nodeName);
    return new CopyContext(
        node,
        SHARD,
        "copy-on-" + nodeName,
        Folders.of(node.settings().data(), SHARD),
        new CopyContext.Listener() {
          @Override
          public void progressed() {
            progressed.incrementAndGet();
          }

          @Override
          public void broken(String reason) {
            broken.add(reason);
          }

          @Override
          public void contradicted(String reason) {
            broken.add(reason);
          }
        });
  }

  public PartitionLog operations() {
    return appends.open(topics.operations(INDEX_UUID), 0);
  }

  /** Makes the log of operations lose its tail. */
  public void cutOperations(long endOffset) {
    memory.cutEnd(topics.operations(INDEX_UUID), 0, endOffset);
  }

  public PartitionLog manifests() {
    return appends.open(topics.manifests(INDEX_UUID), 0);
  }

  /** Makes the manifests disappear, as if their topic was created again. */
  public void loseManifests() {
    memory.deleteTopic(topics.manifests(INDEX_UUID));
  }

  /** From now on, no node knows the end of the cluster log. */
  public void stopReadingTheClusterLog() {
    view.close();
    append(RecordHeader.fence(2, "c2"));
  }

  @Override
  public void close() {
    view.close();
    timer.shutdownNow();
    applying.shutdownNow();
    blocking.shutdownNow();
    logThread.shutdownNow();
    http.shutdownNow();
  }
}
