package io.varve.shard.primary;

import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.FailureReasons;
import io.varve.host.RefreshInterval;
import io.varve.host.RefreshTurns;
import io.varve.host.ShardCopy.State;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the periodic work of a started primary, when a refresh is due and at least once a second
 * ({@link UpkeepDelay}): refreshes in a turn of its node, commits when due, and ends expired
 * leases. A run never blocks, because long work runs on other threads. A primary whose gate is
 * closed still commits. If Lucene has closed the index writer after a failure in the background,
 * the primary fails, even if no write arrives.
 */
final class PrimaryUpkeep implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryUpkeep.class);

  /**
   * The copy to work on.
   *
   * @param failed is called when the copy can't continue
   */
  record Copy(Supplier<State> state, ShardEngine engine, Consumer<String> failed) {}

  private final CopyContext context;
  private final Copy copy;
  private final Refresher refresher;
  private final Committer committer;
  private final PublishedSnapshots snapshots;
  private volatile @Nullable ScheduledFuture<?> planned;
  private volatile RefreshTurns.@Nullable Turn turn;

  PrimaryUpkeep(
      CopyContext context,
      Copy copy,
      Refresher refresher,
      Committer committer,
      PublishedSnapshots snapshots) {
    this.context = context;
    this.copy = copy;
    this.refresher = refresher;
    this.committer = committer;
    this.snapshots = snapshots;
  }

  void start() {
    long delay =
        UpkeepDelay.millis(
            RefreshInterval.millis(context.settings()),
            refresher.lastRefreshMillis(),
            context.node().clock().millis());
    planned = context.node().timer().schedule(this::turn, delay, TimeUnit.MILLISECONDS);
  }

  private void turn() {
    State now = copy.state().get();
    if (now != State.STARTED && now != State.GATE_CLOSED) {
      return;
    }
    Optional<Throwable> ended = copy.engine().ended();
    if (now == State.STARTED && ended.isPresent()) {
      copy.failed().accept("the index writer was closed: " + FailureReasons.of(ended.get()));
      return;
    }
    try {
      if (now == State.STARTED && refreshIsDue()) {
        askForTurn();
      }
      if (committer.isDue()) {
        var _ =
            CompletableFuture.runAsync(committer::commitIfDue, context.node().blocking())
                .whenComplete((_, failure) -> logFailure("commit", failure));
      }
      snapshots.sweep();
      context.host().progressed();
    } finally {
      start();
    }
  }

  private boolean refreshIsDue() {
    long interval = RefreshInterval.millis(context.settings());
    return interval >= 0
        && context.node().clock().millis() - refresher.lastRefreshMillis() >= interval
        && refresher.isDue()
        && refresher.isIdle();
  }

  private void askForTurn() {
    RefreshTurns.Turn before = turn;
    if (before != null && !before.hasEnded()) {
      return;
    }
    long dueMillis = refresher.lastRefreshMillis() + RefreshInterval.millis(context.settings());
    RefreshTurns.Turn asked =
        context.node().applying().refreshes().ask(dueMillis, this::refreshInTurn);
    turn = asked;
    if (copy.state().get() != State.STARTED) {
      // The copy was closed in the meantime, perhaps before it could end this turn.
      asked.end();
    }
  }

  /** A request may have caused a refresh while the turn waited. */
  private void refreshInTurn(RefreshTurns.Turn granted) {
    if (copy.state().get() == State.STARTED && refreshIsDue()) {
      var _ =
          refresher.refresh(granted).whenComplete((_, failure) -> logFailure("refresh", failure));
    } else {
      granted.end();
    }
  }

  /** Starts a refresh without waiting for it. */
  void refresh() {
    var _ = refresher.refresh().whenComplete((_, failure) -> logFailure("refresh", failure));
  }

  private void logFailure(String what, @Nullable Throwable failure) {
    if (failure != null && copy.state().get() != State.CLOSED) {
      LOG.warn("{} {} failed: {}", context.shard(), what, FailureReasons.of(failure));
    }
  }

  @Override
  public void close() {
    ScheduledFuture<?> next = planned;
    if (next != null) {
      next.cancel(false);
    }
    RefreshTurns.Turn asked = turn;
    if (asked != null) {
      asked.end();
    }
  }
}
