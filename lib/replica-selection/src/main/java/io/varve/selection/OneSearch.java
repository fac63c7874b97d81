package io.varve.selection;

import io.varve.selection.ExpectedTimes.Work;
import io.varve.selection.SelectionSettings.Hedging;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The choices of one search, with the ranker and settings in effect when it began. */
final class OneSearch implements SearchSelection {

  private final Books books;
  private final String kind;
  private final Ranker ranking;
  private final Hedging hedging;
  private final Planned planned = new Planned();

  OneSearch(Books books, String kind, Ranker ranking, Hedging hedging) {
    this.books = books;
    this.kind = kind;
    this.ranking = ranking;
    this.hedging = hedging;
  }

  @Override
  public CopyOrder order(String shard, List<Copy> copies) {
    List<Copy> turn = books.rotation().next(shard, copies);
    List<Copy> started = turn.stream().filter(Copy::started).toList();
    List<Copy> rest = turn.stream().filter(copy -> !copy.started()).toList();
    Candidates candidates = candidates(shard);
    List<String> order = new ArrayList<>(copies.size());
    Optional<String> shadow = Optional.empty();
    if (!started.isEmpty()) {
      Ranker.Ranked ranked = ranking.rank(started, candidates);
      ranked.copies().forEach(copy -> order.add(copy.node()));
      shadow = ranked.shadow().filter(_ -> books.extraWork().mayShadow(books.nowNanos()));
      if (ranked.countsWinner()) {
        planned.chosen(order.getFirst());
      }
    }
    if (!rest.isEmpty()) {
      ranking.rank(rest, candidates).copies().forEach(copy -> order.add(copy.node()));
    }
    return new CopyOrder(order, shadow);
  }

  private Candidates candidates(String shard) {
    long expected = books.expected().nanos(new Work(kind, shard));
    return new Candidates(books.nodes(), planned, expected, books.moment());
  }

  @Override
  public Attempt sent(String shard, String node, Purpose purpose) {
    switch (purpose) {
      case FIRST -> {
        planned.sent(node);
        books.extraWork().firstSent(hedging, books.nowNanos());
      }
      case SHADOW -> books.extraWork().shadowSent(books.nowNanos());
      case RETRY, HEDGE -> {}
    }
    NodeView view = books.nodes().of(node);
    view.sent(purpose);
    return new OneAttempt(books, view, purpose, new Work(kind, shard));
  }

  @Override
  public OptionalLong hedgeDelayNanos(String shard) {
    return books.hedges().delayNanos(books.expected().nanos(new Work(kind, shard)), hedging);
  }

  @Override
  public Optional<String> hedge(String silent, List<String> untried) {
    if (!hedging.enabled() || !books.extraWork().mayHedge()) {
      return Optional.empty();
    }
    double limit = AdaptiveRanker.MARGIN * cost(silent);
    Optional<String> chosen =
        untried.stream().filter(this::isTrusted).filter(node -> cost(node) <= limit).findFirst();
    return chosen.filter(_ -> books.extraWork().hedge());
  }

  private boolean isTrusted(String node) {
    return seen(node).backOff() == BackOff.State.TRUSTED;
  }

  private double cost(String node) {
    NodeView.Seen seen = seen(node);
    return isTrusted(node)
        ? AdaptiveRanker.cost(seen, seen.inFlight(), books.expected().nanosOfAny())
        : Double.MAX_VALUE;
  }

  private NodeView.Seen seen(String node) {
    return books.nodes().of(node).seen(books.moment());
  }
}
