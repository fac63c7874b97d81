package io.varve.selection;

import io.varve.selection.ExecutorReport.Slowness;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** A coordinator whose nodes answer as scripted. Times are in milliseconds. */
final class Coordinator {

  static final long MILLI = 1_000_000;
  static final int WORKERS = 16;

  final ManualClock clock = new ManualClock();
  final ReplicaSelection selection;

  Coordinator(SelectionSettings settings) {
    selection = new ReplicaSelection(settings, clock, new SplittableRandom(7));
  }

  static Coordinator adaptive() {
    return new Coordinator(SelectionSettings.DEFAULTS);
  }

  static Coordinator ars(Formula formula) {
    return new Coordinator(SelectionSettings.DEFAULTS.with(Strategy.ARS).with(formula));
  }

  static List<Copy> copies(String... nodes) {
    return Arrays.stream(nodes).map(Copy::on).toList();
  }

  SearchSelection search() {
    return selection.search("kind");
  }

  /** Returns the first choice of a new search. */
  String choice(String... nodes) {
    return order(nodes).getFirst();
  }

  List<String> order(String... nodes) {
    return search().order("shard", copies(nodes)).nodes();
  }

  /** Sends a request to a node without waiting for the answer. */
  Attempt send(String node) {
    return search().sent("shard", node, Purpose.FIRST);
  }

  /** Advances the clock with the timer running; probes remain unanswered. */
  void waitAwake(long millis) {
    for (long waited = 0; waited < millis; waited += 20) {
      clock.advanceMillis(20);
      var _ = selection.probesDue();
    }
  }

  /** Sends a request and receives its answer. */
  void answer(String node, long responseMillis, ExecutorReport report) {
    Attempt attempt = send(node);
    clock.advanceMillis(responseMillis);
    attempt.answered(100 * MILLI, report);
  }

  /** Sends requests that earn budget for a few hedges and shadows without affecting statistics. */
  void busyBefore() {
    for (int i = 0; i < 100; i++) {
      fail("another", Failure.ABANDONED);
    }
  }

  void fail(String node, Failure failure) {
    send(node).failed(failure);
  }

  /** Returns the report of a trusted node that also has requests from other coordinators. */
  static ExecutorReport report(double slowness, int inFlight) {
    return new ExecutorReport(
        Math.max(0, inFlight - WORKERS),
        Math.min(inFlight, WORKERS),
        WORKERS,
        (long) (slowness * 100 * MILLI),
        new Slowness(slowness, 1000, 0));
  }

  static ExecutorReport ewma(double serviceMillis, int queue) {
    return new ExecutorReport(queue, 0, WORKERS, (long) (serviceMillis * MILLI), Slowness.UNKNOWN);
  }

  NodeStatistics statistics(String node) {
    return selection.statistics().get(node);
  }
}
