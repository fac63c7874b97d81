package io.varve.host;

import io.varve.cluster.ClusterMember;
import io.varve.cluster.ClusterView;
import io.varve.cluster.NodeIdentity;
import io.varve.cluster.Topics;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.process.SteadyTimer;
import io.varve.process.Ticker;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that holds copies: follows the cluster log, sends heartbeats, hosts the copies that are
 * assigned to it. Closing it commits and closes all copies.
 */
public final class ShardNode implements ClusterMember, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ShardNode.class);
  private static final long PAUSE_MILLIS = 500;
  private static final long IDLE_SECONDS = 30;

  private final NodeContext context;
  private final ProgressPublisher progress;
  private final CopyHost host;
  private final ThreadPoolExecutor applying;
  private volatile @Nullable Heartbeats heartbeat;
  private volatile @Nullable Thread starter;
  private volatile String lostReason = "";

  /** Takes ownership of the log and closes it at the end. */
  public ShardNode(
      NodeIdentity identity,
      NodeSettings settings,
      MessageLog log,
      Topics topics,
      Function<NodeContext, CopyFactory> factory) {
    ScheduledExecutorService timer = new SteadyTimer("varve-timer");
    AtomicInteger number = new AtomicInteger();
    int processors = Runtime.getRuntime().availableProcessors();
    applying =
        new ThreadPoolExecutor(
            processors,
            processors,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task ->
                Thread.ofPlatform()
                    .name("varve-apply-" + number.incrementAndGet())
                    .daemon()
                    .unstarted(task));
    applying.allowCoreThreadTimeOut(true);
    ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
    HttpClient http =
        settings
            .credentials()
            .client(
                HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(2))
                    .executor(blocking));
    ClusterView view =
        new ClusterView(log.open(topics.clusterLog(), 0), identity.featureLevels(), this::lost);
    this.context =
        new NodeContext(
            identity,
            settings,
            log,
            topics,
            view,
            new HttpLeaderClient(view, http, Ticker.SYSTEM),
            http,
            InstantSource.system(),
            timer,
            blocking,
            new Applying(
                applying,
                ReadAhead.ofHeap(),
                new RefreshTurns(settings.periodicRefreshes(), Ticker.SYSTEM)));
    this.progress = new ProgressPublisher(log, topics, timer, Ticker.SYSTEM);
    this.host = new CopyHost(context, factory.apply(context), progress);
  }

  /** Does not block; {@code url} is the address of this node's HTTP server. */
  public void start(String url) {
    Heartbeats publisher = new Heartbeats(context, url);
    heartbeat = publisher;
    starter =
        Thread.ofVirtual()
            .name("node start")
            .start(() -> {
              try {
                awaitTopics();
                context.cluster().start();
                host.start();
                publisher.start();
                LOG.info(
                    "node {} ({}) answers at {}",
                    context.identity().name(),
                    context.identity().nodeId(),
                    url);
              } catch (InterruptedException e) {
                LOG.info("closed before the log could be reached");
              }
            });
  }

  /** Coordinators create the topics, because they know the replication factor. */
  private void awaitTopics() throws InterruptedException {
    Topics topics = context.topics();
    Set<String> wanted = Set.of(topics.clusterLog(), topics.nodes(), topics.progress());
    String logged = "";
    while (true) {
      String missing;
      try {
        Set<String> present = context.log().topics();
        if (present.containsAll(wanted)) {
          return;
        }
        missing = "no coordinator has made the cluster's topics yet";
      } catch (LogException e) {
        missing = String.valueOf(e.getMessage());
      }
      if (!logged.equals(missing)) {
        LOG.warn("waiting for the log: {}", missing);
        logged = missing;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /**
   * A node that can't follow the cluster log stops its heartbeats, so that its copies are assigned
   * to other nodes; it continues to serve the copies that it holds.
   */
  private void lost(String reason) {
    LOG.error("the cluster log can't be followed, so this node leaves: {}", reason);
    lostReason = reason;
    Heartbeats publisher = heartbeat;
    if (publisher != null) {
      publisher.close();
    }
  }

  @Override
  public ClusterView view() {
    return context.cluster();
  }

  @Override
  public NodeIdentity identity() {
    return context.identity();
  }

  @Override
  public String lostReason() {
    return lostReason;
  }

  public NodeContext context() {
    return context;
  }

  /** The threads that index for all copies. */
  public ThreadPoolExecutor applying() {
    return applying;
  }

  public CopyHost host() {
    return host;
  }

  /** Empty until {@link #start}. */
  public Optional<Heartbeats> heartbeat() {
    return Optional.ofNullable(heartbeat);
  }

  /**
   * Ends the heartbeats, so that other copies take over from those of this node, which still serve.
   * Does not block.
   */
  public void leave() {
    Thread running = starter;
    if (running != null) {
      running.interrupt();
    }
    Heartbeats publisher = heartbeat;
    if (publisher != null) {
      publisher.close();
    }
  }

  @Override
  public void close() {
    leave();
    host.close();
    progress.close();
    context.cluster().close();
    context.timer().shutdownNow();
    applying.shutdown();
    context.blocking().shutdownNow();
    context.http().shutdownNow();
    context.log().close();
  }
}
