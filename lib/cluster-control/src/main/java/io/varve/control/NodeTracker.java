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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The newest heartbeat of each node, and its arrival time by the clock of this process; clocks of
 * other nodes are never used.
 *
 * <p>This coordinator also receives its own heartbeats, from each partition. They prove that it
 * would have received those of other nodes ({@link Reception}).
 *
 * <p>INVARIANT: the newest heartbeat of a node is from the partition of its id, because partitions
 * are read independently: another one may deliver the heartbeats of a former process later. From
 * there, a heartbeat only shows that a known process is alive or leads; it admits none.
 */
public final class NodeTracker implements NodeSigns, AutoCloseable {

  private static final long SHORTEST_LIMIT_MILLIS = 2_000;
  private static final int MISSED_BEATS = 3;

  /** Long before any time of the clock. */
  private static final long NEVER = Long.MIN_VALUE / 2;

  /**
   * The process of this coordinator.
   *
   * @param heartbeatMillis the interval of its heartbeats
   */
  public record Own(String nodeId, String incarnation, long heartbeatMillis) {}

  /** The last heartbeat in which a node announced that it leads. */
  private record LeaderSign(long term, long arrivedMillis) {}

  private final Map<String, Sign> signs = new ConcurrentHashMap<>();

  /** When a heartbeat of the process in {@link #signs} arrived from any partition, by node id. */
  private final Map<String, Long> heardMillis = new ConcurrentHashMap<>();

  private final LongSupplier clockMillis;
  private final AddressProof addresses;
  private final Own own;
  private final Reception reception;
  private final TopicTail tail;
  private volatile long lastArrivalMillis = NEVER;
  private volatile LeaderSign leader = new LeaderSign(0, NEVER);
  private final List<Runnable> onNews = new CopyOnWriteArrayList<>();

  /**
   * @param clockMillis a monotonic clock
   */
  public NodeTracker(
      MessageLog log, Topics topics, LongSupplier clockMillis, Own own, Executor blocking) {
    this(log, topics, clockMillis, own, blocking, AddressProof.BELIEVED);
  }

  /**
   * @param clockMillis a monotonic clock
   * @param addresses heartbeats count only if their address is proven
   */
  public NodeTracker(
      MessageLog log,
      Topics topics,
      LongSupplier clockMillis,
      Own own,
      Executor blocking,
      AddressProof addresses) {
    this.clockMillis = clockMillis;
    this.addresses = addresses;
    this.own = own;
    this.reception =
        new Reception(
            Topics.NODES_PARTITIONS,
            Math.max(SHORTEST_LIMIT_MILLIS, MISSED_BEATS * own.heartbeatMillis()));
    this.tail =
        new TopicTail(
            log, topics.nodes(), TopicTail.From.END, this::read, blocking, TopicTail.PAUSE);
  }

  public void start() throws LogException {
    tail.start(Topics.NODES_PARTITIONS);
  }

  private void read(int partition, StoredRecord stored) {
    byte[] value = stored.record().value();
    if (value == null) {
      return;
    }
    NodeHeartbeat beat = Json.read(value, NodeHeartbeat.class);
    long now = clockMillis.getAsLong();
    lastArrivalMillis = now;
    boolean begins =
        beat.incarnation().equals(own.incarnation()) && reception.returned(partition, now);
    boolean isNew =
        addresses.isProven(beat, () -> tellIf(count(partition, beat))) && count(partition, beat);
    tellIf(begins || isNew);
  }

  /** Returns whether it is the first heartbeat of a process. */
  private synchronized boolean count(int partition, NodeHeartbeat beat) {
    long now = clockMillis.getAsLong();
    if (beat.leadingTerm() > 0 && beat.leadingTerm() >= leader.term()) {
      leader = new LeaderSign(beat.leadingTerm(), now);
    }
    Sign before = signs.get(beat.nodeId());
    boolean isNew = before == null || !before.heartbeat().incarnation().equals(beat.incarnation());
    boolean isHome = partition == partitionOf(beat.nodeId());
    if (isHome) {
      signs.put(beat.nodeId(), new Sign(beat, now));
    }
    if (isHome || !isNew) {
      heardMillis.put(beat.nodeId(), now);
    }
    return isHome && isNew;
  }

  private static int partitionOf(String nodeId) {
    return Topics.partitionOf(nodeId, Topics.NODES_PARTITIONS);
  }

  private void tellIf(boolean news) {
    if (news) {
      onNews.forEach(Runnable::run);
    }
  }

  /** The time since the last heartbeat of any node. */
  public long silentMillis() {
    return clockMillis.getAsLong() - Math.max(lastArrivalMillis, 0);
  }

  /** The time since the last heartbeat of the node; {@link Long#MAX_VALUE} if none arrived. */
  public long silentMillis(String nodeId) {
    Long heard = heardMillis.get(nodeId);
    return heard == null ? Long.MAX_VALUE : Math.max(0, clockMillis.getAsLong() - heard);
  }

  /** A coordinator is never silent to itself, whether or not its address is proven yet. */
  @Override
  public Heard heard(String nodeId) {
    long lastMillis = heardMillis.getOrDefault(nodeId, NEVER);
    return new Heard(
        lastMillis,
        nodeId.equals(own.nodeId()) ? 0 : reception.silentMillis(partitionOf(nodeId), lastMillis));
  }

  @Override
  public ClusterView.Registration onNews(Runnable listener) {
    onNews.add(listener);
    return () -> onNews.remove(listener);
  }

  @Override
  public Map<String, Sign> signs() {
    return new TreeMap<>(signs);
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

  /** A leader sends its heartbeats to all partitions; it is heard if any of them delivers. */
  @Override
  public long leaderSilentMillis(long term, long sinceMillis) {
    LeaderSign last = leader;
    return reception.longestSilentMillis(
        last.term() == term ? Math.max(last.arrivedMillis(), sinceMillis) : sinceMillis);
  }

  @Override
  public void close() {
    tail.close();
  }
}
