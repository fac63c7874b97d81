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
import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.rpc.ClusterCalls;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node without processes or network: the log in memory, a leader that grants every request, and
 * one index with one shard, whose log may be a real one.
 */
public final class NodeWorld implements AutoCloseable {

  public static final String INDEX_UUID = "uuid-of-books";
  public static final ShardId SHARD = new ShardId(INDEX_UUID, 0);

  /** The fate of appends of operations or of manifests. */
  public enum Weather {
    FINE,
    SILENT,
    LOST,
    FULL
  }

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
  private final MessageLog log;
  private final ClusterView view;
  private final Path data;
  private long nextEvent;

  /** The clock of nodes that are created from now on. */
  public volatile InstantSource clock = InstantSource.system();

  /** The limit that nodes created from now on share. */
  public volatile ReadAhead readAhead = ReadAhead.ofHeap();

  public volatile Weather weather = Weather.FINE;
  public volatile Weather manifestWeather = Weather.FINE;
  private final Queue<PartitionLog.AppendCallback> silenced = new ConcurrentLinkedQueue<>();
  public final Leader leader = new Leader();
  public final List<String> broken = new CopyOnWriteArrayList<>();

  public NodeWorld(Path data) throws Exception {
    this(data, null);
  }

  /**
   * @param shards the log of operations and manifests; {@code null} for the log in memory
   */
  public NodeWorld(Path data, @Nullable MessageLog shards) throws Exception {
    this.data = data;
    log = new WeatherLog(memory, shards == null ? memory : shards);
    view = new ClusterView(log.open(topics.clusterLog(), 0), _ -> {});
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
    public long newTerm(ClusterCalls.NewTerm wish, Duration timeout) {
      newTerms.add(wish);
      return happened(
          new ClusterEvent.PrimaryAssigned(
              wish.shard(), wish.copyId(), wish.nodeId(), wish.lastTerm() + 1));
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
    public long newFields(ClusterCalls.NewFields wish, Duration timeout) {
      newFields.add(wish);
      return happened(
          new ClusterEvent.MappingChanged(
              wish.indexUuid(), wish.knownMappingVersion() + 1, mappingToGrant));
    }

    @Override
    public long leaseOverLimit(ClusterCalls.LeaseOverLimit news, Duration timeout) {
      leasesOverLimit.add(news);
      return view.current().version();
    }
  }

  /** The number of appends that never got an answer. */
  public int silenced() {
    return silenced.size();
  }

  /** Ends all appends without an outcome: a copy waits for them when it closes. */
  public void endSilence() {
    for (PartitionLog.AppendCallback callback = silenced.poll();
        callback != null;
        callback = silenced.poll()) {
      PartitionLog.AppendCallback ended = callback;
      logThread.execute(() -> ended.unknown("the log was closed"));
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
      log.open(topics.clusterLog(), 0)
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
        NodeSettings.of(data.resolve(name)),
        log,
        topics,
        view,
        itsLeader,
        http,
        clock,
        timer,
        blocking,
        new Applying(applying, readAhead));
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
            // No test listens for progress.
          }

          @Override
          public void broken(String reason) {
            broken.add(reason);
          }
        });
  }

  public PartitionLog operations() {
    return log.open(topics.operations(INDEX_UUID), 0);
  }

  /** Makes the log of operations lose its tail. */
  public void cutOperations(long endOffset) {
    memory.cutEnd(topics.operations(INDEX_UUID), 0, endOffset);
  }

  public PartitionLog manifests() {
    return log.open(topics.manifests(INDEX_UUID), 0);
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

  /**
   * Passes on all calls except appends of operations and manifests, whose fate is set by their
   * weather.
   */
  private final class WeatherLog implements MessageLog {

    private final MessageLog inner;
    private final MessageLog shards;

    WeatherLog(MessageLog inner, MessageLog shards) {
      this.inner = inner;
      this.shards = shards;
    }

    @Override
    public PartitionLog open(String topic, int partition) {
      if (topic.contains(".ops.")) {
        return new WeatherPartition(shards.open(topic, partition), () -> weather);
      }
      return topic.contains(".manifests.")
          ? new WeatherPartition(shards.open(topic, partition), () -> manifestWeather)
          : inner.open(topic, partition);
    }

    @Override
    public void createTopic(TopicSpec topic) throws LogException {
      inner.createTopic(topic);
    }

    @Override
    public void deleteTopic(String topic) throws LogException {
      inner.deleteTopic(topic);
    }

    @Override
    public Set<String> topics() throws LogException {
      return inner.topics();
    }

    @Override
    public String topicId(String topic) throws LogException {
      return inner.topicId(topic);
    }

    @Override
    public void close() {
      inner.close();
    }
  }

  private final class WeatherPartition extends DelegatingLog {

    private final Supplier<Weather> over;

    WeatherPartition(PartitionLog inner, Supplier<Weather> over) {
      super(inner);
      this.over = over;
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      switch (over.get()) {
        case FINE -> super.append(record, callback);
        case SILENT -> silenced.add(callback);
        case LOST -> logThread.execute(() -> callback.unknown("the broker went away"));
        case FULL -> throw new LogException.Full("too much is under way");
      }
    }
  }
}
