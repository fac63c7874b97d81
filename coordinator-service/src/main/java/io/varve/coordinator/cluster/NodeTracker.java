package io.varve.coordinator.cluster;

import io.varve.cluster.ClusterView;
import io.varve.cluster.Membership.Sign;
import io.varve.cluster.Topics;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The newest heartbeat of each node, with the time at which it arrived by the clock of this
 * process: clocks of others decide nothing.
 */
public final class NodeTracker implements AutoCloseable {

  private static final long LOG_SILENCE_MILLIS = 2_000;

  private final Map<String, Sign> signs = new ConcurrentHashMap<>();
  private final LongSupplier clockMillis;
  private final TopicTail tail;
  private volatile long listeningSinceMillis = Long.MAX_VALUE;
  private volatile long lastArrivalMillis = Long.MIN_VALUE / 2;
  private final List<Runnable> onNews = new CopyOnWriteArrayList<>();

  /** {@code clockMillis} only ever rises. */
  NodeTracker(MessageLog log, Topics topics, LongSupplier clockMillis, Executor blocking) {
    this.clockMillis = clockMillis;
    this.tail = new TopicTail(log, topics.nodes(), TopicTail.From.END, this::read, blocking);
  }

  void start() throws LogException {
    tail.start(Topics.NODES_PARTITIONS);
    listeningSinceMillis = clockMillis.getAsLong();
  }

  private void read(StoredRecord stored) {
    byte[] value = stored.record().value();
    if (value != null) {
      noticeArrival();
      NodeHeartbeat beat = Json.read(value, NodeHeartbeat.class);
      Sign before = signs.put(beat.nodeId(), new Sign(beat, clockMillis.getAsLong()));
      if (before == null || !before.heartbeat().incarnation().equals(beat.incarnation())) {
        onNews.forEach(Runnable::run);
      }
    }
  }

  /** When nobody was heard, not even this node itself, it is the log that was silent. */
  private void noticeArrival() {
    long now = clockMillis.getAsLong();
    if (now - lastArrivalMillis > LOG_SILENCE_MILLIS) {
      listeningSinceMillis = now;
    }
    lastArrivalMillis = now;
  }

  /** Whether heartbeats arrive at all; while they do not, silence says nothing of a node. */
  boolean hears() {
    return clockMillis.getAsLong() - lastArrivalMillis <= LOG_SILENCE_MILLIS;
  }

  /** Told when a process is heard of for the first time; must not block. */
  public ClusterView.Registration onNews(Runnable listener) {
    onNews.add(listener);
    return () -> onNews.remove(listener);
  }

  public Map<String, Sign> signs() {
    return Map.copyOf(signs);
  }

  public Optional<NodeHeartbeat> heartbeat(String nodeId) {
    return Optional.ofNullable(signs.get(nodeId)).map(Sign::heartbeat);
  }

  /** When listening began; a node never heard of counts as heard then. */
  long listeningSinceMillis() {
    return listeningSinceMillis;
  }

  /** When the node was heard last, or when listening began. */
  long heardMillis(String nodeId) {
    Sign sign = signs.get(nodeId);
    return sign == null ? listeningSinceMillis : sign.arrivedMillis();
  }

  @Override
  public void close() {
    tail.close();
  }
}
