package io.varve.selection;

import io.varve.selection.NodeStatistics.Counts;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of requests and their outcomes, for one node or for all nodes ever known. Thread-safe.
 */
final class RequestCounters {

  private final LongAdder requests = new LongAdder();
  private final LongAdder hedges = new LongAdder();
  private final LongAdder shadows = new LongAdder();
  private final LongAdder probes = new LongAdder();
  private final LongAdder failures = new LongAdder();
  private final LongAdder lost = new LongAdder();

  void sent(Purpose purpose) {
    requests.increment();
    switch (purpose) {
      case HEDGE -> hedges.increment();
      case SHADOW -> shadows.increment();
      case FIRST, RETRY -> {}
    }
  }

  void probed() {
    probes.increment();
  }

  void failed() {
    failures.increment();
  }

  void lost() {
    lost.increment();
  }

  Counts read() {
    return new Counts(
        requests.sum(), hedges.sum(), shadows.sum(), probes.sum(), failures.sum(), lost.sum());
  }
}
