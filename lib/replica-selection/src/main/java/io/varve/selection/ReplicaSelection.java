package io.varve.selection;

import io.varve.selection.NodeStatistics.Adaptive;
import io.varve.selection.NodeStatistics.Averages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Chooses the copies of shards that a coordinator asks. One instance per coordinator; thread-safe.
 *
 * <p>A search calls {@link #search} once, orders the copies of each shard, and reports each request
 * sent and its outcome. While {@link #isSearched}, a timer calls {@link #probesDue} every 20 ms and
 * probes the returned nodes. All times come from one monotonic clock, all random numbers from one
 * generator.
 */
public final class ReplicaSelection {

  private static final long QUIET_NANOS = 1_000_000_000;

  private final RandomGenerator random;
  private final SelectionState state;
  private volatile SelectionSettings settings;
  private volatile Ranker ranker;
  private volatile long lastSearchNanos;
  private volatile boolean searched;

  public ReplicaSelection(
      SelectionSettings settings, LongSupplier nanoClock, RandomGenerator random) {
    this.random = random;
    this.state = new SelectionState(nanoClock, random);
    this.settings = settings;
    this.ranker = rankerFor(settings);
  }

  public SelectionSettings settings() {
    return settings;
  }

  /** Takes effect with the next search; statistics are kept. */
  public void settings(SelectionSettings changed) {
    settings = changed;
    ranker = rankerFor(changed);
  }

  private Ranker rankerFor(SelectionSettings chosen) {
    return switch (chosen.effectiveStrategy()) {
      case ADAPTIVE -> new AdaptiveRanker();
      case ARS -> new FormulaRanker(chosen.formula());
      case LEAST_OUTSTANDING -> SimpleRankers.leastOutstanding();
      case P2C -> SimpleRankers.powerOfTwoChoices(random);
      case ROUND_ROBIN -> SimpleRankers.roundRobin();
      case RANDOM -> SimpleRankers.random(random);
    };
  }

  /**
   * Begins one search.
   *
   * @param kind a name for similar work, such as the index and the shape of the query: work of one
   *     kind takes a similar time on nodes of the same speed
   */
  public SearchSelection search(String kind) {
    lastSearchNanos = state.nowNanos();
    searched = true;
    return new RankedSearch(state, kind, ranker, settings.hedging());
  }

  /** Whether a search is running or ran within the last second. */
  public boolean isSearched() {
    return searched && state.nowNanos() - lastSearchNanos <= QUIET_NANOS;
  }

  /** The nodes to probe now, marked as probed; none while there are no searches. */
  public List<Probe> probesDue() {
    long now = state.nowNanos();
    state.ticked(now);
    if (!isSearched() || settings.effectiveStrategy() != Strategy.ADAPTIVE) {
      return List.of();
    }
    List<Probe> due = new ArrayList<>();
    for (NodeView view : state.nodes().all()) {
      if (view.dueForProbe(now)) {
        view.probed(now);
        due.add(new RecordedProbe(state, view, now));
      }
    }
    return due;
  }

  /** Keeps only these nodes: the cluster's members. */
  public void retain(Set<String> members) {
    state.nodes().retain(members);
  }

  /** Counters of requests sent, including those to nodes that left. */
  public NodeStatistics.Counts sent() {
    return state.nodes().counters().read();
  }

  /** Statistics of each node, by node id. */
  public Map<String, NodeStatistics> statistics() {
    Moment moment = state.moment();
    int ranked = state.nodes().ranked();
    Map<String, NodeStatistics> statistics = new TreeMap<>();
    for (NodeView view : state.nodes().all()) {
      statistics.put(view.node(), statisticsOf(view, ranked, moment));
    }
    return statistics;
  }

  private NodeStatistics statisticsOf(NodeView view, int ranked, Moment moment) {
    long outstanding = view.outstanding();
    Optional<Averages> averages = Optional.empty();
    if (view.ranksByFormula()) {
      PublishedStats.Seen seen = view.published();
      averages =
          Optional.of(
              new Averages(
                  seen.queueSize(),
                  (long) seen.serviceNanos(),
                  (long) seen.responseNanos(),
                  seen.rank(settings.formula(), outstanding, ranked)));
    }
    NodeView.Seen seen = view.seen(moment);
    double cost =
        seen.slowness() > 0
            ? AdaptiveRanker.cost(seen, seen.inFlight(), state.expected().nanosOfAny())
            : -1;
    return new NodeStatistics(
        outstanding,
        averages,
        new Adaptive(seen.slowness(), seen.inFlight(), cost, seen.backOffNanos(), view.counts()));
  }
}
