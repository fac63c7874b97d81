package io.varve.shard.primary;

import io.varve.engine.ShardEngine;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.FailureReasons;
import io.varve.host.IdleMemory;
import io.varve.host.RefreshInterval;
import io.varve.host.RefreshTurns;
import io.varve.host.SearchIdle;
import io.varve.host.ShardCopy.State;
import io.varve.log.OffsetWatcher;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does the periodic work of a started primary, when a refresh is due and at least once a second
 * ({@link UpkeepDelay}): refreshes in a turn of its node, commits when due, and ends expired
 * leases. A copy without searches is refreshed as often as it is committed ({@link SearchIdle}), so
 * that a new copy and the retention of the log never need older operations. A run never blocks,
 * because long work runs on other threads. A primary whose gate is closed still commits. If Lucene
 * has closed the index writer after a failure in the background, the primary fails, even if no
 * write arrives.
 */
final class PrimaryUpkeep implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryUpkeep.class);

  /**
   * The copy to work on.
   *
   * @param failed is called when the copy can't continue
   */
  record Copy(
      Supplier<State> state, ShardEngine engine, OffsetWatcher visible, Consumer<String> failed) {}

  /** How long a search waits for the refresh of an idle copy before it reads the visible state. */
  private static final Duration AWAKENING = Duration.ofSeconds(10);

  private final CopyContext context;
  private final Copy copy;
  private final Refresher refresher;
  private final Committer committer;
  private final PublishedSnapshots snapshots;
  private final SearchIdle idle;
  private volatile @Nullable ScheduledFuture<?> planned;
  private volatile RefreshTurns.@Nullable Turn turn;
  private volatile boolean closed;

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
    this.idle = new SearchIdle(now());
  }

  void start() {
    long delay =
        UpkeepDelay.millis(
            RefreshInterval.millis(context.settings()), refresher.lastRefreshMillis(), now());
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
    if (!refresher.isDue()) {
      memory().released(context.shard());
      return false;
    }
    long interval = RefreshInterval.millis(context.settings());
    long sinceMillis = now() - refresher.lastRefreshMillis();
    return interval >= 0
        && sinceMillis >= interval
        && refresher.isIdle()
        && (!isIdle() || sinceMillis >= context.node().settings().commitMillis());
  }

  /** Whether no search, wait or limit requires a refresh at the interval of the index. */
  private boolean isIdle() {
    if (!idle.isIdle(idleAfterMillis(), now()) || copy.visible().waiting() > 0) {
      memory().released(context.shard());
      return false;
    }
    boolean mayHold = memory().mayHold(context.shard(), copy.engine().unshownBytes());
    if (closed) {
      memory().released(context.shard());
    }
    return mayHold;
  }

  private IdleMemory<ShardId> memory() {
    return context.node().applying().idle();
  }

  /** A copy of a deleted index is not idle, because it is about to be closed. */
  private long idleAfterMillis() {
    return context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .map(index -> SearchIdle.afterMillis(index, context.shard()))
        .orElse(SearchIdle.NEVER);
  }

  private long now() {
    return context.node().clock().millis();
  }

  /** A search that ends the idle state of this copy waits for a refresh. */
  void searchBegins() {
    boolean started = copy.state().get() == State.STARTED;
    CompletableFuture<?> shown =
        idle.searched(
            idleAfterMillis(), now(), () -> started && refresher.isDue() ? awaken() : null);
    try {
      shown.get(AWAKENING.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("a search of {} reads what is visible", context.shard(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private CompletableFuture<?> awaken() {
    copy.engine().searchMeters().idleEnded();
    return refresher.refresh();
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

  /** Starts a refresh, without waiting for it, unless the operation is visible. */
  void refreshUnlessVisible(long seqNo) {
    if (copy.visible().current() < seqNo && copy.state().get() == State.STARTED) {
      var _ = refresher.refresh().whenComplete((_, failure) -> logFailure("refresh", failure));
    }
  }

  private void logFailure(String what, @Nullable Throwable failure) {
    if (failure != null && copy.state().get() != State.CLOSED) {
      LOG.warn("{} {} failed: {}", context.shard(), what, FailureReasons.of(failure));
    }
  }

  @Override
  public void close() {
    closed = true;
    ScheduledFuture<?> next = planned;
    if (next != null) {
      next.cancel(false);
    }
    RefreshTurns.Turn asked = turn;
    if (asked != null) {
      asked.end();
    }
    memory().released(context.shard());
  }
}
