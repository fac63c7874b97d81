package io.varve.coordinator.rest.search;

import io.varve.client.SearchCall;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.task.Task;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import io.varve.search.SearchRequest;
import io.varve.text.TimeValues;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time that a search may take, counted from where it began: a shard that is asked late, or a
 * second time, has less of it.
 *
 * @param deadline null for a search that may take any time
 * @param task for which the search runs, or null for none that can be seen
 */
record SearchBudget(@Nullable Deadline deadline, @Nullable Task task) {

  /** A shard without a deadline that says nothing for so long counts as failed. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  static SearchBudget of(
      ClusterState state, SearchRequest request, Ticker clock, @Nullable Task task) {
    long own = request.limits().timeoutMillis();
    long millis = own == 0 ? usual(state) : own;
    return new SearchBudget(
        millis > 0 ? Deadline.in(Duration.ofMillis(millis), clock) : null, task);
  }

  /** The same, or less: what is done within it must not use up the rest. */
  SearchBudget within(Duration most, Ticker clock) {
    return deadline != null && deadline.left().compareTo(most) < 0
        ? this
        : new SearchBudget(Deadline.in(most, clock), task);
  }

  static SearchBudget unlimited(@Nullable Task task) {
    return new SearchBudget(null, task);
  }

  private static long usual(ClusterState state) {
    String value = ClusterSettings.value(state, ClusterSettings.DEFAULT_SEARCH_TIMEOUT);
    return value == null
        ? 0
        : TimeValues.clampedMillis(ClusterSettings.DEFAULT_SEARCH_TIMEOUT, value);
  }

  private static long leftMillis(Deadline deadline) {
    return Math.max(1, deadline.left().toMillis());
  }

  SearchCall.Bounds bounds() {
    return new SearchCall.Bounds(
        deadline == null ? 0 : leftMillis(deadline), task == null ? null : task.id().toString());
  }

  /** Throws when the search was cancelled. */
  void check() {
    if (task != null) {
      task.check();
    }
  }

  /** How long an answer is waited for. */
  Duration patience() {
    return deadline == null ? PATIENCE : Duration.ofMillis(leftMillis(deadline));
  }
}
