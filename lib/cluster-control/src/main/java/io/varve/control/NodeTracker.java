package io.varve.control;

import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.Topics;
import io.varve.control.Membership.Sign;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.NodeHeartbeat;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The newest heartbeat of each node, and its arrival time by the clock of this process; clocks of
 * other nodes are never used.
 *
 * <p>A node also receives its own heartbeats. If not even these arrive, the topic delivers nothing,
 * and missing heartbeats of other nodes do not indicate failures.
 */
public final class NodeTracker implements NodeSigns, AutoCloseable {

  private static final long LEAST_SILENCE_MILLIS = 2_000;
  private static final int MISSED_BEATS = 4;

  /** The last heartbeat in which a node announced that it leads. */
  private record LeaderSign(long term, long arrivedMillis) {}

  private final Map<String, Sign> signs = new ConcurrentHashMap<>();
  private final LongSupplier clockMillis;
  private final AddressProof addresses;
  private final long silenceMillis;
  private final TopicTail tail;
  private volatile long listeningSinceMillis = Long.MAX_VALUE;
  private volatile long lastArrivalMillis = Long.MIN_VALUE / 2;
  private volatile LeaderSign leader = new LeaderSign(0, Long.MIN_VALUE / 2);
  private final List<Runnable> onNews = new CopyOnWriteArrayList<>();

  /**
   * @param clockMillis a monotonic clock
   * @param heartbeatMillis the interval of this node's heartbeats
   */
  public NodeTracker(
      MessageLog log,
      Topics topics,
      LongSupplier clockMillis,
      long heartbeatMillis,
      Executor blocking) {
    this(log, topics, clockMillis, heartbeatMillis, blocking, AddressProof.BELIEVED);
  }

  /**
   * @param clockMillis a monotonic clock
   * @param heartbeatMillis the interval of this node's heartbeats
   * @param addresses heartbeats count only if their address is proven
   */
  public NodeTracker(
      MessageLog log,
      Topics topics,
      LongSupplier clockMillis,
      long heartbeatMillis,
      Executor blocking,
      AddressProof addresses) {
    this.clockMillis = clockMillis;
    this.addresses = addresses;
    this.silenceMillis = Math.max(LEAST_SILENCE_MILLIS, MISSED_BEATS * heartbeatMillis);
    this.tail =
        new TopicTail(
            log, topics.nodes(), TopicTail.From.END, this::read, blocking, TopicTail.PAUSE);
  }

  public void start() throws LogException {
    tail.start(Topics.NODES_PARTITIONS);
    listeningSinceMillis = clockMillis.getAsLong();
  }

  private void read(StoredRecord stored) {
    byte[] value = stored.record().value();
    if (value != null) {
      boolean again = noticeArrival();
      NodeHeartbeat beat = Json.read(value, NodeHeartbeat.class);
      if (addresses.isProven(beat, () -> count(beat, false))) {
        count(beat, again);
      } else if (again) {
        onNews.forEach(Runnable::run);
      }
    }
  }

  /**
   * @param again whether the topic had delivered nothing for some time
   */
  private void count(NodeHeartbeat beat, boolean again) {
    long now = clockMillis.getAsLong();
    Sign before;
    synchronized (this) {
      if (beat.leadingTerm() > 0 && beat.leadingTerm() >= leader.term()) {
        leader = new LeaderSign(beat.leadingTerm(), now);
      }
      before = signs.put(beat.nodeId(), new Sign(beat, now));
    }
    if (again || before == null || !before.heartbeat().incarnation().equals(beat.incarnation())) {
      onNews.forEach(Runnable::run);
    }
  }

  /**
   * Records the arrival of a heartbeat, and checks whether there was a period in which no heartbeat
   * arrived, not even from this node.
   *
   * @return whether such a period has ended
   */
  private boolean noticeArrival() {
    long now = clockMillis.getAsLong();
    boolean again = now - lastArrivalMillis > silenceMillis;
    if (again) {
      listeningSinceMillis = now;
    }
    lastArrivalMillis = now;
    return again;
  }

  /** The time since the last heartbeat of any node. */
  public long silentMillis() {
    return clockMillis.getAsLong() - Math.max(lastArrivalMillis, 0);
  }

  /** The time since the last heartbeat of the node; {@link Long#MAX_VALUE} if none arrived. */
  public long silentMillis(String nodeId) {
    Sign sign = signs.get(nodeId);
    return sign == null
        ? Long.MAX_VALUE
        : Math.max(0, clockMillis.getAsLong() - sign.arrivedMillis());
  }

  @Override
  public boolean hears() {
    return clockMillis.getAsLong() - lastArrivalMillis <= silenceMillis;
  }

  @Override
  public ClusterView.Registration onNews(Runnable listener) {
    onNews.add(listener);
    return () -> onNews.remove(listener);
  }

  @Override
  public Map<String, Sign> signs() {
    return Map.copyOf(signs);
  }

  /** The newest heartbeat of each node from which one arrived within that time. */
  public List<NodeHeartbeat> beating(long withinMillis) {
    long now = clockMillis.getAsLong();
    return signs.values().stream()
        .filter(sign -> now - sign.arrivedMillis() < withinMillis)
        .map(Sign::heartbeat)
        .toList();
  }

  /** The feature levels that each node supports by its newest heartbeat, by node id. */
  public Map<String, FeatureLevels> featureLevels() {
    Map<String, FeatureLevels> levels = new HashMap<>();
    signs.forEach((id, sign) -> levels.put(id, sign.heartbeat().featureLevels()));
    return levels;
  }

  @Override
  public Map<String, DiskUsage> disks() {
    return disks(signs().values().stream().map(Sign::heartbeat).toList());
  }

  /** The nodes' disk usage from these heartbeats. */
  public static Map<String, DiskUsage> disks(Collection<NodeHeartbeat> beats) {
    Map<String, DiskUsage> disks = new HashMap<>();
    for (NodeHeartbeat beat : beats) {
      if (beat.load().diskTotalBytes() > 0) {
        disks.put(
            beat.nodeId(),
            new DiskUsage(beat.load().diskTotalBytes(), beat.load().diskFreeBytes()));
      }
    }
    return disks;
  }

  public Optional<NodeHeartbeat> heartbeat(String nodeId) {
    return Optional.ofNullable(signs.get(nodeId)).map(Sign::heartbeat);
  }

  @Override
  public long listeningSinceMillis() {
    return listeningSinceMillis;
  }

  @Override
  public long leaderHeardMillis(long term) {
    LeaderSign last = leader;
    return last.term() == term
        ? Math.max(last.arrivedMillis(), listeningSinceMillis)
        : listeningSinceMillis;
  }

  @Override
  public void close() {
    tail.close();
  }
}
