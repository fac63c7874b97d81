package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.Clusters;
import io.varve.cluster.HeartbeatPublisher;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.StaleCopies;
import io.varve.control.command.Decision;
import io.varve.control.command.LeaseDecisions;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Leading coordinators on an in-memory log, without HTTP servers. The clock stands still unless a
 * test advances it, and a probe of an address is refused only if {@link #unheard} names it.
 */
final class LeadersOnALog implements AutoCloseable {
  private final ExecutorService delivering =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  final InMemoryMessageLog messages = new InMemoryMessageLog(delivering, () -> 0);
  final Topics topics = new Topics("test", 1);
  final AtomicLong nowMillis = new AtomicLong();
  private final AtomicInteger ids = new AtomicInteger();
  private final List<Coordinator> coordinators = new CopyOnWriteArrayList<>();
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  final Queue<String> probes = new ConcurrentLinkedQueue<>();

  /** The partitions of heartbeats that deliver nothing. */
  final Set<Integer> unavailable = ConcurrentHashMap.newKeySet();

  volatile String unheard = "";

  /** Closes all coordinators. */
  @Override
  public void close() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
    delivering.shutdown();
    blocking.shutdown();
  }

  /** A log that, on request, loses appends so that their outcome is unknown, or refuses reads. */
  static final class Flaky extends DelegatingLog {
    final AtomicBoolean losing = new AtomicBoolean();
    final AtomicBoolean unreadable = new AtomicBoolean();

    Flaky(PartitionLog log) {
      super(log);
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      if (losing.get()) {
        callback.unknown("lost on purpose");
      } else {
        super.append(record, callback);
      }
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      if (unreadable.get()) {
        throw new LogException.Unavailable("unreadable on purpose");
      }
      super.read(fromOffset, toOffset, visitor);
    }
  }

  /** A coordinator without its HTTP server. */
  final class Coordinator {
    final Flaky log = new Flaky(messages.open(topics.clusterLog(), 0));
    final ClusterView view = new ClusterView(log, reason -> {});
    final MemberChecks checks =
        new MemberChecks(
            new FaultDetection(new FaultDetection.Limits(1_000, 200)), LeadersOnALog.this::probe);
    final ClusterLeader leader;
    private final NodeInfo self;

    Coordinator(String nodeId) throws LogException {
      this(nodeId, FeatureLevels.NEWEST);
    }

    Coordinator(String nodeId, int featureLevel) throws LogException {
      NodeTracker nodes =
          new NodeTracker(
              messages,
              topics,
              nowMillis::get,
              new NodeTracker.Own(nodeId, nodeId + "-1", 500),
              blocking);
      nodes.start();
      self = Clusters.node(nodeId, NodeInfo.COORDINATOR);
      coordinators.add(this);
      leader =
          new ClusterLeader(
              new ClusterLeader.Identity(nodeId, "test", this::id, featureLevel),
              new ClusterLeader.Policies(
                  new LeaderElection(nodeId, 1_000, 0),
                  new Membership(5_000, 1_000),
                  checks,
                  new Reconciler(this::id),
                  new StaleCopies(_ -> Optional.empty(), 30_000),
                  new LeaseDecisions(nowMillis::get)),
              log,
              view,
              nodes,
              new LeaderThread(nowMillis::get, blocking));
      running.push(leader);
      running.push(view);
      view.start();
    }

    private String id() {
      return "id-" + ids.incrementAndGet();
    }

    long set(String name, String value) throws Exception {
      return leader
          .submit(state ->
              Decision.of(
                  new ClusterEvent.ClusterSettingsChanged(
                      with(state.persistentSettings(), name, value), Map.of())))
          .get(60, TimeUnit.SECONDS);
    }
  }

  /** The outcomes of probes of the address that nothing listens at; others accept. */
  private void probe(String url, long delayMillis, Consumer<AddressProbe.Outcome> result) {
    blocking.execute(() -> {
      probes.add(url);
      pass(delayMillis);
      result.accept(
          url.equals(unheard) ? AddressProbe.Outcome.REFUSED : AddressProbe.Outcome.ACCEPTED);
    });
  }

  /** Advances the clock; then all coordinators send and receive heartbeats. */
  void pass(long millis) {
    nowMillis.addAndGet(millis);
    try {
      for (Coordinator coordinator : coordinators) {
        beat(coordinator.self);
      }
      delivering.submit(() -> {}).get(60, TimeUnit.SECONDS);
    } catch (LogException | ExecutionException | TimeoutException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Sends a heartbeat of a node that does not lead. */
  void beat(NodeInfo node) throws LogException.Full {
    for (int partition : partitionsOf(node)) {
      if (!unavailable.contains(partition)) {
        beat(node, partition);
      }
    }
  }

  private static int[] partitionsOf(NodeInfo node) {
    return HeartbeatPublisher.partitionsOf(node.nodeId(), node.roles()).toArray();
  }

  private void beat(NodeInfo node, int partition) throws LogException.Full {
    messages
        .open(topics.nodes(), partition)
        .append(
            RawRecord.keyed(
                node.nodeId().getBytes(StandardCharsets.UTF_8),
                Json.write(Clusters.heartbeat(node))),
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                assertThat(offset).isNotNegative();
              }

              @Override
              public void unknown(String reason) {
                throw new AssertionError(reason);
              }
            });
  }

  static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }

  static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> copy = new TreeMap<>(map);
    copy.put(key, value);
    return copy;
  }

  void fence(long term, String nodeId) throws LogException.Full {
    messages
        .open(topics.clusterLog(), 0)
        .append(
            RecordHeader.fence(term, nodeId),
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                assertThat(offset).isNotNegative();
              }

              @Override
              public void unknown(String reason) {
                throw new AssertionError(reason);
              }
            });
  }
}
