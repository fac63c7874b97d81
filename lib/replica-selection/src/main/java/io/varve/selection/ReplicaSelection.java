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
 * Which copy of a shard a coordinator asks. One per coordinator; thread-safe.
 *
 * <p>A search calls {@link #search} once, then orders the copies of each shard, tells each request
 * sent and how it ended. While it {@link #isSearched}, a timer calls {@link #probesDue} every 20 ms
 * and asks the nodes that it names. All times come from one monotonic clock; all chance from one
 * generator.
 */
public final class ReplicaSelection {

  private static final long QUIET_NANOS = 1_000_000_000;

  private final RandomGenerator random;
  private final Books books;
  private volatile SelectionSettings settings;
  private volatile Ranker ranker;
  private volatile long lastSearchNanos;
  private volatile boolean searched;

  public ReplicaSelection(
      SelectionSettings settings, LongSupplier nanoClock, RandomGenerator random) {
    this.random = random;
    this.books = new Books(nanoClock, random);
    this.settings = settings;
    this.ranker = rankerFor(settings);
  }

  public SelectionSettings settings() {
    return settings;
  }

  /** From the next search on; statistics stay. */
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
   * Begins the choices of one search.
   *
   * @param kind a name for work of this sort, such as the index and the shape of the query: work of
   *     one kind takes similar time on nodes of the same speed
   */
  public SearchSelection search(String kind) {
    lastSearchNanos = books.nowNanos();
    searched = true;
    return new OneSearch(books, kind, ranker, settings.hedging());
  }

  /** Whether anybody searches, or did within the last second. */
  public boolean isSearched() {
    return searched && books.nowNanos() - lastSearchNanos <= QUIET_NANOS;
  }

  /** Nodes to ask for their report now, counted as asked; none while nobody searches. */
  public List<Probe> probesDue() {
    long now = books.nowNanos();
    books.ticked(now);
    if (!isSearched() || settings.effectiveStrategy() != Strategy.ADAPTIVE) {
      return List.of();
    }
    List<Probe> due = new ArrayList<>();
    for (NodeView view : books.nodes().all()) {
      if (view.dueForProbe(now)) {
        view.probed(now);
        due.add(new OneProbe(books, view, now));
      }
    }
    return due;
  }

  /** Forgets all nodes but these: the cluster's members. */
  public void retain(Set<String> members) {
    books.nodes().retain(members);
  }

  /** What was sent to nodes so far, those that have left among them. */
  public NodeStatistics.Counts sent() {
    return books.nodes().tally().read();
  }

  /** What is known of each node, by its id. */
  public Map<String, NodeStatistics> statistics() {
    Moment moment = books.moment();
    int ranked = books.nodes().ranked();
    Map<String, NodeStatistics> statistics = new TreeMap<>();
    for (NodeView view : books.nodes().all()) {
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
            ? AdaptiveRanker.cost(seen, seen.inFlight(), books.expected().nanosOfAny())
            : -1;
    return new NodeStatistics(
        outstanding,
        averages,
        new Adaptive(seen.slowness(), seen.inFlight(), cost, seen.backOffNanos(), view.counts()));
  }
}
