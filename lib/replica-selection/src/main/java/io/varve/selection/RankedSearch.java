package io.varve.selection;

import io.varve.selection.ExpectedTimes.Work;
import io.varve.selection.SelectionSettings.Hedging;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The choices of one search, with the ranker and settings in effect when it began. */
final class RankedSearch implements SearchSelection {

  private final SelectionState state;
  private final String kind;
  private final Ranker ranking;
  private final Hedging hedging;
  private final PlannedRequests planned = new PlannedRequests();

  RankedSearch(SelectionState state, String kind, Ranker ranking, Hedging hedging) {
    this.state = state;
    this.kind = kind;
    this.ranking = ranking;
    this.hedging = hedging;
  }

  @Override
  public CopyOrder order(String shard, List<Copy> copies) {
    List<Copy> turn = state.rotation().next(shard, copies);
    List<Copy> started = turn.stream().filter(Copy::started).toList();
    List<Copy> rest = turn.stream().filter(copy -> !copy.started()).toList();
    Candidates candidates = candidates(shard);
    List<String> order = new ArrayList<>(copies.size());
    Optional<String> shadow = Optional.empty();
    if (!started.isEmpty()) {
      Ranker.Ranked ranked = ranking.rank(started, candidates);
      ranked.copies().forEach(copy -> order.add(copy.node()));
      shadow = ranked.shadow().filter(_ -> state.extraWork().mayShadow(state.nowNanos()));
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
    long expected = state.expected().nanos(new Work(kind, shard));
    return new Candidates(state.nodes(), planned, expected, state.moment());
  }

  @Override
  public Attempt sent(String shard, String node, Purpose purpose) {
    switch (purpose) {
      case FIRST -> {
        planned.sent(node);
        state.extraWork().firstSent(hedging, state.nowNanos());
      }
      case SHADOW -> state.extraWork().shadowSent(state.nowNanos());
      case RETRY, HEDGE -> {}
    }
    NodeView view = state.nodes().of(node);
    view.sent(purpose);
    return new RecordedAttempt(state, view, purpose, new Work(kind, shard));
  }

  @Override
  public OptionalLong hedgeDelayNanos(String shard) {
    return state.hedges().delayNanos(state.expected().nanos(new Work(kind, shard)), hedging);
  }

  @Override
  public Optional<String> hedge(String silent, List<String> untried) {
    if (!hedging.enabled() || !state.extraWork().mayHedge()) {
      return Optional.empty();
    }
    double limit = AdaptiveRanker.MARGIN * cost(silent);
    Optional<String> chosen =
        untried.stream().filter(this::isTrusted).filter(node -> cost(node) <= limit).findFirst();
    return chosen.filter(_ -> state.extraWork().hedge());
  }

  private boolean isTrusted(String node) {
    return seen(node).backOff() == FailureBackOff.State.TRUSTED;
  }

  private double cost(String node) {
    NodeView.Seen seen = seen(node);
    return isTrusted(node)
        ? AdaptiveRanker.cost(seen, seen.inFlight(), state.expected().nanosOfAny())
        : Double.MAX_VALUE;
  }

  private NodeView.Seen seen(String node) {
    return state.nodes().of(node).seen(state.moment());
  }
}
