package io.varve.shard.replicated;

import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import io.varve.rpc.ShardReplication.Contradiction;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counters of all primaries of strongly consistent indices on this node. Every {@link
 * #INTERVAL_MILLIS} an interval ends: its rates are kept, and a line for each index is logged.
 * Thread-safe.
 */
public final class Rereplications {

  private static final Logger LOG = LoggerFactory.getLogger(Rereplications.class);

  static final long INTERVAL_MILLIS = 10_000;

  /** The bounds, in milliseconds, above which the share of queries is shown. */
  private static final List<Long> BOUNDS_MILLIS = List.of(1L, 8L, 64L);

  /** The queries of an interval that has ended. */
  private record Interval(RereplicationCounts counts, long millis) {
    static final Interval NONE = new Interval(RereplicationCounts.NONE, INTERVAL_MILLIS);
  }

  /**
   * A shard with the values that gauges show, as of the end of the last interval.
   *
   * @param contradictions by state, see {@link Contradictions}
   */
  public record Row(
      ShardId shard,
      RereplicationCounts counts,
      long exonerated,
      long unreplicatedRecords,
      Map<String, Long> contradictions) {

    static Row of(ShardId shard, ShardRereplication meter) {
      return new Row(
          shard,
          meter.counts(),
          meter.exonerated(),
          meter.unreplicatedRecords(),
          meter.contradictions().stream()
              .collect(Collectors.groupingBy(Contradiction::state, Collectors.counting())));
    }

    /** Contradictions that the log decided: the copy that was wrong is rebuilt. */
    public long decidedContradictions() {
      return contradictions.values().stream().mapToLong(Long::longValue).sum()
          - undecidedContradictions();
    }

    /** Contradictions that the log has not decided, or cannot decide. */
    public long undecidedContradictions() {
      return Contradictions.UNDECIDED.stream()
          .mapToLong(state -> contradictions.getOrDefault(state, 0L))
          .sum();
    }
  }

  private final InstantSource clock;
  private final Ticker ticker;
  private final Sleeper sleeper;
  private final RequestBucket bucket = new RequestBucket();
  private final Map<ShardId, ShardRereplication> shards = new ConcurrentHashMap<>();
  private final Map<String, RereplicationCounts> before = new HashMap<>();
  private final Map<String, Interval> intervals = new HashMap<>();
  private volatile List<Row> rows = List.of();
  private long beganMillis;

  public Rereplications(InstantSource clock) {
    this(clock, Ticker.SYSTEM, Sleeper.SYSTEM);
  }

  Rereplications(InstantSource clock, Ticker ticker, Sleeper sleeper) {
    this.clock = clock;
    this.ticker = ticker;
    this.sleeper = sleeper;
    this.beganMillis = clock.millis();
  }

  /**
   * Waits until the limit of all jobs on this node allows that many records.
   *
   * @return how long that took
   */
  long throttle(int records, long perSecond) throws InterruptedException {
    long beganNanos = ticker.nanos();
    long waitNanos = bucket.take(records, perSecond, beganNanos);
    for (long left = waitNanos; left > 0; left = beganNanos + waitNanos - ticker.nanos()) {
      sleeper.sleep(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
    return waitNanos;
  }

  public ShardRereplication of(ShardId shard) {
    return shards.computeIfAbsent(shard, _ -> new ShardRereplication());
  }

  /** Ends an interval every 10 s from now on, and calls {@code ended} after it. */
  public void start(NodeContext node, Runnable ended) {
    var _ =
        node.timer()
            .scheduleAtFixedRate(
                () -> node.blocking().execute(() -> endInterval(node, ended)),
                INTERVAL_MILLIS,
                INTERVAL_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  private void endInterval(NodeContext node, Runnable ended) {
    shards.keySet().removeIf(shard -> node.cluster().current().index(shard.indexUuid()).isEmpty());
    try {
      endInterval(node::indexName).forEach(LOG::info);
      ended.run();
    } catch (RuntimeException e) {
      LOG.warn("can't count the unreplicated records", e);
    }
  }

  /** Ends the present interval and returns the lines to log. */
  synchronized List<String> endInterval(Function<String, String> nameOfIndex) {
    long nowMillis = clock.millis();
    long millis = Math.max(1, nowMillis - beganMillis);
    beganMillis = nowMillis;
    List<Row> now = new ArrayList<>();
    shards.forEach((shard, meter) -> now.add(Row.of(shard, meter)));
    rows = List.copyOf(now);
    Map<String, RereplicationCounts> counts = counts();
    intervals.clear();
    counts.forEach((uuid, count) ->
        intervals.put(
            uuid,
            new Interval(
                count.minus(before.getOrDefault(uuid, RereplicationCounts.NONE)), millis)));
    before.clear();
    before.putAll(counts);
    List<String> lines = new ArrayList<>();
    counts.forEach((uuid, count) ->
        line(nameOfIndex.apply(uuid), count, unreplicated(now, uuid)).ifPresent(lines::add));
    return lines;
  }

  private static long unreplicated(List<Row> rows, String uuid) {
    return rows.stream()
        .filter(row -> row.shard().indexUuid().equals(uuid))
        .mapToLong(Row::unreplicatedRecords)
        .sum();
  }

  /** The line of an index; empty while all its numbers are 0. */
  static Optional<String> line(String index, RereplicationCounts counts, long unreplicated) {
    return counts.success() + counts.error() + counts.timeout() + unreplicated == 0
        ? Optional.empty()
        : Optional.of(
            "{%s} re-repl: all-triggers (%d,%d,%d) unreplicated-records %d"
                .formatted(
                    index, counts.success(), counts.error(), counts.timeout(), unreplicated));
  }

  private Map<String, RereplicationCounts> counts() {
    Map<String, RereplicationCounts> counts = new TreeMap<>();
    shards.forEach((shard, meter) ->
        counts.merge(shard.indexUuid(), meter.counts(), RereplicationCounts::plus));
    return counts;
  }

  /** The shards as of the end of the last interval. */
  public List<Row> rows() {
    return rows;
  }

  /** The section of the node's statistics: a histogram for each index. */
  public synchronized Map<String, Object> section(Function<String, String> nameOfIndex) {
    Map<String, Object> section = new LinkedHashMap<>();
    counts()
        .forEach((uuid, count) ->
            section.put(
                nameOfIndex.apply(uuid) + "-re-repl",
                histogram(count, intervals.getOrDefault(uuid, Interval.NONE))));
    section.put("contradictions", contradictions(nameOfIndex));
    section.put("digest_appeals", appeals(nameOfIndex));
    return section;
  }

  private List<Map<String, Object>> appeals(Function<String, String> nameOfIndex) {
    List<Map<String, Object>> all = new ArrayList<>();
    shards.forEach((shard, meter) -> {
      DigestAppeal.Progress progress = meter.appeal();
      if (progress != null) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("index", nameOfIndex.apply(shard.indexUuid()));
        shown.put("shard", shard.number());
        shown.put("state", progress.state().shown());
        shown.put("comparisons", progress.comparisons());
        shown.put("pause_in_millis", progress.pauseMillis());
        all.add(shown);
      }
    });
    return all;
  }

  private List<Map<String, Object>> contradictions(Function<String, String> nameOfIndex) {
    List<Map<String, Object>> all = new ArrayList<>();
    shards.forEach((shard, meter) ->
        meter
            .contradictions()
            .forEach(one -> {
              Map<String, Object> shown = new LinkedHashMap<>();
              shown.put("index", nameOfIndex.apply(shard.indexUuid()));
              shown.put("shard", shard.number());
              shown.put("_id", one.id());
              shown.put("_seq_no", one.seqNo());
              shown.put("_primary_term", one.term());
              shown.put("copy", one.copyId());
              shown.put("state", one.state());
              all.add(shown);
            }));
    return all;
  }

  private static Map<String, Object> histogram(RereplicationCounts counts, Interval interval) {
    Map<String, Object> shown = shares(counts);
    Map<String, Object> buckets = new LinkedHashMap<>();
    for (int i = 0; i < counts.buckets().size(); i++) {
      if (counts.buckets().get(i) > 0) {
        buckets.put(String.format(Locale.ROOT, "%02d", i), counts.buckets().get(i));
      }
    }
    shown.put("buckets", buckets);
    Map<String, Object> last = shares(interval.counts());
    last.put("millis", interval.millis());
    last.put("ops_per_sec", interval.counts().total() * 1_000.0 / interval.millis());
    shown.put("last_interval", last);
    return shown;
  }

  private static Map<String, Object> shares(RereplicationCounts counts) {
    Map<String, Object> shares = new LinkedHashMap<>();
    shares.put("total", counts.total());
    for (long millis : BOUNDS_MILLIS) {
      shares.put(">" + millis + "ms", counts.percentFrom(millis));
    }
    return shares;
  }
}
