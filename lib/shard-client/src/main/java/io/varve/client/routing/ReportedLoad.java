package io.varve.client.routing;

import io.varve.rpc.NodeLoad;
import io.varve.selection.ExecutorReport;
import io.varve.selection.ExecutorReport.Slowness;
import org.jspecify.annotations.Nullable;

/** Converts the load that a node reports into the form that the selection uses. */
final class ReportedLoad {

  private ReportedLoad() {}

  static ExecutorReport report(@Nullable NodeLoad load) {
    if (load == null) {
      return ExecutorReport.NONE;
    }
    NodeLoad.Queue queue = load.queue();
    NodeLoad.Times times = load.times();
    return new ExecutorReport(
        queue.waiting(),
        queue.running(),
        queue.workers(),
        times.averageNanos(),
        times.slowness() > 0
            ? new Slowness(times.slowness(), times.trust(), times.ageNanos())
            : Slowness.UNKNOWN);
  }
}
