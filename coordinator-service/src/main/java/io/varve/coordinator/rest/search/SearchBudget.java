package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.TimeValues;
import io.varve.coordinator.rest.shard.SearchCall;
import io.varve.coordinator.rest.task.Task;
import io.varve.search.SearchRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time that a search may take, counted from where it began: a shard that is asked late, or a
 * second time, has less of it.
 *
 * @param deadlineNanos of {@link System#nanoTime}; means nothing when not limited
 * @param task for which the search runs, or null for none that can be seen
 */
record SearchBudget(boolean limited, long deadlineNanos, @Nullable Task task) {

  /** A shard without a deadline that says nothing for so long counts as failed. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  static SearchBudget of(ClusterState state, SearchRequest request, @Nullable Task task) {
    long own = request.limits().timeoutMillis();
    long millis = own == 0 ? usual(state) : own;
    return new SearchBudget(
        millis > 0, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis), task);
  }

  /** The same, or less: what is done within it must not use up the rest. */
  SearchBudget within(Duration most) {
    long sooner = System.nanoTime() + most.toNanos();
    return limited && deadlineNanos - sooner < 0 ? this : new SearchBudget(true, sooner, task);
  }

  static SearchBudget unlimited(@Nullable Task task) {
    return new SearchBudget(false, 0, task);
  }

  private static long usual(ClusterState state) {
    String value = ClusterSettings.value(state, ClusterSettings.DEFAULT_SEARCH_TIMEOUT);
    return value == null
        ? 0
        : TimeValues.clampedMillis(ClusterSettings.DEFAULT_SEARCH_TIMEOUT, value);
  }

  private long leftMillis() {
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
  }

  SearchCall.Bounds bounds() {
    return new SearchCall.Bounds(
        limited ? leftMillis() : 0, task == null ? null : task.id().toString());
  }

  /** Throws when the search was cancelled. */
  void check() {
    if (task != null) {
      task.check();
    }
  }

  /** How long an answer is waited for. */
  Duration patience() {
    return limited ? Duration.ofMillis(leftMillis()) : PATIENCE;
  }
}
