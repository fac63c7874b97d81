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
 * The time limit of a search, measured from its start. A shard that is asked late or repeatedly has
 * less time left.
 *
 * @param deadline the deadline, or null for no limit
 * @param task the search's task, or null for none
 */
record SearchBudget(@Nullable Deadline deadline, @Nullable Task task) {

  /** Without a deadline, a shard that does not answer for this long counts as failed. */
  private static final Duration WITHOUT_DEADLINE = Duration.ofMinutes(10);

  static SearchBudget of(
      ClusterState state, SearchRequest request, Ticker clock, @Nullable Task task) {
    long own = request.limits().timeoutMillis();
    long millis = own == 0 ? usual(state) : own;
    return new SearchBudget(
        millis > 0 ? Deadline.in(Duration.ofMillis(millis), clock) : null, task);
  }

  /** Returns this limit or a shorter one, for a step that must not use up the remaining time. */
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

  /** Throws if the search has been cancelled. */
  void check() {
    if (task != null) {
      task.check();
    }
  }

  /** Returns how long to wait for an answer. */
  Duration patience() {
    return deadline == null ? WITHOUT_DEADLINE : Duration.ofMillis(leftMillis(deadline));
  }
}
